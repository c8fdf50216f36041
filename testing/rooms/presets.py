# SPDX-License-Identifier: BSD-3-Clause
"""Presets of tests choose by labels, which exist; names that they exclude are short.

presets.py TREE BUILD
"""
import json
import pathlib
import re
import subprocess
import sys

tree, build = sys.argv[1:]
labels = set(subprocess.run(["ctest", "--test-dir", build, "-C", "Long", "--print-labels"], capture_output=True, text=True,
                            check=True).stdout.split())
# A build need not have all tests: the folders' own labels count, too.
labels |= {folder.name for folder in pathlib.Path(tree, "testing/unit").iterdir()} | {"unit", "fuzz"}
for folder in pathlib.Path(tree, "testing").rglob("CMakeLists.txt"):
    for several in re.findall(r"\bLABELS? \"?([\w;]+)", folder.read_text(encoding="utf-8")):
        labels |= set(several.split(";"))
presets = json.loads(pathlib.Path(tree, "CMakePresets.json").read_text(encoding="utf-8"))["testPresets"]
for preset in presets:
    for way in preset.get("filter", {}).values():
        pattern = way.get("label", "")
        for label in re.findall(r"\w+", pattern):
            assert label in labels, f"{preset['name']}: no test has the label {label}"
        name = way.get("name", "")
        assert len(name) < 40, f"{preset['name']} chooses by a long pattern of names: {name}"
assert sum("label" in way for preset in presets for way in preset.get("filter", {}).values()) > 8
