#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
set -eu
"$PYTHON" -m pip install --no-deps --no-build-isolation ./python
