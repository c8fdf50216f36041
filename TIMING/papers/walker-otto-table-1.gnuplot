# SPDX-License-Identifier: BSD-3-Clause
# Walker & Otto 1996, table 1: times of the paper as points, simulated times as lines.
width = 1000; height = 500
load papers."/style.gnuplot"
csv = dir."/walker-otto.csv"; table = papers."/walker-otto-table-1.csv"

set logscale x 2
set xrange [2.5:80]
set xtics (3, 10, 16, 32, 64)
set xlabel "processes" offset 0,0.5
set ylabel "time, ms"
set yrange [0:*]
set key below height 1 maxcols 4
what = "bcast alltoall sendrecv sendrecv"
factor(i) = i == 3 ? 2 : i == 4 ? 20 : 0
name(i) = word("MPI_Bcast MPI_Alltoall K=2 K=20", i)
colour(i) = word(c1." ".c2." ".c3." ".c4, i)
set multiplot layout 1,2 title "12800 bytes of each process: the paper's table 1 (points), simulated (lines)" font ",15"
do for [machine in "sp-1 paragon"] {
  set title machine
  plot for [i = 1:4] csv \
         using 2:(strcol(1) eq machine && strcol(4) eq word(what, i) && $3 == factor(i) ? $6 * 1e3 : NaN) \
         with lines lc rgb colour(i) lw 1.5 title name(i) noenhanced, \
       for [i = 1:4] table \
         using 2:(strcol(1) eq machine && strcol(3) eq word(what, i) && $4 == factor(i) ? $5 : NaN) \
         with points lc rgb colour(i) pt 7 ps 0.8 notitle
}
unset multiplot
