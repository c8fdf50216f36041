# SPDX-License-Identifier: BSD-3-Clause
# Time with libxredist_pivots, divided by the time with ScaLAPACK's own P?LASWP and P?LAPIV: bars for each routine, one for
# each number of processes and order. doc/pictures/draw runs this script.
set encoding utf8
set terminal svg size 900,360 noenhanced font "sans-serif,13" background "white"
set output "pivots.svg"
set datafile separator ","
csv = "../../TIMING/results/pivots.csv"
set title "Time with libxredist_pivots / time with ScaLAPACK's own routines" offset 0,-0.3
set lmargin 6
set rmargin 24
set border 3
set yrange [0:1.2]
set ytics 0.2 nomirror
set grid ytics lc rgb "#d8d8d8"
set xtics nomirror scale 0 ("PDLASWP" 1, "PDGETRF" 2, "PDLAPIV" 3, "PDGETRS" 4)
set xrange [0.5:4.5]
set key at graph 1.02, graph 1 left top Left reverse samplen 1.2 spacing 1.15
set style fill solid noborder
set arrow from 0.5,1 to 4.5,1 nohead lc rgb "#404040" dt 2

# The cases of one right-hand side, in the order of the table.
cases = system("awk -F, 'NR > 1 && $5 == 1 && !seen[$1 \"/\" $3]++ {print $1 \"/\" $3}' " . csv)
colours = "#f2b134 #d98a12 #9cc3e6 #5b9bd5 #1f5fa8 #8fc79a #3f8f5a #7a5195"
width = 0.8 / words(cases)
place(routine, k) = (routine eq "laswp" ? 1 : routine eq "getrf" ? 2 : routine eq "lapiv" ? 3 : 4) - 0.4 + (k - 0.5) * width
of_case(case, processes, n, sides) = sides eq "1" && processes . "/" . n eq case
title_of(case) = case[1:strstrt(case, "/") - 1] . (case[1:2] eq "1/" ? " process, n = " : " processes, n = ") . \
                 case[strstrt(case, "/") + 1:*]
plot for [k = 1:words(cases)] csv every ::1 \
  using (of_case(word(cases, k), strcol(1), strcol(3), strcol(5)) ? place(strcol(6), k) : NaN):9:(0.9 * width) \
  with boxes lc rgb word(colours, k) title title_of(word(cases, k))
