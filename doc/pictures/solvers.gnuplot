# SPDX-License-Identifier: BSD-3-Clause
# Time of a solver in the layout of a program, divided by the time in the fitted layout with both moves, on four
# processes. doc/pictures/draw runs this script.
set encoding utf8
set terminal svg size 900,760 noenhanced font "sans-serif,13" background "white"
set output "solvers.svg"
set datafile separator ","
csv = "../../TIMING/results/solvers.csv"
refused = 500  # where refused calls are drawn
set border 1 lc rgb "#404040"
set tics nomirror out scale 0.5
set grid x lc rgb "#e0e0e0" lw 1 lt 1
set lmargin 16
set rmargin 4
set tmargin 5
set bmargin 4
set logscale x
set xrange [0.4:700]
set xtics (0.5, 1, 2, 4, 8, 16, 32, 64, 128, "refused" refused)
set key at screen 0.98, screen 0.94 right horizontal samplen 1 width -1
set title "Time in a program's layout / time in the fitted layout, both moves included (right of 1: the fit is faster)" \
  offset -4,1.6
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb "#c8502b" lw 2

# A group of rows for each routine, a row for each order.
routines = "PDPOTRF PDGETRF PDGESV PDGEQRF PDSYEV PDSYEVD PDSYEVR PDGESVD"
orders = "200 500 1000 2000 4000"
position(list, x) = sum [k = 1:words(list)] (word(list, k) eq x ? k : 0)
place(routine, n) = 6*position(routines, routine) + position(orders, n)
unset ytics
set yrange [54.5:6.2]
do for [routine in routines] { set label routine at graph 0, first place(routine, "200") right offset -6,0 }
measured = system("awk -F, '$1 == 4 {print $2 \"/\" $3}' " . csv . " | sort -u")
do for [row in measured] {
  routine = row[1:strstrt(row, "/") - 1]
  n = row[strstrt(row, "/") + 1:*]
  set label n at graph 0, first place(routine, n) right offset -1,0 textcolor rgb "#404040"
}

layouts = "rows columns one 1 8 64 1000"
array title_of = ["slabs of rows", "slabs of columns", "one block a process", "blocks of 1", "8", "64", "1000"]
array colour = ["#1f5fa8", "#5fa8c8", "#c8502b", "#404040", "#8a5fa8", "#3f8f5f", "#b0802b"]
array shape = [9, 11, 5, 7, 13, 6, 4]
ratio(x) = strlen(x) > 0 ? real(x) : refused
plot for [k = 1:7] csv every ::1 using (ratio(strcol(12))): \
  (strcol(1) eq "4" && strcol(4) eq word(layouts, k) ? place(strcol(2), strcol(3)) + 0.12*(k - 4) : NaN) \
  with points pt shape[k] ps 0.8 lc rgb colour[k] title title_of[k]
