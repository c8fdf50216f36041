# SPDX-License-Identifier: BSD-3-Clause
# Where two hops win and where direct messages do, from records of `simulate` with both: a field for each number of
# processes and size of matrix, with the time of two hops divided by that of direct messages; a panel for each pair of
# block sizes.
#   gnuplot -e "csv='sizes.csv'" sizes.gnuplot                         writes sizes.svg
if (!exists("csv")) csv = "sizes.csv"
if (!exists("out")) out = "sizes.svg"

# Processes, bytes of each in powers of 4, ratio. A ratio to what did not end is not drawn.
ratios(blocks) = sprintf("< awk -F, '{of = $2; gsub(/[0-9x]+\\//, \"\", of)} \
  of == \"%s\" {key = $5 \" \" 4 ^ int(log(8 * $3 * $4 / $5) / log(4) + .5); seconds[key, $6] = $9; keys[key]} \
  END {for (key in keys) if ((key, \"direct\") in seconds && (key, \"two-hop\") in seconds) \
    print key, seconds[key, \"two-hop\"] / seconds[key, \"direct\"]}' '%s'", blocks, csv)
blocks = system(sprintf( \
  "awk -F, '$6 == \"two-hop\" {gsub(/[0-9x]+\\//, \"\", $2); if (!seen[$2]++) print $2}' '%s'", csv))

set encoding utf8
set terminal svg size 430 * words(blocks) + 70, 480 font "sans,13" background "white"
set output out
set multiplot layout 1, words(blocks) title "Time of two hops divided by that of direct messages" font ",15"
set logscale xy 4
set xrange [8:2048]
set yrange [4**5.5:4**11.5]
set xtics (16, 64, 256, 1024) scale 0
set ytics ("4 KB" 4**6, "16 KB" 4**7, "64 KB" 4**8, "256 KB" 4**9, "1 MB" 4**10, "4 MB" 4**11) scale 0
set xlabel "processes"
unset key
unset colorbox
set style fill solid border linecolor rgb "#d0d0d0"
set palette defined (-2 "#1f5fa8", 0 "#ffffff", 2 "#c8502b")  # as much above 1 as below it is as far from white
set cbrange [-2:2]
log2(x) = log(x) / log(2)
within(x) = x < -2 ? -2 : x > 2 ? 2 : x
do for [i = 1:words(blocks)] {
  set title system(sprintf("echo '%s' | sed 's/:/ → /'", word(blocks, i)))
  set ylabel (i == 1 ? "matrix: bytes of each process" : "")
  plot ratios(word(blocks, i)) using 1:2:($1/1.95):($1*1.95):($2/1.95):($2*1.95):(within(log2($3))) \
         with boxxyerror linecolor palette, \
       "" using 1:2:(sprintf("%.2f", $3)):(abs(log2($3)) > 1.2 ? 0xffffff : 0) with labels textcolor rgb variable
}
unset multiplot
