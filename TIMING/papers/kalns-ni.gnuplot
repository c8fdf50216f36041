# Kalns & Ni 1995, figures 17 to 19: with the target grid as it is, and relabelled. Variables: grid, figure.
load papers."/style.gnuplot"
csv = dir."/kalns-ni.csv"; ratios = dir."/kalns-ni-ratios.csv"
set term svg size 1040,540 font "sans-serif,13" background "white"
set output out

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
plot csv using ($4 * $4):(at("sp-1", "traditional") ? $10 : NaN) \
       with linespoints lc rgb c2 pt 7 ps 0.5 lw 1.5 title "traditional", \
     csv using ($4 * $4):(at("sp-1", "optimal") ? $10 : NaN) \
       with linespoints lc rgb c1 pt 7 ps 0.5 lw 1.5 title "optimal mapping", \
     csv using ($4 * $4):(at("here", "traditional") ? $10 : NaN) \
       with linespoints lc rgb c2 pt 4 ps 0.6 dt 2 notitle, \
     csv using ($4 * $4):(at("here", "optimal") ? $10 : NaN) \
       with linespoints lc rgb c1 pt 4 ps 0.6 dt 2 notitle

set title "optimal mapping over traditional"
set ylabel "ratio of times"
unset logscale y
set format y "%g"
set yrange [0:1.6]
set key below height 1 maxcols 2
is(network) = strcol(1) eq network && strcol(2) eq grid
plot ratios using 3:(is("sp-1") ? $4 : NaN) \
       with linespoints lc rgb c1 pt 7 ps 0.5 lw 1.5 title "simulated SP-1", \
     ratios using 3:(is("cluster") ? $4 : NaN) \
       with linespoints lc rgb c3 pt 7 ps 0.5 lw 1.5 title "simulated cluster", \
     ratios using 3:(is("here") ? $4 : NaN) \
       with linespoints lc rgb c2 pt 4 ps 0.6 dt 2 title "this computer", \
     ratios using 3:(is("sp-1") ? $5 : NaN) \
       with lines lc rgb "black" title "theory: all that travels", \
     ratios using 3:(is("sp-1") ? $6 : NaN) \
       with lines lc rgb "black" dt 3 title "theory: the busiest process", \
     (figure == 17 ? 0.6 : NaN) \
       with lines lc rgb "#c9a94a" lw 3 title (figure == 17 ? "the paper's: roughly 0.6" : "")
unset multiplot
