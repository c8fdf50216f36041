# SPDX-License-Identifier: BSD-3-Clause
"""names.py SRC: the name of a file occurs in one room only, so that an include, a search or a stack names one file."""
import collections
import pathlib
import sys

places = collections.defaultdict(list)
for path in pathlib.Path(sys.argv[1]).rglob("*.?pp"):
    places[path.stem].append(path.parent)
assert len(places) > 100, places
shared = {stem: folders for stem, folders in places.items() if len(set(folders)) > 1}
assert not shared, shared
