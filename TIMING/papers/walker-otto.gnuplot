# SPDX-License-Identifier: BSD-3-Clause
# Walker & Otto 1996, figures 11 and 12: time against K, four variants, a curve for each number of processes.
# Variable: machine.
width = 1000; height = 760
load papers."/style.gnuplot"
csv = dir."/walker-otto.csv"

counts = system(sprintf("awk -F, '$1 == \"%s\" && !seen[$2]++ {print $2}' '%s'", machine, csv))
stats csv using (strcol(1) eq machine && $3 > 0 ? $6 * 1e3 : NaN) nooutput
top = STATS_max * 1.35
at(P, variant) = column(2) == int(P) && column(3) > 0 && strcol(1) eq machine && strcol(4) eq variant
colour(i) = word(c1." ".c2." ".c3." ".c4." ".c5, i)

title = machine eq "here" ? "this computer, in memory" : "simulated ".machine
set multiplot layout 2,2 title "Block-cyclic(r) to block-cyclic(K r): ".title font ",15"
set xlabel "K, factor of the block size" offset 0,0.5
set ylabel "time, ms"
set xrange [0:34]
set yrange [0:top]
set key top left Left reverse horizontal maxrows 1 title "processes:" left

do for [panel = 1:4] {
  variant = word("synchronised random optimal sendrecv", panel)
  set title panel == 1 ? "(a) simple order: synchronised (points), unsynchronised (dashed)" : \
            panel == 2 ? "(b) synchronised, random order" : \
            panel == 3 ? "(c) synchronised, optimal order" : "(d) MPI_Sendrecv, optimal order" noenhanced
  plot for [i = 1:words(counts)] csv using 3:(at(word(counts, i), variant) ? $6 * 1e3 : NaN) with linespoints \
         lc rgb colour(i) lw 1.5 pt 7 ps 0.4 title word(counts, i), \
       for [i = 1:(panel == 1 ? words(counts) : 0)] csv \
         using 3:(at(word(counts, i), "unsynchronised") ? $6 * 1e3 : NaN) \
         with lines lc rgb colour(i) lw 1.5 dt 2 notitle
}
unset multiplot
