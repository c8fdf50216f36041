#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: pages.sh MAN
# Checks that groff and mandoc have no warnings for the manual pages under MAN, and that each alias leads to a page.
set -u
cd "$1" || exit 1
failed=0 pages=0
for page in man?/*; do
  pages=$((pages + 1))
  if grep -q '^\.so ' "$page"; then
    [ -f "$(sed -n 's/^\.so //p' "$page")" ] || { echo "$page leads to no page"; failed=1; }
    continue
  fi
  warnings=$(LC_ALL=C.UTF-8 MAN_DISABLE_SECCOMP=1 MANROFFSEQ='' MANWIDTH=80 \
    man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null) || failed=1
  [ -z "$warnings" ] || { printf '%s: %s\n' "$page" "$warnings"; failed=1; }
  if command -v mandoc >/dev/null; then
    mandoc -T lint -W error "$page" || failed=1
  else
    mandoc_missing=1
  fi
done
[ $pages -gt 0 ] || { echo "no pages"; failed=1; }
echo "$pages pages${mandoc_missing:+; mandoc is not installed, so only man has read them}"
exit $failed
