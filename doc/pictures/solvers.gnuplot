# SPDX-License-Identifier: BSD-3-Clause
# Time of a solver in the layout of a program, divided by the time in the fitted layout with both moves, on four
# processes: a row for each routine and order that was measured, a column for each layout. doc/pictures/draw runs this
# script.
set encoding utf8
set terminal svg size 900,780 noenhanced font "sans-serif,13" background "white"
set output "solvers.svg"
set datafile separator ","
csv = "../../TIMING/results/solvers.csv"
layouts = "rows columns one 1 8 64 1000"
array title_of = ["slabs of\nrows", "slabs of\ncolumns", "one block\na process", "blocks\nof 1", "blocks\nof 8", \
                  "blocks\nof 64", "blocks\nof 1000"]
set title "Time in a program's layout / time in the fitted layout, both moves included (blue: the fit is faster, red: slower)" \
  offset -5,2.6
set lmargin 17
set rmargin 2
set tmargin 6
set bmargin 1
unset border
unset key
unset xtics
unset ytics
set xrange [0.5:7.5]
do for [k = 1:7] { set label title_of[k] at first k, graph 1.045 center }

# Orders that were not measured have no row.
rows = system("awk -F, '$1 == 4 {print $2 \"/\" $3}' " . csv . " | sort -u -t/ -k1,1 -k2,2n")
routines = "PDPOTRF PDGETRF PDGESV PDGEQRF PDSYEV PDSYEVD PDSYEVR PDGESVD"
position(list, x) = sum [k = 1:words(list)] (word(list, k) eq x ? k : 0)
sorted = ""
do for [routine in routines] {
  do for [row in rows] { if (strstrt(row, routine . "/") == 1) { sorted = sorted . " " . row } }
}
place(row) = position(sorted, row) + 0.5 * position(routines, row[1:strstrt(row, "/") - 1])
set yrange [place(word(sorted, words(sorted))) + 0.6 : 0.8]
last = ""
do for [row in sorted] {
  routine = row[1:strstrt(row, "/") - 1]
  if (routine ne last) { set label routine at graph 0, first place(row) right offset -6,0 }
  set label row[strstrt(row, "/") + 1:*] at graph 0, first place(row) right offset -1,0 textcolor rgb "#404040"
  last = routine
}

# Distances from white are equal for x and 1/x; times beyond 16 have the darkest colours.
set palette maxcolors 32 defined (-4 "#c8502b", 0 "#ffffff", 4 "#1f5fa8")
set cbrange [-4:4]
unset colorbox
set style fill solid noborder
log2(x) = log(x) / log(2)
within(x) = x < -4 ? -4 : x > 4 ? 4 : x
ratio(x) = strlen(x) > 0 ? real(x) : NaN
cell(x, own) = strlen(x) > 0 ? (real(x) < 9.95 ? sprintf("%.2f", real(x)) : sprintf("%.0f", real(x))) : \
               strstrt(own, "wrong") > 0 ? "wrong" : "refused"
ink(x) = strlen(x) == 0 ? 0x808080 : abs(log2(real(x))) > 2.4 ? 0xffffff : 0x202020
row_of(processes, routine, n) = processes eq "4" ? place(routine . "/" . n) : NaN
plot csv every ::1 using (position(layouts, strcol(4))):(row_of(strcol(1), strcol(2), strcol(3))):(0.47):(0.44): \
       (within(log2(ratio(strcol(12))))) with boxxyerror lc palette, \
     "" every ::1 using (position(layouts, strcol(4))):(row_of(strcol(1), strcol(2), strcol(3))): \
       (cell(strcol(12), strcol(7))):(ink(strcol(12))) \
       with labels textcolor rgb variable
