#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: limited.sh MPIEXEC FLAG PROGRAM [OPTION...]   an array that has 60 % of the memory of a cgroup moves if the
# execution consumes A, and the system kills the program if it does not. Skipped where no cgroup can be made.
set -eu
mpiexec=$1 flag=$2 program=$3
shift 3
limit=$((256 * 1024 * 1024 * 10 / 6))  # bytes; the array has 256 MiB on four processes
work=$(mktemp -d)
group=
clean() {
  [ -z "$group" ] || rmdir "$group" 2>/dev/null || { sleep 1; rmdir "$group"; } || true
  umount "$work" 2>/dev/null || true
  rmdir "$work"
}
trap clean EXIT
skip() { echo "skipped: $1"; exit 77; }

# The controller of version 2, or of version 1, mounted already or here.
root=/sys/fs/cgroup
if grep -qsw memory $root/cgroup.controllers; then
  file=memory.max
  echo +memory >$root/cgroup.subtree_control || skip "memory cannot be controlled in $root"
else
  file=memory.limit_in_bytes
  root=$(awk '$3 == "cgroup" && $4 ~ /(^|,)memory(,|$)/ {print $2; exit}' /proc/mounts)
  if [ -z "$root" ]; then
    mount -t cgroup -o memory none "$work" 2>/dev/null || skip "no cgroup of memory can be mounted"
    root=$work
  fi
fi
mkdir "$root/xredist.$$" 2>/dev/null || skip "no cgroup can be made in $root"
group=$root/xredist.$$
echo $limit >"$group/$file" || skip "the memory of a cgroup cannot be limited"
[ ! -f "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"

# limited MOVE: runs the program in the cgroup.
limited() {
  sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$mpiexec" "$flag" 4 "$@" "$program" "$move"
}
killed() { cat "$group"/memory.events "$group"/memory.oom_control 2>/dev/null | awk '$1 == "oom_kill" {print $2}'; }

for move in consume huge; do
  status=0
  limited "$@" || status=$?
  [ "$(killed)" = 0 ] || { echo "the system has killed the move that consumes A ($move)"; exit 1; }
  [ $status = 0 ] || { echo "the move that consumes A has failed ($move)"; exit 1; }
done
move=copy
if limited "$@"; then echo "the move that keeps A was not killed"; exit 1; fi
[ "$(killed)" -gt 0 ] || { echo "the move that keeps A has failed, but was not killed"; exit 1; }
echo "an array of 256 MiB moved in $((limit / 1048576)) MiB"
