#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tarball.sh SOURCE WORK [PYTHON MPI MPIEXEC]
# Makes the tarball of a release twice. Both have the same bytes and all files of the last commit, and the recipes have the
# version and the checksum. With PYTHON, which has numpy and mpi4py: from the tarball alone, outside of a repository and
# without ../shared, README's two commands build and pass; the scripts of conda-forge's recipe, which are `cmake --install`
# and `pip install`, install the library and the Python package; and the smoke test and the package's own test pass.
set -e
source=$1 work=$2 python=${3-} mpi=${4-} mpiexec=${5-}
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
recipes=$work/two/recipes
[ "$(grep -rl "$sum" "$recipes" | wc -l)" -eq 4 ] || fail "not all four recipes have the checksum"
[ "$(grep -rlF "$version" "$recipes" | wc -l)" -eq 4 ] || fail "not all four recipes have the version"
[ "$(find "$recipes" -name "xredist-$version-*.eb" | wc -l)" -eq 1 ] || fail "the easyconfig has another name"
! grep -r -e 'xredist[.]invalid' -e '0000000000' -e '0[.]0[.]0' "$recipes" || fail "a recipe has no address or checksum"
[ -n "$python" ] || exit 0

tar -xzf "$work/one/$name" -C "$work"
cd "$work/xredist-$version"
export GIT_CEILING_DIRECTORIES="$work" PREFIX="$work/prefix" mpi CMAKE_ARGS="-DXREDIST_MPI=$mpi"
./quickstart
./quickstart test
"$python" -m venv --system-site-packages "$PREFIX"
bash packaging/conda-forge/build-library.sh
PYTHON=$PREFIX/bin/python bash packaging/conda-forge/build-python.sh
PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig \
  sh "$source/testing/packaging/make.sh" "$work/smoke" "$PREFIX/share/xredist/testing/Makefile" MPIEXEC="$mpiexec"
cd "$work"
"$mpiexec" -n 2 "$PREFIX/bin/python" -m xredist
