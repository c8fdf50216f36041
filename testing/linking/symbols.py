# SPDX-License-Identifier: BSD-3-Clause
"""Checks the names that the drop-in's libraries define and need.

usage: symbols.py 32|64 NM READELF LIST SHARED STATIC OTHER...

The first argument is the size of integers in bits, OTHER the other shared libraries. LIST has all names that the shared
libraries export, in the format of dpkg-gensymbols: a name that goes breaks programs, and a name that comes must stay. A
line (regex)"..." stands for names that this test lists.
"""

import collections
import pathlib
import re
import subprocess
import sys

BITS = sys.argv[1]
LETTERS = "isdcz"
NAMES = {form.format(letter, suffix) for letter in LETTERS for suffix in (("", "_64") if BITS == "64" else ("",))
         for form in ("p{}gemr2d{}_", "p{}gemr2do{}_", "Cp{}gemr2d{}", "Cp{}gemr2do{}", "C{}gelacpy{}",
                      "p{}trmr2d{}_", "p{}trmr2do{}_", "Cp{}trmr2d{}", "Cp{}trmr2do{}", "C{}trlacpy{}")}
BLACS = {"Cblacs_abort", "Cblacs_gridinfo", "blacs_get_", "blacs_gridexit_", "blacs_gridinfo_", "blacs_gridmap_"}

PBLAS = {f"p{letter}{stem}_" for letter in "sdcz" for stem in ("geadd", "tradd")} | {
    f"p{stem}_" for stem in ("stran", "dtran", "ctranu", "ztranu", "ctranc", "ztranc")}

PIVOTS = {f"p{letter}{stem}_" for letter in "sdcz" for stem in (
    ("laswp", "lapiv", "laswp_64", "lapiv_64") if BITS == "64" else ("laswp", "lapiv"))}

PREFIXED = {"xredist_" + name for name in NAMES}

# Other names in the object files of ScaLAPACK that define NAMES. If this library defined one of them, a static link would
# fail, and in a shared link ScaLAPACK would call a function with another meaning.
HELPERS = {form.format(letter) for letter in LETTERS for form in (
    "{}gesetmemory", "{}gefreememory", "{}gescan_intervals",
    "{}trsetmemory", "{}trfreememory", "{}trscan_intervals", "{}trscanD0")} | {
    "mr2d_malloc", "pgcd", "ppcm", "localsize", "memoryblocksize", "checkequal", "paramcheck",
    "changeorigin", "localindice", "NEGFLAG"}

failures = []


def require(condition, message):
    if not condition:
        failures.append(message)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def listed(names):
    return " ".join(sorted(names)) or "none"


def lines_of(path):
    """Yields the lines of a list of symbols and of the files that it includes."""
    for line in path.read_text(encoding="utf-8").splitlines():
        included = re.match(r'#include "(.*)"', line)
        yield from lines_of(path.parent / included[1]) if included else [line]


def lists(path):
    """Returns the names, and the patterns, of each library, by its SONAME."""
    libraries = {}
    for line in lines_of(pathlib.Path(path)):
        if line.startswith("lib"):
            names, patterns = libraries.setdefault(line.split()[0], (set(), []))
        elif pattern := re.match(r' \(regex\)"(.*)" ', line):
            patterns.append(pattern[1])
        elif line.startswith(" "):
            names.add(line.split("@")[0].strip())
    return libraries


def main():
    nm, readelf, promised, shared, static, *others = sys.argv[2:]
    known = lists(promised)
    require(len(NAMES) == (100 if BITS == "64" else 50), "the lists of this test")

    def soname(library):
        return re.search(r"\(SONAME\).*\[(.*)\]", output(readelf, "-d", library)).group(1)

    families = {"prefixed": PREFIXED, "pblas": PBLAS, "pivots": PIVOTS, "pivots_ilp64": PIVOTS}
    for library in (shared, *others):
        name = soname(library).removeprefix("libxredist_").split(".")[0]
        family = NAMES | PREFIXED if library == shared else families.get(name, set())
        exported = {line.split()[-1] for line in output(nm, "-D", "--defined-only", library).splitlines()}
        names, patterns = known.get(soname(library), (set(), []))
        wanted = names | family
        require(exported == wanted, f"{soname(library)}: exports more ({listed(exported - wanted)}) "
                f"or less ({listed(wanted - exported)}) than {promised}")
        lacking = {name for name in family if not any(re.search(pattern, name + "@Base") for pattern in patterns)}
        require(not lacking, f"{promised}: {soname(library)} lacks {listed(lacking)}")
        for pattern in patterns:
            require(any(re.search(pattern, name + "@Base") for name in exported), f"{promised}: {pattern} is no name")

    members = collections.defaultdict(set)  # of the archive, by the symbols they define
    for line in output(nm, "-A", "-g", "--defined-only", static).splitlines():
        place, kind, name = line.rsplit(maxsplit=2)
        if kind not in "VWu":  # those may be defined many times
            members[name].add(place.split(":")[-2])
    homes = set().union(*(members[name] for name in NAMES))
    require(NAMES <= members.keys(), f"static: lacks {listed(NAMES - members.keys())}")
    require(len(homes) == 1, f"static: the names are in several object files ({listed(homes)})")
    with_prefix = set().union(*(members[name] for name in PREFIXED))
    require(PREFIXED <= members.keys() and not homes & with_prefix,
            f"static: names with a prefix are lacking or bring plain ones along ({listed(with_prefix)})")
    require(not HELPERS & members.keys(), f"static: defines ScaLAPACK's helpers {listed(HELPERS & members.keys())}")
    own = known[soname(shared)][0] | NAMES | PREFIXED
    foreign = {name for name in members.keys() - own if "7xredist" not in name and not name.startswith("__")}
    require(not foreign, f"static: names without a prefix of this library ({listed(foreign)})")

    dynamic = output(readelf, "-d", shared)
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    require(not any("scalapack" in name for name in needed), f"shared: needs {listed(needed)}")
    blacs = {name for name in output(nm, "-D", "--undefined-only", shared).split() if "blacs" in name.lower()}
    require(blacs == BLACS, f"shared: uses {listed(blacs)} of BLACS")
    require(any(re.match(r"libmpi(ch)?\.so", name) for name in needed), "shared: does not need libmpi")
    bindings = [name for name in needed if re.match(r"libmpi(_|ch(cxx|fort))", name)]
    require(not bindings, f"shared: needs MPI's bindings of other languages ({listed(bindings)})")
    library = "libxredist_scalapack" + ("_ilp64" if BITS == "64" else "")
    require(re.fullmatch(rf"{library}\.so\.(0\.\d+|[1-9]\d*)", soname(shared)), "shared: no SONAME with a version")

    print(f"exports {len(own)}; names in {listed(homes)}; needs {listed(needed)}")
    sys.exit("\n".join(failures) or 0)


main()
