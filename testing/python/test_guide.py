# SPDX-License-Identifier: BSD-3-Clause
"""The examples of doc/python.rst are a program that runs."""
import pathlib
import re
import textwrap

PAGE = pathlib.Path(__file__).resolve().parents[2] / "doc/python.rst"


def test_examples_run():
    blocks = re.findall(r"^\.\. code-block:: python\n\n((?:   .*\n|\n)+)", PAGE.read_text(), re.M)
    assert len(blocks) == 8
    exec(compile("\n".join(map(textwrap.dedent, blocks)), str(PAGE), "exec"), {})
