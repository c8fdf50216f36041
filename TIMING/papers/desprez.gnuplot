# SPDX-License-Identifier: BSD-3-Clause
# Desprez et al. 1998, figures 2 to 4: times of schedules against the length of the vector. Variables: case, figure.
width = 1040; height = 540
load papers."/style.gnuplot"
csv = dir."/desprez.csv"; ratios = dir."/desprez-ratios.csv"

set multiplot layout 1,2 title sprintf("Figure %d: CYCLIC(r) to CYCLIC(s), %s", figure, case) font ",15" noenhanced
set logscale x
set xlabel "elements of the vector (doubles)" offset 0,0.5
set xrange [800:4e6]
set format x "10^{%L}"

set title "simulated Paragon, one switch"
set ylabel "time, ms"
set logscale y
set format y "%g"
set key below height 1 maxcols 2
at(network, name) = strcol(1) eq network && strcol(2) eq case && strcol(5) eq name
plot for [i = 1:3] csv using 3:(at("paragon-crossbar", word("shifted caterpillar optimal", i)) ? $9 * 1e3 : NaN) \
       with linespoints lc rgb word(c2." ".c5." ".c1, i) pt 7 ps 0.4 lw 1.5 \
       title word("'caterpillar (shifted)' 'caterpillar (P. & T.)' optimal", i) noenhanced, \
     csv using 3:(at("paragon-crossbar", "library") ? $9 * 1e3 : NaN) \
       with lines lc rgb c3 dt 2 lw 1.5 title "xredist, steps overlap"

set title "optimal over caterpillar (shifted)"
set ylabel "ratio of times"
unset logscale y
set yrange [0:1.25]
paper_low = figure == 2 ? 0.56 : figure == 3 ? 0.86 : 0.6
paper_high = figure == 2 ? 0.64 : paper_low
set object 1 rectangle from graph 0, first paper_low - 0.004 to graph 1, first paper_high + 0.004 \
  fc rgb "#e8d9b0" fs solid noborder behind
is(network) = strcol(1) eq network && strcol(2) eq case && strcol(4) eq "shifted"
plot for [i = 1:3] ratios using 3:(is(word("paragon-crossbar paragon-torus cluster-crossbar", i)) ? $5 : NaN) \
       with linespoints lc rgb word(c1." ".c2." ".c3, i) pt 7 ps 0.5 lw 1.5 \
       title word("'Paragon, one switch' 'Paragon, torus' 'cluster, one switch'", i), \
     for [i = 1:3] ratios using 3:(is("paragon-crossbar") ? column(6 + i) : NaN) \
       with lines lc rgb (i == 1 ? "black" : grey) dt int(word("1 3 2", i)) lw 1.5 \
       title word("'theory: αS + βT, Paragon' 'theory: messages only' 'theory: elements only'", i), \
     NaN with filledcurves fc rgb "#e8d9b0" title "the paper's, long vectors"
unset multiplot
