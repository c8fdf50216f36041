# SPDX-License-Identifier: BSD-3-Clause
# Time of a call of PDGEMR2D of xredist, divided by the time of ScaLAPACK's routine. doc/pictures/draw runs this script.
set encoding utf8
set term svg size 900, 640 noenhanced font "sans-serif,13" background "white"
set output "times.svg"
set datafile separator ","
table = "../../TIMING/results/ratios.csv"
set border 1 lc rgb "#404040"
set tics nomirror out
set grid x lc rgb "#e0e0e0" lw 1 lt 1
unset key
set lmargin 46
set xrange [0:1.02]
set yrange [*:*] reverse
set style fill solid noborder
set xlabel "time of a call of xredist / time of ScaLAPACK's routine"
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb "#c8502b" lw 2
set label "ScaLAPACK" at 1, graph 0.04 right offset -0.5,0 textcolor rgb "#c8502b"
name(m, n, ga, gb, ba, bb) = sprintf("%s × %s, %s → %s, %s → %s", m, n, ga, gb, ba, bb)
plot table every ::1 using ($9/2):0:($9/2):(0.35):ytic(name(strcol(2), strcol(3), strcol(4), strcol(5), strcol(6), strcol(7))) \
       with boxxyerror lc rgb "#1f5fa8", \
     "" every ::1 using 9:0:(sprintf("%.2f", $9)) with labels left offset 0.5,0 textcolor rgb "#404040"
