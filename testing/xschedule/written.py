# SPDX-License-Identifier: BSD-3-Clause
"""Compares the table of algorithms, CSV and SVG with the owners of elements, which this test finds element by element,
for blocks and partitions."""
import collections
import csv
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

program = os.path.abspath(sys.argv.pop(1))

IMPROPER = {"rank", "wo-simple", "wo-random"}
SEVERAL = {"two-hop", "wo-passes"}  # exchanges, one after the other
SVG = "{http://www.w3.org/2000/svg}"


# An axis: the number of processes, and the owner of each element that is copied, and of later ones.
Axis = collections.namedtuple("Axis", "procs owner")


def cyclic(procs, block, first=0, source=0):
    return Axis(procs, lambda k: ((first + k) // block + source) % procs)


def volumes(a, b, n):
    return collections.Counter((a.owner(k), b.owner(k)) for k in range(n))


def expected(rows, cols):
    """Returns the number of elements for each pair of processes; `rows` and `cols` are (a, b, n)."""
    width_a, width_b = cols[0].procs, cols[1].procs
    down, across = volumes(*rows), volumes(*cols)
    return {(p * width_a + pc, q * width_b + qc): i * j
            for (p, q), i in down.items() for (pc, qc), j in across.items()}


ONE = cyclic(1, 1)
LINE = (ONE, ONE, 1)


def vector(P, Q, r, s, oa=0, ob=0, size=0):
    n = size or math.lcm(P * r, Q * s)
    arguments = f"1d {P} {Q} {r} {s} --offsets {oa} {ob}" + (f" --size {size}" if size else "")
    return arguments, (cyclic(P, r, oa), cyclic(Q, s, ob), n), LINE


def matrix(arguments, rows, cols):
    return "2d " + arguments, rows, cols


CASES = [
    vector(16, 16, 3, 5), vector(15, 15, 3, 5), vector(12, 8, 4, 3), vector(15, 6, 2, 3), vector(16, 16, 1, 12),
    vector(5, 5, 6, 2), vector(1, 7, 3, 2), vector(7, 1, 3, 2), vector(1, 1, 2, 3), vector(6, 9, 4, 10, 3, 7),
    vector(8, 8, 4, 6, 0, 0, 37), vector(4, 6, 5, 3, 2, 1, 1), vector(10, 4, 2, 7, 5, 0, 1000),
    matrix("2x3 3x2 2x3 4x5 --size 50x41", (cyclic(2, 2), cyclic(3, 4), 50),
           (cyclic(3, 3), cyclic(2, 5), 41)),
    matrix("2x3 4x1 2x2 3x3", (cyclic(2, 2), cyclic(4, 3), 12), (cyclic(3, 2), cyclic(1, 3), 6)),
    matrix("3x2 2x4 4x2 3x3 --size 31x60 --at 6,2 3,9 --src 2,1 1,3", (cyclic(3, 4, 5, 2), cyclic(2, 3, 2, 1), 31),
           (cyclic(2, 2, 1, 1), cyclic(4, 3, 8, 3), 60)),
    matrix("4x4 4x4 2x3 6x3 --size 96x48", (cyclic(4, 2), cyclic(4, 6), 96),
           (cyclic(4, 3), cyclic(4, 3), 48)),
]


RANDOM = random.Random(3)


def intervals(name, procs, first=0):
    """Returns the axis of a file of intervals, each of which ends with its owner."""
    owners = []
    for number, line in enumerate(filter(None, (line.split("#")[0].split() for line in FILES[name].splitlines()))):
        owners += [int(line[1]) if len(line) > 1 else number] * (int(line[0]) - len(owners))
    return Axis(procs, lambda k: owners[first + k])


def drawn(n, processes, longest):
    text, end = "", 0
    while end < n:
        end = min(n, end + RANDOM.randint(0, longest))
        text += f"{end} {RANDOM.randrange(processes)}\n"
    return text


FILES = {
    "slabs": "# rows of four processes, the third of which has none\n30\n\n35  # few\n35\n80\n",
    "ones": drawn(80, 6, 1), "wild": drawn(97, 3, 9), "one": "40 0\n40 0\n60 0\n", "late": "0 1\n0 0\n50 5\n",
    "heavy": "1000 0\n1010 1\n", "spread": "".join(f"{1000 + k} {k}\n" for k in range(11)),
}
ONES, WILD = (FILES[name].count("\n") for name in ("ones", "wild"))
# Partitions: the arguments, rows and columns as above, and the title.
PARTITIONS = [
    ("1d 4 6 1 1 --rows-a slabs --rows-b ones", (intervals("slabs", 4), intervals("ones", 6), 80), LINE,
     f"4x1 processes, blocks [4]x1 -> 6x1 processes, blocks [{ONES}]x1, 80x1 elements"),
    ("1d 6 4 1 1 --rows-a ones --rows-b slabs --offsets 7 3", (intervals("ones", 6, 7), intervals("slabs", 4, 3), 73),
     LINE, None),
    ("1d 4 5 1 3 --rows-a slabs --offsets 2 1 --size 50", (intervals("slabs", 4, 2), cyclic(5, 3, 1), 50), LINE,
     "4x1 processes, blocks [4]x1, from element (2,0) -> 5x1 processes, blocks 3x1, from element (1,0), 50x1 elements"),
    ("1d 4 4 1 1 --rows-a slabs --rows-b slabs", (intervals("slabs", 4), intervals("slabs", 4), 80), LINE, None),
    ("1d 5 6 3 1 --rows-b late", (cyclic(5, 3), intervals("late", 6), 50), LINE, None),
    ("1d 1 6 3 1 --rows-a one --rows-b ones", (intervals("one", 1), intervals("ones", 6), 60), LINE, None),
    ("2d 3x2 2x3 4x4 5x5 --rows-a wild --cols-b wild --size 90x97", (intervals("wild", 3), cyclic(2, 5), 90),
     (cyclic(2, 4), intervals("wild", 3), 97),
     f"3x2 processes, blocks [{WILD}]x4 -> 2x3 processes, blocks 5x[{WILD}], 90x97 elements"),
    ("2d 3x6 6x3 1x1 1x1 --rows-a wild --cols-a ones --rows-b late --cols-b wild --at 3,2 1,5",
     (intervals("wild", 3, 2), intervals("late", 6), 50), (intervals("ones", 6, 1), intervals("wild", 3, 4), 79), None),
]


def folded(*dimensions):
    """Returns the columns into which the dimensions after the first are folded, in Fortran's order. A dimension: its
    axis and its number of elements. Positions in the grid are row-major."""
    def owner(k):
        position = 0
        for axis, n in dimensions:
            position = position * axis.procs + axis.owner(k % n)
            k //= n
        return position
    return Axis(math.prod(axis.procs for axis, _ in dimensions), owner)


def array(arguments, a, b, n, command="nd"):
    """Returns a case of `ARRAYS`. `a`, `b`: the processes and the block size of each dimension; `n`: the elements."""
    rows, *columns = ([cyclic(*axis) for axis in side] for side in zip(a, b))
    size = math.prod(n[1:])
    sides = [folded(*zip((column[k] for column in columns), n[1:])) if columns else ONE for k in range(2)]
    texts = [[by(axis[k] for axis in side) for k in range(2)] for side in (a, b)]
    title = " -> ".join(f"{procs} processes, blocks {blocks}" for procs, blocks in texts) + f", {by(n)} elements"
    words = [text for k in range(2) for text in (texts[0][k], texts[1][k])]
    return " ".join([command, *words, *arguments.split()]), (*rows, n[0]), (*sides, size), title


def by(numbers):
    return "x".join(map(str, numbers))


# Arrays: process (x, y, z) is number (x P2 + y) P3 + z.
ARRAYS = [
    array("--size 13x14x9", ((2, 2), (3, 3), (2, 1)), ((3, 4), (1, 2), (4, 3)), (13, 14, 9), "3d"),
    array("", ((1, 1), (2, 2), (2, 3)), ((2, 3), (2, 3), (1, 2)), (6, 12, 6), "3d"),
    array("--size 13x14x9", ((2, 2), (3, 3), (2, 1)), ((3, 4), (1, 2), (4, 3)), (13, 14, 9)),
    array("", ((4, 3),), ((6, 5),), (60,)),
    array("", ((2, 3), (3, 2)), ((3, 5), (2, 4)), (30, 24)),
    array("--size 6x12x6x8", ((2, 2), (1, 3), (2, 1), (2, 2)), ((1, 3), (2, 2), (3, 2), (1, 1)), (6, 12, 6, 8)),
    array("", ((2, 1), (1, 2), (2, 1), (1, 1), (2, 1)), ((1, 1), (2, 1), (1, 1), (2, 2), (1, 3)), (2, 2, 2, 4, 6)),
    array("--size 3x1x2x3x2x2x4", *2 * [((1, 1), (1, 1), (2, 1), (1, 2), (2, 1), (1, 1), (1, 1))], (3, 1, 2, 3, 2, 2, 4)),
]


def written(arguments, algorithm="all"):
    """Returns the header and rows of the CSV, the SVG and standard output."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            pathlib.Path(folder, name).write_text(text)
        names = {kind: os.path.join(folder, kind) for kind in ("csv", "svg")}
        options = [word for kind, name in names.items() for word in (f"--{kind}", name)]
        text = subprocess.run([program, *arguments.split(), "--algorithm", algorithm, *options], check=True, cwd=folder,
                              stdout=subprocess.PIPE, text=True).stdout
        by_name = collections.defaultdict(list)
        with open(names["csv"], encoding="ascii", newline="") as file:
            reader = csv.reader(file)
            header = next(reader)
            for name, *numbers in reader:
                by_name[name].append(tuple(map(int, numbers)))
        return header, by_name, xml.etree.ElementTree.parse(names["svg"]), text


Verdict = collections.namedtuple("Verdict", "steps S T barriers without ratio note")


def comparison(text):
    """Returns the comparison of standard output: the verdicts on the algorithms that are defined, and the lower bound."""
    form = r"^(\S+|lower bound) +(\d+) +(\d+) +(\d+) +([\d.]+) +[\d.-]+ +([\d.]+) +([\d.]+) *(.*)$"
    rows = re.findall(form, text[text.index("\nComparison: "):], re.M)
    return {name: Verdict(*map(int, counts), *map(float, times), note) for name, *row in rows
            for counts, times, note in [(row[:3], row[3:6], row[6])]}


def bars(shape):
    """Returns the left and the right end of all bars."""
    return [(float(x), float(x) + float(width)) for path in shape.iter(SVG + "path")
            for x, width in re.findall(r"M([\d.]+),[\d.]+h([\d.]+)v", path.get("d"))]


def exchanges(picture, kind):
    """Returns the bars of each hop or pass."""
    return [bars(shape) for shape in picture.iter(SVG + "g") if shape.get("class") == kind]


def titles(picture):
    """Returns the title of the case, and those of the panels."""
    return [text.text for text in picture.iter(SVG + "text") if text.get("class") == "title"]


def words(picture):
    return [word.text for kind in ("text", "tspan") for word in picture.iter(SVG + kind) if word.text]


def loads(message_lengths):
    """Returns Delta and T*."""
    degrees, elements = collections.Counter(), collections.Counter()
    for (p, q), length in message_lengths.items():
        for end in (("S", p), ("R", q)):
            degrees[end] += 1
            elements[end] += length
    return max(degrees.values(), default=0), max(elements.values(), default=0)


def via(mesh, processes, p, q):
    """Returns the forwarder from p to q: in the row of p and the column of q; a short last row uses other rows in turn."""
    columns, rows = mesh
    corner = p // columns * columns + q % columns
    return corner if corner < processes else p % columns % (rows - 1) * columns + q % columns


def two_hops(mesh, processes, lengths):
    """Returns, for each hop and pair of processes, the elements that are sent and those among them that are forwarded."""
    sent, forwarded = [[collections.Counter() for _ in range(2)] for _ in range(2)]
    for (p, q), length in lengths.items():
        v = via(mesh, processes, p, q)
        for hop, ends in enumerate(((p, v), (v, q))):
            if ends[0] != ends[1]:
                sent[hop][ends] += length
                forwarded[hop][ends] += length if v not in (p, q) else 0
    return sent, forwarded


class Written(unittest.TestCase):
    def check_messages(self, name, rows, lengths):
        sums = collections.Counter()
        for _, step, sender, receiver, elements, _ in rows:
            self.assertGreater(elements, 0)
            self.assertGreaterEqual(step, 0)
            sums[sender, receiver] += elements
        self.assertEqual(dict(sums), lengths, name)
        ends = collections.Counter()
        for _, step, sender, receiver, _, _ in rows:
            ends[step, "S", sender] += 1
            ends[step, "R", receiver] += 1
        if name not in IMPROPER:
            self.assertLessEqual(max(ends.values(), default=0), 1, f"{name} has two messages at a process in a step")

    def check_costs(self, name, rows, verdict):
        """Computes S, T and the time without barriers from the steps of all messages, also of those to oneself. In the
        order reference, a process has one port for both directions."""
        messages, elements, free = collections.Counter(), collections.Counter(), collections.Counter()
        for _, step, sender, receiver, length, _ in rows:
            ends = {("R", sender), ("R", receiver)} if name == "reference" else {("S", sender), ("R", receiver)}
            end = max(free[end] for end in ends) + 2 + 0.0008 * length  # the defaults of --alpha and --beta
            for port in ends:
                messages[step, port] += 1
                elements[step, port] += length
                free[port] = end
        for counted, printed in ((messages, verdict.S), (elements, verdict.T)):
            most = collections.Counter()
            for (step, _), count in counted.items():
                most[step] = max(most[step], count)
            self.assertEqual(sum(most.values()), printed, name)
        self.assertAlmostEqual(max(free.values()), verdict.without, delta=0.001 * max(1, verdict.without), msg=name)

    def check_hops(self, verdict, processes, rows, lengths, text):
        mesh = tuple(map(int, re.search(r"^two-hop: (\d+)x(\d+) mesh", text, re.M).groups()))
        self.assertLess((mesh[1] - 1) * mesh[0], processes)
        self.assertLessEqual(processes, mesh[0] * mesh[1])
        sent, forwarded = two_hops(mesh, processes, lengths)
        all_steps = 0
        for hop in range(2):
            messages = [row for row in rows if row[0] == hop + 1]
            self.check_messages("two-hop", messages, sent[hop])
            self.assertEqual({row[2:4]: row[5] for row in messages}, dict(forwarded[hop]))
            degree, elements = loads(sent[hop])
            printed = re.search(rf"^hop {hop + 1} +(\d+) +(\d+) +(\d+)$", text, re.M)
            steps, *load = map(int, printed.groups())
            self.assertEqual(load, [degree, elements])
            self.assertGreaterEqual(steps, degree)
            self.assertLess(max((row[1] for row in messages), default=-1), steps if messages else 1)
            if processes == mesh[0] * mesh[1]:
                self.assertLess(steps, mesh[hop])
            all_steps += steps
        kept = collections.Counter()
        for (_, v), elements in forwarded[0].items():
            kept[v] += elements
        self.assertIn(f"stores at most {max(kept.values(), default=0)} forwarded elements", text)
        self.assertEqual(sum(kept.values()), sum(forwarded[1].values()))
        longest = collections.Counter()
        for hop, step, _, _, elements, _ in rows:
            longest[hop, step] = max(longest[hop, step], elements)
        self.assertEqual(verdict[:3], (all_steps, len(longest), sum(longest.values())))

    def check_passes(self, rows, elements, verdict):
        """Checks that each pass moves everything, in a proper schedule."""
        last = max((row[0] for row in rows), default=0)
        self.assertEqual(verdict is None, last == 0)
        for number in range(1, last + 1):
            of_pass = [row for row in rows if row[0] == number]
            lengths = collections.Counter()
            for _, _, sender, receiver, length, _ in of_pass:
                lengths[sender, receiver] += length
            self.assertEqual(sum(lengths.values()), elements)
            self.check_messages("wo-passes", of_pass, dict(lengths))
        if verdict:
            self.assertIn(f"{last} pass", verdict.note)

    def check_comparison(self, verdicts, delta, most, whole_periods):
        bound = verdicts["lower bound"]
        self.assertEqual(bound[:3], (delta, delta, most))
        self.assertEqual(verdicts["optimal"].steps, delta)
        self.assertEqual(verdicts["stepwise"].steps, delta)
        if whole_periods:  # otherwise messages that are scheduled alike differ a little, as do parts in whole rows
            self.assertEqual(verdicts["split"].T, most)
        self.assertLessEqual(verdicts["split"].T, verdicts["optimal"].T)
        for name, v in verdicts.items():
            self.assertLessEqual(v.without, v.barriers * 1.0001 + 0.001)  # times are rounded
            if name not in SEVERAL:
                self.assertGreaterEqual(v.S, delta)
                self.assertGreaterEqual(v.T, most)
                self.assertGreaterEqual(v.without * 1.0001 + 0.001, bound.without)
        for name in IMPROPER & verdicts.keys():
            self.assertGreaterEqual("not proper" in verdicts[name].note, verdicts[name].S > verdicts[name].steps)

    def check_picture(self, picture, verdicts):
        """Checks that the panels are the algorithms, and that a title has the steps and the ratio of the table."""
        for title, (name, verdict) in zip(titles(picture)[1:], verdicts.items(), strict=True):
            steps, ratio = re.match(re.escape(name) + r": ([\d +]+) steps?, ([\d.]+) ", title).groups()
            self.assertEqual(sum(map(int, steps.split(" + "))), verdict.steps)
            self.assertEqual(float(ratio), verdict.ratio)
        ends = [end for kind in ("hop", "pass") for pairs in exchanges(picture, kind) for _, end in pairs]
        self.assertLess(max(ends), float(picture.getroot().get("width")))
        self.assertFalse([word for word in words(picture) if re.search(r"\d us\b", word)])

    def check(self, arguments, rows, cols, title=None):
        header, by_name, picture, text = written(arguments)
        if title:
            self.assertEqual(text.split("\n")[0], title)
        else:
            self.assertTrue(text.split("\n")[0].endswith(f", {rows[2]}x{cols[2]} elements"))
        self.assertEqual(header, ["algorithm", "hop", "step", "sender", "receiver", "elements", "forwarded"])
        lengths = expected(rows, cols)
        self.assertEqual(sum(lengths.values()), rows[2] * cols[2])
        verdicts = comparison(text)
        for name in by_name.keys() - SEVERAL:
            self.check_messages(name, by_name[name], lengths)
            self.check_costs(name, by_name[name], verdicts[name])
            self.assertLess(max(step for _, step, *_ in by_name[name]), verdicts[name].steps)
        self.check_passes(by_name["wo-passes"], rows[2] * cols[2], verdicts.get("wo-passes"))
        if "two-hop" in verdicts:
            processes = max(x.procs * y.procs for x, y in zip(rows[:2], cols[:2]))
            self.check_hops(verdicts["two-hop"], processes, by_name["two-hop"], lengths, text)
        whole_periods = cols == LINE and "--size" not in arguments and "--rows" not in arguments
        self.check_comparison(verdicts, *loads(lengths), whole_periods)
        del verdicts["lower bound"]
        self.assertEqual(by_name.keys() | SEVERAL, verdicts.keys() | SEVERAL)
        self.check_picture(picture, verdicts)
        return verdicts.keys()

    def test_every_case(self):
        in_two_hops = 0
        for case in CASES + PARTITIONS:
            with self.subTest(arguments=case[0]):
                in_two_hops += "two-hop" in self.check(*case)
        self.assertGreater(in_two_hops, 8)

    def test_arrays(self):
        for case in ARRAYS:
            with self.subTest(arguments=case[0]):
                self.check(*case)

    def test_the_bound_of_two_processes(self):
        """Process 0 sends most elements, process 1 most messages: only with barriers is the bound a bound."""
        *_, text = written("1d 2 11 1 1 --rows-a heavy --rows-b spread", "default")
        verdicts = comparison(text)
        bound, found = verdicts["lower bound"], verdicts["default"]
        self.assertEqual(bound[:3], (10, 10, 1000))
        self.assertLess(found.without, bound.without)
        self.assertGreaterEqual(found.barriers, bound.barriers)

    def test_sources_of_partitions_are_not_printed(self):
        *_, printed = written("2d 4x1 1x6 9x2 9x1 --rows-a slabs --cols-b ones --at 2,1 1,1 --src 1,0 0,0")
        self.assertIn("4x1 processes, blocks [4]x2, from element (1,0) -> 1x6 processes, blocks 9x[", printed)

    def test_one_algorithm_alone(self):
        _, by_name, _, _ = written("1d 12 8 4 3", "optimal")
        self.assertEqual(by_name.keys(), {"optimal"})

    def test_passes_of_walker_and_otto(self):
        """Section 4: 4 -> 12 -> 6 on 8 processes in 3 + 2 steps."""
        _, by_name, picture, text = written("1d 8 8 4 6", "wo-passes")
        for number, blocks in enumerate(((4, 12), (12, 6)), 1):
            rows = [row for row in by_name["wo-passes"] if row[0] == number]
            self.check_messages("wo-passes", rows, expected((*(cyclic(8, block) for block in blocks), 96), LINE))
        self.assertEqual(comparison(text)["wo-passes"].note, "2 passes, 3 + 2 steps")
        ends = exchanges(picture, "pass")
        self.assertEqual(len(ends), 2)
        self.assertAlmostEqual(max(end for _, end in ends[0]), min(begin for begin, _ in ends[1]), delta=0.2)

    def test_hops_are_drawn_one_after_the_other(self):
        _, _, picture, _ = written("2d 4x4 4x4 3x5 5x3", "two-hop")
        ends = exchanges(picture, "hop")
        self.assertEqual([len(pairs) for pairs in ends], [2 * 16 * 3] * 2)
        self.assertAlmostEqual(max(end for _, end in ends[0]), min(begin for begin, _ in ends[1]), delta=0.2)

    def test_a_picture_explains_itself(self):
        """Rows, borders, the time axis and the bound; a ratio below 1 says of what."""
        *_, picture, _ = written("2d 3x4 3x4 3x5 5x3", "default,two-hop")
        self.assertEqual([title.split(", ", 1) for title in titles(picture)[1:]],
                         [["default: 12 steps", "1.00 times the bound"],
                          ["two-hop: 3 + 2 steps", "0.42 of the shortest time of direct messages"]])
        said = words(picture)
        self.assertTrue(any("S: senders, R: receivers" in text and "stays on its process" in text for text in said))
        self.assertEqual([text for text in said if re.fullmatch(r"[01](\.\d+)?", text) and "." in text],
                         2 * ["0.25", "0.5", "0.75"])
        self.assertEqual([text for text in said if text.startswith("hop ")], ["hop 1", "hop 2"])
        dashed = [path for path in picture.iter(SVG + "path") if path.get("stroke-dasharray") and "h" in path.get("d")]
        self.assertEqual(sum(len(bars(path)) for path in dashed), 1 + 2 * 12)  # the key, and both ends of 12 messages
        for path in dashed:
            self.assertGreaterEqual(float(path.get("stroke-width")), 1.5)
            self.assertEqual(path.get("stroke"), "#000")

    def test_the_bars_of_a_step_share_a_shape(self):
        _, by_name, picture, _ = written("1d 15 6 2 3", "optimal")
        bars_and_axes = len(list(picture.iter(SVG + "path")))
        self.assertLess(bars_and_axes, len(by_name["optimal"]) / 2)


unittest.main()
