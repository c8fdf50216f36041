# SPDX-License-Identifier: BSD-3-Clause
# Time of two hops divided by that of direct messages: a field for each number of processes and size of matrix, a panel
# for each pair of block sizes. k is the number of rounds of the default. doc/pictures/draw runs this script.
set encoding utf8
set terminal svg size 900,640 font "sans-serif,13" background "white"
set output "sizes.svg"
set datafile separator ","
set datafile missing NaN
csv = "../../TIMING/results/networks-sizes.csv"
set border 3 lw 1 lc rgb "#404040"
set tics nomirror out
set logscale xy 4
set xrange [8:2048]
set yrange [4**4.5:4**11.5]
set xtics (16, 64, 256, 1024) scale 0
set ytics ("1 KiB" 4**5, "4 KiB" 4**6, "16 KiB" 4**7, "64 KiB" 4**8, "256 KiB" 4**9, "1 MiB" 4**10, "4 MiB" 4**11) scale 0
set xlabel "processes"
unset key
set colorbox user horizontal origin 0.25,0.1 size 0.5,0.025
set cbtics ("1/4" -2, "1/2" -1, "1: equal" 0, "2" 1, "4" 2) scale 0
set cblabel "time of two hops / time of direct messages: the number in a field. k: rounds that the library chooses (1: direct)" offset 0,0.3
set style fill solid noborder
set palette maxcolors 64 defined (-2 "#1f5fa8", 0 "#ffffff", 2 "#c8502b")  # equal distances from white for x and 1/x
set cbrange [-2:2]
log2(x) = log(x) / log(2)
within(x) = x < -2 ? -2 : x > 2 ? 2 : x
field(size) = 4 ** floor(log(size) / log(4) + 0.5)
of(blocks, x) = strcol(1) eq blocks ? x : NaN
set multiplot layout 1,2 margins 0.13,0.98,0.27,0.87 spacing 0.09 \
  title "Two hops (blue: faster) or direct messages (red: faster), on a simulated network"
do for [blocks in "'3x5 -> 5x3' '7x11 -> 11x7'"] {
  set title "blocks " . blocks
  set ylabel blocks eq "3x5 -> 5x3" ? "matrix: bytes of each process" : ""
  plot csv using (of(blocks, $2)):(field($3)):($2/1.95):($2*1.95):(field($3)/1.95):(field($3)*1.95):(within(log2($5))) \
         with boxxyerror lc palette, \
       "" using (of(blocks, $2)):(field($3)):(sprintf("%.2f\nk = %d", $5, $7)):(abs(log2($5)) > 1.2 ? 0xffffff : 0) \
         with labels offset 0,0.5 textcolor rgb variable
  unset colorbox
}
unset multiplot
