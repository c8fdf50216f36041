#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: debian.sh QUICKSTART
# Runs quickstart with an apt-get that another program locks at first: quickstart waits, and installs what each command
# needs and no more. Nothing is installed.
set -eu
quickstart=$1
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
for tool in bash dirname env; do ln -s "$(command -v $tool)" "$bin/$tool"; done
fake() { cat >"$bin/$1" && chmod +x "$bin/$1"; }
printf '#!%s/bash\n' "$bin" | tee "$bin/sleep" "$bin/dpkg-query" >/dev/null  # nothing is installed
chmod +x "$bin/sleep" "$bin/dpkg-query"
printf '#!%s/bash\necho 0\n' "$bin" | fake id
fake apt-get <<END
#!$bin/bash
if [ "\$1" = update ] && [ ! -e $bin/tried ]; then
  : >$bin/tried
  echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)" >&2
  exit 100
fi
echo "apt-get \$*"
END
# expect COMMAND PACKAGE OTHER...: the command installs the package, and not the others
expect() {
  command=$1 package=$2
  shift 2
  rm -f "$bin/tried"
  # shellcheck disable=SC2086  # no argument, or one
  output=$(PATH=$bin "$bin/bash" "$quickstart" $command 2>&1) || true  # without cmake, all but `packages` fail later
  echo "$output"
  line=$(echo "$output" | grep '^apt-get install .*DPkg::Lock::Timeout=') || { echo "nothing was installed"; exit 1; }
  case " $line " in *" $package "*) ;; *) echo "$package is not installed"; exit 1 ;; esac
  for other; do
    case " $line " in *" $other "*) echo "$other is not needed"; exit 1 ;; esac
  done
}
expect "" libscalapack-openmpi-dev libgtest-dev valgrind gnuplot-nox
expect test libgtest-dev valgrind gnuplot-nox libcli11-dev
expect packages valgrind
