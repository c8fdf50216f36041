# SPDX-License-Identifier: BSD-3-Clause
# Style of all plots. The command line sets out; plots of papers also take dir and papers, and set width and height.
set encoding utf8
set datafile separator ","
set datafile missing NaN
set border 3 lw 1 lc rgb "#404040"
set tics nomirror out
set grid lc rgb "#e0e0e0" lw 1 lt 1
set key samplen 2 spacing 1.1
c1 = "#1f5fa8"; c2 = "#c8502b"; c3 = "#3a8f4d"; c4 = "#8a5aa8"; c5 = "#9a7b1f"; grey = "#808080"
if (!exists("width")) { width = 900; height = 400 }
set term svg size width, height font "sans-serif,13" background "white"
set output out
