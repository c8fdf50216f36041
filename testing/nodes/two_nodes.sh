#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: two_nodes.sh halves|parity LAUNCHER... -- PROGRAM...
# Runs an MPI program as if on two nodes: each process gets one of two host names, in a UTS namespace, and the library
# takes processes with equal host names for processes of one node. Exits with 77 where namespaces are not allowed.
if [ "$1" = --here ]; then  # runs on each process: --here DEAL PROGRAM...
  rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:?unknown launcher}}
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
while [ "$count" -gt 0 ]; do  # put this script before the program
  argument=$1
  shift
  count=$((count - 1))
  if [ "$argument" = -- ]; then set -- "$@" sh "$here" --here "$deal"; else set -- "$@" "$argument"; fi
done
exec "$@"
