# SPDX-License-Identifier: BSD-3-Clause
"""Compares the binary interface of the public C headers with that of the headers which kept.h keeps.

usage: abi.py compare CC INCLUDE NM LIBRARY...   fails if abidiff finds a difference, or no library exports a function
       abi.py keep CC INCLUDE                    writes today's headers to kept.h, without comments

The libraries' own debug information describes all of their C++: abidw would read one library for 20 s. The functions of
the interface are C, and the compiler refuses definitions that differ from the headers. So a variable stands for a
library: a struct of pointers to all functions that kept.h declares, once with each size of xredist_int. A function or a
type that differs changes this struct. MPI's handles are stand-ins, so the result does not depend on MPI.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

KEPT = pathlib.Path(__file__).resolve().parent / "kept.h"
HEADERS = ("version", "log", "xredist", "array", "relabel", "fit", "file", "blacs", "gridmap", "pblas", "scalapack")
MPI = "typedef struct any_communicator* MPI_Comm;\ntypedef struct any_request* MPI_Request;\n"
FILTERS = ("--harmless", "--no-show-locs", "--no-linkage-name")

# Changes of headers that the comparison must find: a header, a pattern, and its replacement.
BREAKING = (
    ("xredist.h", r"int64_t reserved\[5\]", "int64_t reserved[6]"),          # a struct grows
    ("xredist.h", r"int64_t mb XREDIST_ZERO, nb", "int mb XREDIST_ZERO, nb"),  # members change their type
    ("xredist.h", r"(int rsrc XREDIST_ZERO), csrc", r"int csrc XREDIST_ZERO, rsrc"),  # members change their places
    ("xredist.h", r"XREDIST_PEER_FAILED = 4", "XREDIST_PEER_FAILED = 7"),
    ("array.h", r"XREDIST_MAX_DIMS = 15", "XREDIST_MAX_DIMS = 16"),
    ("fit.h", r"(int xredist_rules_for\(const char\* solver,) xredist_rules\*", r"\1 void*"),
    ("blacs.h", r"const xredist_int\* desca, const xredist_int\*", "const int64_t* desca, const xredist_int*"),
    ("relabel.h", r"int xredist_relabel\(", "int xredist_relabel_again("),  # a function goes
)
# A change that it must allow.
NEW_FUNCTION = ("version.h", r"(XREDIST_API) const char\* xredist_version", r"\1 int xredist_age(void);\n\g<0>")


def run(*command, **options):
    return subprocess.run([str(word) for word in command], text=True, capture_output=True, **options)


def inlined(include, name, done):
    """Returns the text of a public header without its includes of other public headers, which precede it once."""
    if name in done:
        return ""
    if name not in ("begin.h", "end.h"):  # which have no guard
        done.add(name)
    text = (include / "xredist" / name).read_text(encoding="utf-8")
    return re.sub(r'#include "xredist/(.*)"\n', lambda found: inlined(include, found[1], done), text)


def in_one(compiler, include):
    """Returns the public headers as one, without comments."""
    done = set()
    text = "".join(inlined(include, f"{name}.h", done) for name in HEADERS)
    return run(compiler, "-fpreprocessed", "-dD", "-E", "-P", "-x", "c", "-", input=text, check=True).stdout


def declared(compiler, folder, *flags):
    """Returns the functions that the header headers.h of the folder declares for export."""
    text = run(compiler, "-E", "-P", *flags, f"-I{folder}", folder / "headers.h", check=True).stdout
    functions = re.findall(r'__attribute__\(\(visibility\("default"\)\)\)[^;]*?\b(\w+)\(', text)
    return sorted(set(functions))


def prepare(folder, header):
    folder.mkdir()
    (folder / "mpi.h").write_text(MPI, encoding="utf-8")
    (folder / "headers.h").write_text(header, encoding="utf-8")
    return folder


def library(compiler, folder, functions, *flags):
    """Compiles the variable that stands for the libraries. Returns the file, or the message of the compiler."""
    members = "".join(f"  __typeof__(&{name}) to_{name};\n" for name in functions)
    (folder / "interface.c").write_text(
        f'#include "headers.h"\nstruct interface {{\n  xredist_code codes;\n{members}}};\n'
        "struct interface xredist_interface;\n", encoding="utf-8")
    out = folder / "interface.so"
    done = run(compiler, "-g", "-shared", "-fPIC", *flags, f"-I{folder}", folder / "interface.c", "-o", out)
    return (out, "") if done.returncode == 0 else (None, done.stderr)


def differences(compiler, work, kept, header):
    """Returns what a program that was compiled with the kept header would miss in the other one, as text."""
    for name, flags in (("lp64", ()), ("ilp64", ("-DXREDIST_ILP64",))):
        before, after = (prepare(work / f"{name}-{side}", text) for side, text in (("kept", kept), ("today", header)))
        functions = declared(compiler, before, *flags)
        assert len(functions) > 150, functions
        then, message = library(compiler, before, functions, *flags)
        assert then, message
        now, message = library(compiler, after, functions, *flags)
        if now:
            done = run("abidiff", *FILTERS, then, now)
            message = done.stdout + done.stderr if done.returncode else ""
        if message:
            return f"{name}:\n{message}"
    return ""


def compare(compiler, include, nm, *libraries):
    if not shutil.which("abidiff"):
        print("skipped: abidiff is not installed (Debian: abigail-tools)")
        sys.exit(77)
    failures = []
    kept = KEPT.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)

        def differing(place, include):
            (work / place).mkdir()
            return differences(compiler, work / place, kept, in_one(compiler, include))

        def changed(place, header, pattern, replacement):
            tree = work / f"include-{place}"
            shutil.copytree(include, tree)
            file = tree / "xredist" / header
            text, count = re.subn(pattern, replacement, file.read_text(encoding="utf-8"))
            assert count, f"{header} has no {pattern}"
            file.write_text(text, encoding="utf-8")
            return differing(place, tree)

        if found := differing("today", include):
            sys.exit(f"{found}doc/promises.rst says what may change, packaging/RELEASING.md how kept.h is renewed")
        for number, change in enumerate(BREAKING):
            if not changed(f"breaking{number}", *change):
                failures.append(f"not found: {' '.join(change)}")
        if found := changed("addition", *NEW_FUNCTION):
            failures.append(f"a new function is no difference, but:\n{found}")
        names = declared(compiler, prepare(work / "names", in_one(compiler, include)))
    exported = {line.split()[-1] for library in libraries
                for line in run(nm, "-D", "--defined-only", library, check=True).stdout.splitlines()}
    if lacking := sorted(set(names) - exported):
        failures.append(f"no library exports {' '.join(lacking)}")
    print(f"{len(names)} functions; {len(BREAKING)} changes were tried")
    sys.exit("\n".join(failures) or 0)


def keep(compiler, include):
    text = in_one(compiler, include)
    KEPT.write_text("/* SPDX-License-Identifier: BSD-3-Clause */\n"
                    "/* The public headers of C as abi.py has kept them. A program of the tests is built with them. */\n"
                    + text, encoding="utf-8")
    subprocess.run(["clang-format", "-i", KEPT], check=True)


mode, cc, folder, *rest = sys.argv[1:]
{"compare": compare, "keep": keep}[mode](cc, pathlib.Path(folder).resolve(), *rest)
