# SPDX-License-Identifier: BSD-3-Clause
# Style of both plots. The command line sets out.
set encoding utf8
set datafile separator ","
set datafile missing NaN
set border 3 lw 1 lc rgb "#404040"
set tics nomirror out
set grid lc rgb "#e0e0e0" lw 1 lt 1
set key samplen 2 spacing 1.1
c1 = "#1f5fa8"; c2 = "#c8502b"; c3 = "#3a8f4d"; grey = "#808080"
set output out
