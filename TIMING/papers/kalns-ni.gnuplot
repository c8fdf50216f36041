# SPDX-License-Identifier: BSD-3-Clause
# Kalns & Ni 1995, figures 17 to 19: with the given and the relabelled target grid. Variables: grid, figure.
width = 1040; height = 540
load papers."/style.gnuplot"
csv = dir."/kalns-ni.csv"; ratios = dir."/kalns-ni-ratios.csv"

set multiplot layout 1,2 title sprintf("Figure %d: BLOCK to CYCLIC(c) on %s processes", figure, grid) font ",15"
set logscale x
set xlabel "elements of the matrix (4 bytes)" offset 0,0.5
set format x "10^{%L}"
set xrange [5e4:1.5e8]

set title "simulated SP-1 (circles), this computer (squares)"
set ylabel "time, s"
set logscale y
set format y "10^{%L}"
set key below height 1 maxcols 2
at(network, name) = strcol(1) eq network && strcol(2) eq grid && strcol(6) eq name
name(i) = word("traditional optimal", i)
colour(i) = word(c2." ".c1, i)
plot for [i = 1:2] csv using ($4 * $4):(at("sp-1", name(i)) ? $10 : NaN) \
       with linespoints lc rgb colour(i) pt 7 ps 0.5 lw 1.5 title word("traditional 'optimal mapping'", i), \
     for [i = 1:2] csv using ($4 * $4):(at("here", name(i)) ? $10 : NaN) \
       with linespoints lc rgb colour(i) pt 4 ps 0.6 dt 2 notitle

set title "optimal mapping over traditional"
set ylabel "ratio of times"
unset logscale y
set format y "%g"
set yrange [0:1.6]
is(network) = strcol(1) eq network && strcol(2) eq grid
plot for [i = 1:3] ratios using 3:(is(word("sp-1 cluster here", i)) ? $4 : NaN) with linespoints \
       lc rgb word(c1." ".c3." ".c2, i) pt (i < 3 ? 7 : 4) ps (i < 3 ? 0.5 : 0.6) lw (i < 3 ? 1.5 : 1) \
       dt int(word("1 1 2", i)) title word("'simulated SP-1' 'simulated cluster' 'this computer'", i), \
     for [i = 1:2] ratios using 3:(is("sp-1") ? column(4 + i) : NaN) with lines lc rgb "black" dt int(word("1 3", i)) \
       title word("'theory: all that travels' 'theory: the busiest process'", i), \
     (figure == 17 ? 0.6 : NaN) \
       with lines lc rgb "#c9a94a" lw 3 title (figure == 17 ? "the paper's: roughly 0.6" : "")
unset multiplot
