# SPDX-License-Identifier: BSD-3-Clause
# Sourced by all scripts. A script has a variable for each of its options, and a function `usage`.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export LC_ALL=C  # awk, sort and numfmt read and write numbers with a point

wrong() {
  usage >&2
  exit 2
}

# options "NAME ..." ARGUMENT...: --NAME VALUE sets the variable of that name, with _ in place of -. The arguments after
# -- become the array `more`.
options() {
  local names=" $1 " name
  more=()
  while shift && [ $# -gt 0 ]; do
    name=${1#--}
    if [ "$1" = --help ]; then usage; exit 0; fi
    if [ "$1" = -- ]; then more=("${@:2}"); return; fi
    [[ $1 = --* && $names == *" $name "* && $# -gt 1 ]] || wrong
    printf -v "${name//-/_}" %s "$2"
    shift
  done
}

# Checks the options --per-node and --map-by.
check_placement() {
  [[ $per_node =~ ^[1-9][0-9]*$ ]] && [[ $map_by = slot || $map_by = node ]] || wrong
}

# Prints the number of nodes for the name of a network: 16, 4x4 with four processes on each, 4x4-by-node.
nodes_text() {
  ((per_node == 1)) && echo "$1" || echo "$1x$per_node$([ "$map_by" = slot ] || echo -by-node)"
}

# records NAMES VALUES FILE: prints the records of xdredist, with columns before them, and the header the first time.
records() {
  [ -n "${has_header:-}" ] || sed -n "1s/^/${1:+$1,}/p" "$3"
  has_header=1
  sed "1d; s/^/${1:+$2,}/" "$3"
}

skip() {
  echo "${0##*/}: skipped: $*" >&2
  exit 0
}
