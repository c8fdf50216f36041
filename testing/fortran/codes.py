# SPDX-License-Identifier: BSD-3-Clause
"""usage: codes.py XREDIST.H XREDIST.F90: compares the names and values of the codes in C and in module xredist."""
import re
import sys


def codes(path, body, public=None):
    """Returns name -> value of all `xredist_name = value` inside the text that `body` matches."""
    with open(path, encoding="utf-8") as file:
        text = file.read().lower()
    found = re.search(body, text, re.DOTALL)
    assert found, f"{path} has no codes"
    values = dict(re.findall(r"\b(xredist_\w+) *= *(\d+)", found[0]))
    if public:
        exported = set(re.findall(r"\bxredist_\w+", " ".join(re.findall(public, text))))
        assert set(values) <= exported, f"{path}: private: {sorted(set(values) - exported)}"
    return values


in_c = codes(sys.argv[1], r"xredist_success = 0.*?}")
in_fortran = codes(sys.argv[2], r"parameter :: xredist_success = 0(.*?&\n)*.*?\n", public=r"public ::(.*)")
assert len(in_c) >= 7, in_c
assert in_c == in_fortran, f"C and Fortran differ: {sorted(set(in_c.items()) ^ set(in_fortran.items()))}"
