# SPDX-License-Identifier: BSD-3-Clause
# Time of a call of PDGEMR2D of xredist, divided by the time of ScaLAPACK's routine, by kinds of cases. doc/pictures/draw
# runs this script.
set encoding utf8
set term svg size 900, 760 noenhanced font "sans-serif,13" background "white"
set output "times.svg"
set datafile separator ","
table = "../../TIMING/results/ratios.csv"
set border 1 lc rgb "#404040"
set tics nomirror out
set grid x lc rgb "#e0e0e0" lw 1 lt 1
unset key
set lmargin 44
set tmargin 3
set bmargin 4
set xrange [0:1.02]
unset ytics
set style fill solid noborder
set title "PDGEMR2D of xredist: time of a call / time of ScaLAPACK's routine (shorter is faster)" offset -14,0
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb "#c8502b" lw 2
set label "ScaLAPACK" at 1, graph 0.02 right offset -0.5,0 textcolor rgb "#c8502b"
set label "A row: m × n, process grids before → after, blocks before → after. 1x2@2: the grid begins at process 2." \
  at screen 0.02, screen 0.02 left textcolor rgb "#404040"

# The kind of a case, by its size, grids and blocks.
array heading = ["equal distributions", "other blocks", "other process grid", "slabs of rows to columns, or back", \
                 "small matrices"]
array colour = ["#777777", "#1f5fa8", "#3f8f5f", "#8a5fa8", "#b0802b"]
is_slab(m, n, block) = strstrt(block, m . "x") == 1 || strstrt(block . "|", "x" . n . "|") > 0
kind(m, n, ga, gb, ba, bb) = int(m) <= 200 ? 5 : is_slab(m, n, ba) && is_slab(m, n, bb) ? 4 : \
                             ga ne gb ? 3 : ba ne bb ? 2 : 1
case_kind = "kind(strcol(2), strcol(3), strcol(4), strcol(5), strcol(6), strcol(7))"
name(m, n, ga, gb, ba, bb) = sprintf("%s × %s, %s → %s, %s → %s", m, n, ga, gb, ba, bb)

# Each kind has a heading, and the rows below it.
array top[5]
rows = 0
do for [k = 1:5] {
  stats table every ::1 using (@case_kind == k ? 1 : NaN) nooutput
  top[k] = rows
  set label heading[k] at graph 0, first rows right offset -1,0 textcolor rgb colour[k] font ",13"
  rows = rows + STATS_records + 1.4
}
set yrange [rows - 0.6:-1]
last = 0  # kind of the row before
row(k, yes) = yes ? (number = k == last ? number + 1 : 1, last = k, top[k] + number) : NaN
plot for [k = 1:5] table every ::1 using ($9/2):(row(k, @case_kind == k)):($9/2):(0.35) with boxxyerror lc rgb colour[k], \
     for [k = 1:5] table every ::1 using 9:(row(k, @case_kind == k)):(sprintf("%.2f", $9)) \
         with labels left offset 0.5,0 textcolor rgb "#404040", \
     for [k = 1:5] table every ::1 using (0):(row(k, @case_kind == k)): \
         (name(strcol(2), strcol(3), strcol(4), strcol(5), strcol(6), strcol(7))) with labels right offset -1,0
