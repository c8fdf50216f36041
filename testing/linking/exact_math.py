# SPDX-License-Identifier: BSD-3-Clause
"""The sources of the library are compiled, and its shared libraries linked, without -ffast-math: the last options win.

usage: exact_math.py BUILD FOLDER...    FOLDER: of sources
"""

import json
import pathlib
import re
import sys

BUILD = pathlib.Path(sys.argv[1])
FOLDERS = sys.argv[2:]
EXACT = "-fno-fast-math", "-fno-unsafe-math-optimizations"


def flags_of(command):
    """Returns the flags that change the arithmetic or the start-up code, in their order."""
    return re.findall(r"(?<=\s)(-O\w*|-f(?:no-)?(?:fast-math|unsafe-math-optimizations))(?=\s)", command + " ")


def sources_of(file):
    """Returns the sources that a command compiles: those that a unit of CMake's unity builds includes, or the file."""
    if "/Unity/" not in file:
        return [file]
    return re.findall(r'(?m)^#include "(.+)"$', pathlib.Path(file).read_text())


def compilations():
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        for source in sources_of(entry["file"]):
            if source.startswith(tuple(FOLDERS)):
                yield source, flags_of(entry["command"])


def links():
    """Yields each shared library of the build with its flags: of Ninja, or of Make."""
    ninja = BUILD / "build.ninja"
    if ninja.exists():
        blocks = re.findall(r"(?m)^build (lib/\S+): CXX_(?:SHARED|MODULE)_LIBRARY_LINKER.*\n((?:  .*\n)+)", ninja.read_text())
        for library, settings in blocks:
            values = dict(re.findall(r"(?m)^  (\w+) = (.*)$", settings))
            yield library, flags_of(f" {values.get('LANGUAGE_COMPILE_FLAGS', '')} {values.get('LINK_FLAGS', '')}")
    else:
        for file in BUILD.glob("*/CMakeFiles/*.dir/link.txt"):
            command = file.read_text()
            if re.search(r" -o \S*lib/(?:xredist/)?libxredist\S*[.]so", command):
                yield file.parent.name, flags_of(command)


def checked(name, found, least, last_level):
    found = list(found)
    wrong = [place for place, flags in found
             if [flag for flag in flags if flag[1] == "f"][-2:] != list(EXACT)
             or (last_level and [flag for flag in flags if flag[1] == "O"][-1:] != ["-O3"])]
    print(f"{name}: {len(found)} commands, wrong: {wrong or 'none'}")
    return len(found) >= least and not wrong


sys.exit(not all([checked("compilations", compilations(), 100, False), checked("links", links(), 5, True)]))
