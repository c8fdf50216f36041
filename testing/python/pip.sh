#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: pip.sh PYTHON PACKAGE VENV
# Installs the package by pip into a new virtual environment, without access to the internet, and uses it. The folder of
# the package must not change.
set -eu
if ! "$1" -c 'import ensurepip, setuptools, wheel'; then
  echo "ensurepip, setuptools or wheel is missing (Debian: python3-venv, python3-wheel)"
  exit 77
fi
rm -rf "$3" "$3.source"
cp -R "$2" "$3.source"
"$1" -m venv --system-site-packages "$3"
"$3/bin/pip" install -q --no-index --no-build-isolation --no-deps "$3.source"
diff -r "$2" "$3.source" || { echo "pip has changed the folder"; exit 1; }
cd /
"$3/bin/python" -c '
import numpy, sys, xredist
from mpi4py import MPI
assert xredist.__file__.startswith(sys.prefix), xredist.__file__
whole = xredist.Layout(mb=3, nb=3)
matrix = numpy.random.rand(3, 3)
assert (xredist.scatter(MPI.COMM_SELF, matrix, whole) == matrix).all()'
test -f "$3"/lib/python3*/site-packages/xredist/py.typed
"$3/bin/python" -m xredist
