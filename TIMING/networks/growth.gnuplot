# SPDX-License-Identifier: BSD-3-Clause
# Time over port bound against the number of processes: a curve for each order of messages.
#   gnuplot -e "csv='networks-growth.csv'; out='growth.svg'" growth.gnuplot
set terminal svg size 900,330 font "sans-serif,13" background "white"
load system("dirname '".ARG0."'")."/style.gnuplot"
set logscale xy 2
set xtics (16, 64, 256, 1024)
set xrange [12:1400]
set yrange [0.9:12]
set key top left reverse Left
set xlabel "processes"
orders = "at-once shifted scalapack default"
panel(data, name) = strcol(1) eq data && strcol(2) eq "3x5 -> 5x3" ? column(name) : NaN
set multiplot layout 1,2
do for [data in "process matrix"] {
  set title data eq "process" ? "3x5 to 5x3, the same data per process" : "3x5 to 5x3, the same matrix"
  set ylabel data eq "process" ? "time / port bound" : ""
  plot for [i = 1:4] csv using 3:(panel(data, word(orders, i))) with linespoints lc rgb word(grey." ".c3." ".c2." ".c1, i) \
    lw 2 pt 7 ps 0.4 title word(orders, i)
}
unset multiplot
