# SPDX-License-Identifier: BSD-3-Clause
# Prylli & Tourancheau 1996, figure 3: time for finding the intersections against the block size.
width = 820; height = 560
load papers."/style.gnuplot"
csv = dir."/scanning.csv"

set title "Which elements go from one process to each of four, 4000 elements: random block sizes r and s"
set logscale xy
set xlabel "mean block size, root of r s" offset 0,0.5
set ylabel "time, microseconds"
set xrange [0.8:160]
set key below height 1 maxcols 2
plot for [i = 1:4] csv using 3:(strcol(6) eq word("scalapack pairs runs shares", i) ? $8 / 1e3 : NaN) with points \
       lc rgb word(c2." ".c5." ".c1." ".c3, i) pt int(word("7 6 5 9", i)) ps 0.7 \
       title (i == 1 ? "ScaLAPACK: all blocks, for each partner" : \
              i == 2 ? "all pairs of elements of two blocks (proposition 1)" : \
              i == 3 ? "xredist: all runs, for each partner" : "xredist: lengths of all messages, one period")
