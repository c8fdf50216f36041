# SPDX-License-Identifier: BSD-3-Clause
# Times of a plan of arrays, of MPI_Alltoallw and of the best other contender, by cases. doc/pictures/draw runs this script.
set encoding utf8
set term svg size 1000, 820 noenhanced font "sans-serif,13" background "white"
set output "arrays.svg"
set datafile separator ","
table = "../../TIMING/results/arrays.csv"
set border 1 lc rgb "#404040"
set tics nomirror out
set grid x lc rgb "#e0e0e0" lw 1 lt 1
set lmargin 78
set tmargin 5
set bmargin 3
set xrange [0:1.22]
unset ytics
set key at screen 0.98, screen 0.935 right center horizontal samplen 1
set title "A plan of arrays: time of xredist / time of another method (left of 1: xredist is faster)" offset -36,1.6
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb "#808080" lw 2

stats table every ::1 using 0 nooutput
rows = STATS_records
set yrange [rows - 0.4:-0.8]
name(shape, bytes, a, b, p) = sprintf("%s, %s B, %s → %s, P = %s", shape, bytes, a, b, p)
plot table every ::1 using 14:0 with points pt 7 ps 0.8 lc rgb "#1f5fa8" title "MPI_Alltoallw", \
     table every ::1 using 15:0 with points pt 9 ps 0.9 lc rgb "#c8502b" \
       title "best other", \
     table every ::1 using (0):0:(name(strcol(2), strcol(3), strcol(4), strcol(5), strcol(1))) \
       with labels right offset -1,0 font ",10" notitle
