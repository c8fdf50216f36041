# SPDX-License-Identifier: BSD-3-Clause
"""Each code block of the README, the guide, the manual pages and the public headers compiles.

A block that begins with #include, program or subroutine is complete. Other blocks are statements, which become the body
of a procedure; names that they do not declare are in the files context.*. A function that a synopsis declares must agree
with the header.
usage: examples.py TREE LANGUAGE COMPILER [FLAG...]"""
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

TREE, LANGUAGE, *COMPILER = sys.argv[1:]
TREE = pathlib.Path(TREE).resolve()
CONTEXT = pathlib.Path(__file__).resolve().parent
GUIDE = [*(TREE / "doc").rglob("*.rst")]
MARKDOWN = [TREE / "README.md", TREE / "CONTRIBUTING.md", TREE / "src/README.md"]
HEADERS = [*(TREE / "include").rglob("*.h*"), *(TREE / "fortran").glob("*.f90")]
LEAST = {"c": 12, "c++": 1, "fortran": 12}  # fewer blocks than this are an error of the patterns below
STATEMENT = re.compile(r"(\)|\}|= .*);\s*(/[/*].*)?$|^\s*(use|call|type\(\w+\)) *\w", re.M | re.I)


class Block:
    def __init__(self, path, text, start, language, code):
        self.path, self.language = path, language
        self.line = text.count("\n", 0, start) + 1
        self.code = textwrap.dedent(code)
        self.place = f"{path.relative_to(TREE)}:{self.line}"

    def begins_with(self, pattern):
        return re.match(r"\s*(" + pattern + ")", self.code, re.I) is not None


def found(path, pattern, language_of):
    text = path.read_text()
    for match in re.finditer(pattern, text, re.M | re.S):
        yield Block(path, text, match.start("code"), language_of(match), match["code"])


def with_language():
    """Yields the code blocks that name their language."""
    def named(match):
        return match["language"]
    for path in GUIDE:
        yield from found(path, r"^\.\. code-block:: (?P<language>\S+)\n\n(?P<code>(?: +\S[^\n]*\n|\n)+)", named)
    for path in MARKDOWN:
        yield from found(path, r"^```(?P<language>[\w+]+)\n(?P<code>.*?)^```$", named)


def without_language():
    """Yields the literal blocks of documents that name no language."""
    for path in GUIDE:
        yield from found(path, r"::\n\n(?P<code>(?: +\S[^\n]*\n|\n)+)", lambda match: "")
    for path in MARKDOWN:
        yield from found(path, r"^\n(?P<code>(?: {4}[^\n]*\n|\n)+)", lambda match: "")


def in_headers():
    """Yields the indented blocks of comments that contain statements."""
    def guessed(match):
        if re.search(r"^\s*\W+\s+call ", match["code"], re.M | re.I):
            return "fortran"
        return "c++" if match["code"].lstrip().startswith("//") else "c"
    for path in HEADERS:
        for block in found(path, r"^(?: \*|//+|!!)\n(?P<code>(?:(?: \*|//+|!!)   [^\n]*\n)+)", guessed):
            block.code = textwrap.dedent(re.sub(r"^(?:\*|//+|!!)", "", block.code, flags=re.M))
            block.code = re.sub(r" \*/$", "", block.code)
            if STATEMENT.search(block.code):
                yield block


def program(block):
    """Returns the text of a file to be compiled."""
    if LANGUAGE == "fortran":
        if block.begins_with("program|module"):
            return block.code
        if block.begins_with("subroutine"):
            return f"interface\n{block.code}\nend subroutine\nend interface\nend\n"
        return f"include 'context.f90'\nsubroutine shown\n{block.code}\nend subroutine\nend program\n"
    line = f'#line {block.line} "{block.path.relative_to(TREE)}"\n'
    if block.begins_with("#include"):
        return "#include <stddef.h>\n" + line + block.code
    context = "context.h" if LANGUAGE == "c" else "context.hpp"
    return f'#include "{context}"\nvoid shown(void);\nvoid shown(void) {{\n{line}{block.code}\n}}\n'


class Examples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def compile(self, file):
        return subprocess.run([*COMPILER, f"-I{TREE / 'include'}", f"-I{CONTEXT}", "-fsyntax-only", file],
                              cwd=self.folder, capture_output=True, text=True, timeout=50)

    def test_each_compiles(self):
        suffix = {"c": ".c", "c++": ".cpp", "fortran": ".f90"}[LANGUAGE]
        if LANGUAGE == "fortran":
            for module in ("xredist", "xredist_mapping", "xredist_library", "xredist_solvers", "xredist_files"):
                done = self.compile(TREE / f"fortran/{module}.f90")
                self.assertEqual(done.returncode, 0, done.stderr)
        blocks = [block for block in [*with_language(), *in_headers()] if block.language == LANGUAGE]
        self.assertGreaterEqual(len(blocks), LEAST[LANGUAGE])
        for block in blocks:
            with self.subTest(block.place):
                file = pathlib.Path(self.folder, "shown" + suffix)
                file.write_text(program(block))
                done = self.compile(file)
                self.assertEqual(done.returncode, 0, f"{block.place}\n{block.code}\n{done.stderr}")

    def test_each_names_its_language(self):
        literal = list(without_language())
        self.assertGreater(len(literal), 10)
        for block in literal:
            self.assertNotRegex(block.code, STATEMENT, block.place)

    def test_each_included_file_is_built(self):
        included = {(path.parent / name).resolve() for path in GUIDE
                    for name in re.findall(r"^\.\. literalinclude:: (.*)$", path.read_text(), re.M)}
        self.assertGreater(len(included), 4)
        for file in included - set(HEADERS):
            if file.suffix == ".py":  # is not built; testing/integrations executes it
                continue
            build = (file.parent / "CMakeLists.txt").read_text()
            self.assertTrue(re.search(rf"\b({re.escape(file.name)}|{file.stem})\b", build), file)


unittest.main(argv=sys.argv[:1])
