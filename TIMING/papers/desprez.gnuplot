# Desprez et al. 1998, figures 2 to 4: schedules against each other while the vector grows. Variables: case, figure.
load papers."/style.gnuplot"
csv = dir."/desprez.csv"; ratios = dir."/desprez-ratios.csv"
set term svg size 1040,540 font "sans-serif,13" background "white"
set output out

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
plot csv using 3:(at("paragon-crossbar", "shifted") ? $9 * 1e3 : NaN) \
       with linespoints lc rgb c2 pt 7 ps 0.4 lw 1.5 title "caterpillar (shifted)", \
     csv using 3:(at("paragon-crossbar", "caterpillar") ? $9 * 1e3 : NaN) \
       with linespoints lc rgb c5 pt 7 ps 0.4 lw 1.5 title "caterpillar (P. & T.)" noenhanced, \
     csv using 3:(at("paragon-crossbar", "optimal") ? $9 * 1e3 : NaN) \
       with linespoints lc rgb c1 pt 7 ps 0.4 lw 1.5 title "optimal", \
     csv using 3:(at("paragon-crossbar", "library") ? $9 * 1e3 : NaN) \
       with lines lc rgb c3 dt 2 lw 1.5 title "xredist, steps overlap"

set title "optimal over caterpillar (shifted)"
set ylabel "ratio of times"
unset logscale y
set yrange [0:1.25]
set key below height 1 maxcols 2
paper_low = figure == 2 ? 0.56 : figure == 3 ? 0.86 : 0.6
paper_high = figure == 2 ? 0.64 : paper_low
set object 1 rectangle from graph 0, first paper_low - 0.004 to graph 1, first paper_high + 0.004 \
  fc rgb "#e8d9b0" fs solid noborder behind
is(network) = strcol(1) eq network && strcol(2) eq case && strcol(4) eq "shifted"
plot ratios using 3:(is("paragon-crossbar") ? $5 : NaN) \
       with linespoints lc rgb c1 pt 7 ps 0.5 lw 1.5 title "Paragon, one switch", \
     ratios using 3:(is("paragon-torus") ? $5 : NaN) \
       with linespoints lc rgb c2 pt 7 ps 0.5 lw 1.5 title "Paragon, torus", \
     ratios using 3:(is("cluster-crossbar") ? $5 : NaN) \
       with linespoints lc rgb c3 pt 7 ps 0.5 lw 1.5 title "cluster, one switch", \
     ratios using 3:(is("paragon-crossbar") ? $7 : NaN) \
       with lines lc rgb "black" lw 1.5 title "theory: αS + βT, Paragon", \
     ratios using 3:(is("paragon-crossbar") ? $8 : NaN) \
       with lines lc rgb grey dt 3 lw 1.5 title "theory: messages only", \
     ratios using 3:(is("paragon-crossbar") ? $9 : NaN) \
       with lines lc rgb grey dt 2 lw 1.5 title "theory: elements only", \
     NaN with filledcurves fc rgb "#e8d9b0" title "the paper's, long vectors"
unset multiplot
