# SPDX-License-Identifier: BSD-3-Clause
# Prylli & Tourancheau 1996, figure 4: redistributions against the LU factorisation of the same matrix.
width = 760; height = 520
load papers."/style.gnuplot"
csv = dir."/lu-redistribution.csv"; lu = dir."/lu.csv"

set title "Four processes of this computer: redistributions (points: each pair of distributions, line: mean) and LU"
set logscale y
set xlabel "rows and columns of the matrix" offset 0,0.5
set ylabel "time, ms"
set format y "%g"
set xrange [0:*]
set key bottom right
of(name) = strcol(9) eq name ? column(15) * 1e3 : NaN
plot lu using 1:($3 == 16 ? $5 * 1e3 : NaN) with linespoints lc rgb c3 dt 3 pt 5 ps 0.4 title "PDGETRF, blocks of 16", \
     lu using 1:($3 == 32 ? $5 * 1e3 : NaN) with linespoints lc rgb c3 pt 5 ps 0.4 title "PDGETRF, blocks of 32", \
     lu using 1:($3 == 64 ? $5 * 1e3 : NaN) with linespoints lc rgb c3 dt 2 pt 5 ps 0.4 title "PDGETRF, blocks of 64", \
     csv using 3:(of("scalapack")) with points lc rgb c2 pt 6 ps 0.5 notitle, \
     csv using 3:(of("scalapack")) smooth unique with lines lc rgb c2 lw 2 title "ScaLAPACK's PDGEMR2D", \
     csv using 3:(of("drop-in")) with points lc rgb c1 pt 6 ps 0.5 notitle, \
     csv using 3:(of("drop-in")) smooth unique with lines lc rgb c1 lw 2 title "xredist's"
