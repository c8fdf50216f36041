#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: two_nodes.sh halves|parity LAUNCHER... -- PROGRAM...
# Runs an MPI program as if on two nodes: each process has one of two host names, by which the library tells which
# processes share its node. Each host name is set in a UTS namespace. Exits with 77 where that is not allowed.
if [ "$1" = --here ]; then  # on each process: --here DEAL PROGRAM...
  rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:?not under a launcher that is known}}
  size=${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:?}}
  if [ "$2" = parity ]; then node=$((rank % 2)); else node=$((2 * rank / size)); fi
  shift 2
  exec unshare $namespace sh -c "hostname node$node && exec \"\$@\"" sh "$@"
fi

deal=$1
shift
for namespace in --uts "--uts --map-root-user"; do
  unshare $namespace hostname node0 2>/dev/null && break
  namespace=
done
if [ -z "$namespace" ]; then
  echo "skipped: this system does not let a process have a host name of its own (unshare --uts)"
  exit 77
fi
export namespace

here=$0 count=$#
while [ "$count" -gt 0 ]; do  # puts itself before the program
  argument=$1
  shift
  count=$((count - 1))
  if [ "$argument" = -- ]; then set -- "$@" sh "$here" --here "$deal"; else set -- "$@" "$argument"; fi
done
exec "$@"
