# SPDX-License-Identifier: BSD-3-Clause
# How the time over the port bound grows with the number of processes, from the records of `simulate` (TIMING/measure
# has the runs): a curve for each algorithm; rows, the data of each process or the matrix being the same; columns, one
# and two dimensions.
#   gnuplot -e "csv='growth.csv'" growth.gnuplot                       writes growth.svg
#   gnuplot -e "csv='growth.csv'; kind='torus'; out='torus.svg'" growth.gnuplot
if (!exists("csv")) csv = "growth.csv"
if (!exists("out")) out = "growth.svg"
if (!exists("kind")) kind = "crossbar"
if (!exists("algorithms")) algorithms = "default optimal split caterpillar shifted scalapack at-once alltoallv"

set terminal svg size 1200,800 font "sans,13" background "white"
set output out
set datafile separator ","
set logscale xy 2
set xtics (16, 64, 256, 1024)
set xrange [12:1400]
set yrange [0.9:*]
set grid
set key outside right top reverse Left samplen 2

# What the column of cases says without the grids, "3x5:5x3", is the same for all numbers of processes. Those of one
# algorithm alone, for gnuplot breaks a curve at what it leaves out.
records(data, blocks, algorithm) = sprintf("< awk -F, -v OFS=, '{blocks = $2; gsub(/[0-9x]+\\//, \"\", blocks)} \
  $1 ~ /^%s-.*-%s$/ && blocks == \"%s\" && $6 == \"%s\" {print $5, $12}' '%s'", kind, data, blocks, algorithm, csv)

set multiplot layout 2,2
do for [data in "process matrix"] {
  do for [blocks in "3:5 3x5:5x3"] {
    set title sprintf("%s, %s, %s", kind, data eq "process" ? "same data per process" : "same matrix", blocks)
    set xlabel "processes"
    set ylabel "time / port bound"
    plot for [i = 1:words(algorithms)] records(data, blocks, word(algorithms, i)) using 1:2 \
      with linespoints linewidth 2 linetype i pointtype i title word(algorithms, i)
  }
}
unset multiplot
