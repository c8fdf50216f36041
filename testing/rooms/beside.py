# SPDX-License-Identifier: BSD-3-Clause
"""A room beside the others includes the public headers and its own ones: no other header of src is in its include path.

beside.py CXX SRC ROOM FOLDER...: the folders of the room's include path; ROOM is a folder of SRC.
"""
import pathlib
import subprocess
import sys

compiler, src, room, *folders = sys.argv[1:]
src = pathlib.Path(src)
own = src / room


def compiles(header):
    """Returns whether a source of the room may include a header, whatever that includes in turn."""
    done = subprocess.run([compiler, "-std=c++20", "-E", "-o", "/dev/null", "-x", "c++", "-"]
                          + [f"-I{folder}" for folder in folders], input=f'#include "{header}"\n', text=True,
                          stderr=subprocess.PIPE, check=False)
    return done.returncode == 0, done.stderr


headers = [path.relative_to(src) for path in sorted(src.glob("*/*.hpp")) if own not in path.parents]
assert len(headers) > 50, headers
for header in headers:
    found, _ = compiles(header)
    assert not found, f"{room} can include {header}"
own_headers = sorted(own.glob("*/*.hpp"))
assert own_headers
for header in own_headers:
    found, reason = compiles(header.relative_to(own))
    assert found, reason
for source in sorted(own.glob("*/*.?pp")):
    for line in source.read_text().splitlines():
        assert not line.startswith('#include ".'), f"{source}: {line}"
