#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compare.sh FIRST SECOND [NAME NAME] : prints two outputs of solve side by side. Succeeds if both runs
# passed, all residuals are below the tolerance, and all results agree to a relative 1e-9.
set -eu
[ $# -eq 2 ] || [ $# -eq 4 ] || { echo "usage: compare.sh FIRST SECOND [NAME NAME]" >&2; exit 2; }
LC_ALL=C exec awk -v name1="${3:-first}" -v name2="${4:-second}" '
  function row(title, key, format) {
    printf "%-40s", title
    for (f = 1; f <= 2; f++) printf "%22s", (f, key) in value ? sprintf(format, value[f, key]) : "-"
    print ""
  }
  function differs(reason) { print "the results differ: " reason; bad = 1 }
  function both(key,  f) {
    for (f = 1; f <= 2; f++)
      if (!((f, key) in value)) { differs("no " key " from " (f == 1 ? name1 : name2)); return 0 }
    return 1
  }
  function below(key, limit,  f) {
    if (both(key) && both(limit))
      for (f = 1; f <= 2; f++) if (!(value[f, key] + 0 <= value[f, limit] + 0)) differs(key " " value[f, key])
  }
  function same(key,  a, b) {
    if (!both(key)) return
    a = value[1, key] + 0; b = value[2, key] + 0
    if (!((a - b) * (a - b) <= 1e-18 * a * a)) differs(key " " value[1, key] " " value[2, key])
  }
  FNR == 1 { file++ }
  { sub(/\r$/, "") }
  NF == 2 && $1 !~ /[#:]/ { value[file, $1] = $2 }
  END {
    printf "%-40s%22s%22s\n", "", name1, name2
    row("||A x - b|| / (||A|| ||x||)", "solve_residual", "%.3e")
    row("||A V - V Lambda|| / ||A||", "eigen_residual", "%.3e")
    row("smallest eigenvalue", "lambda_min", "%.12g")
    row("largest eigenvalue", "lambda_max", "%.12g")
    row("one redistribution, median, seconds", "redistribution_median", "%.6f")
    row("all redistributions, seconds", "redistribution_total", "%.6f")
    for (f = 1; f <= 2; f++)
      if (value[f, "status"] != "passed") differs((f == 1 ? name1 : name2) " has not passed")
    below("solve_residual", "tolerance"); below("eigen_residual", "tolerance"); below("orthogonality", "tolerance")
    same("n"); same("tolerance"); same("x_checksum")
    same("lambda_min"); same("lambda_max"); same("lambda_checksum")
    if (!bad) print "the results agree to 1e-9"
    exit bad
  }' "$1" "$2"
