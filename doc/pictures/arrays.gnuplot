# SPDX-License-Identifier: BSD-3-Clause
# Times of a plan of arrays, of MPI_Alltoallw and of the best other contender, by cases, which arrays.py orders and names.
# doc/pictures/draw runs this script.
set encoding utf8
set term svg size 1000, 860 noenhanced font "sans-serif,13" background "white"
set output "arrays.svg"
set datafile separator tab
table = "< python3 -B arrays.py ../../TIMING/results/arrays.csv"
set border 1 lc rgb "#404040"
set tics nomirror out
set grid x lc rgb "#e0e0e0" lw 1 lt 1
set lmargin 60
set tmargin 5
set bmargin 3
set xrange [0:1.22]
unset ytics
set key at screen 0.98, screen 0.935 right center horizontal samplen 1
set title "A plan of arrays: time of xredist / time of another method (left of 1: xredist is faster)" offset -36,1.6
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb "#808080" lw 2

stats table using 1 nooutput
set yrange [STATS_max + 0.6:-0.8]
plot table using 2:1 with points pt 7 ps 0.8 lc rgb "#1f5fa8" title "MPI_Alltoallw", \
     table using 3:1 with points pt 9 ps 0.9 lc rgb "#c8502b" title "best other", \
     table using (0):1:4 with labels right offset -1,0 font ",11" notitle
