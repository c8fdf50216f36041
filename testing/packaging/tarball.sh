#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tarball.sh SOURCE WORK [quickstart]   makes the tarball of a release twice. Both have the same bytes and all
# files of the last commit, and the recipes have its checksum. quickstart: from the tarball alone, outside of a repository
# and without ../shared, README's first command builds and runs an example.
set -e
source=$1 work=$2
version=$(sed -n 's/.*define XREDIST_VERSION "\(.*\)"/\1/p' "$source/include/xredist/version.h")
fail() { echo "FAILED: $*"; exit 1; }

rm -rf "$work"
mkdir -p "$work"
"$source/packaging/release" "$work/one" >/dev/null
"$source/packaging/release" "$work/two" https://example.org/xredist >/dev/null
name=xredist-$version.tar.gz
cmp "$work/one/$name" "$work/two/$name"
(cd "$work/one" && sha256sum -c "$name.sha256")
sum=$(cut -d' ' -f1 "$work/one/$name.sha256")

git -C "$source" ls-tree -r --name-only HEAD | sort >"$work/committed"
tar -tzf "$work/one/$name" | sed -n "s|^xredist-$version/||p" | grep -v '/$' | sort >"$work/packed"
grep -v '^$' "$work/packed" | diff "$work/committed" - || fail "the tarball has other files than the commit"
[ "$(grep -rl "$sum" "$work/two/recipes" | wc -l)" -eq 4 ] || fail "not all four recipes have the checksum"
! grep -r -e 'xredist[.]invalid' -e '0000000000' "$work/two/recipes" || fail "a recipe has no address or checksum"
[ "${3-}" = quickstart ] || exit 0

tar -xzf "$work/one/$name" -C "$work"
cd "$work/xredist-$version"
GIT_CEILING_DIRECTORIES=$work ./quickstart
