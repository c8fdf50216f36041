# SPDX-License-Identifier: BSD-3-Clause
"""networks.py TOOL PROGRAM [INTERCHANGES]: tests `simulate` and `emulate`: times over the port bound, which is counted
independently, and options that place processes on nodes and charge messages. An emulated network needs root."""
import csv
import os
import subprocess
import sys

TOOL, PROGRAM, *INTERCHANGES = sys.argv[1:]


def records(*options, algorithms="default", **variables):
    done = subprocess.run([TOOL, "--program", PROGRAM, "--algorithms", algorithms, *options], text=True, timeout=100,
                          env={**os.environ, **variables}, capture_output=True, check=False)
    if "skipped: " in done.stderr:
        print(done.stderr)
        sys.exit()
    assert done.returncode == 0, done.stdout + done.stderr
    found = list(csv.DictReader(done.stdout.splitlines()))
    assert found and all(record["check"] == "passed" for record in found), done.stdout
    return found


def check(record, node_of, gigabits, least, most):
    """Checks the time of a record divided by the port bound. The case is P/r:Q/s, of one dimension."""
    P, Q, r, s = (int(record[name].split("x")[0]) for name in ("grid_a", "grid_b", "block_a", "block_b"))
    sent, received = {}, {}
    for row in range(int(record["m"])):
        source, target = node_of(row // r % P), node_of(row // s % Q)
        if source != target:
            sent[source] = sent.get(source, 0) + 1
            received[target] = received.get(target, 0) + 1
    bound = max(*sent.values(), *received.values()) * int(record["n"]) * 8 / (gigabits * 1.25e8)
    assert abs(float(record["median_s"]) / bound / float(record["to_bound"]) - 1) < 1e-4, (record, bound)
    assert least < float(record["to_bound"]) < most, record


def simulated():
    common = "--kinds", "crossbar", "--processes", "16", "--cases"
    matrix = *common[:3], "16", "--bytes", "16M", "--data", "matrix", "--seconds", "20", "--cases"
    for record in records(*matrix, "16/3:16/5,16/7:16/11,12/4:8/3,4x4/3x5:4x4/5x3", algorithms="default,direct,split"):
        assert 1 < float(record["to_bound"]) < 1.15, record

    for how, node_of in (("slot", lambda rank: rank // 4), ("node", lambda rank: rank % 4)):
        sizes = records(*common, "12/4:8/3", "--per-node", "4", "--map-by", how, "--bytes", "256K,1M")
        assert int(sizes[1]["m"]) == 2 * int(sizes[0]["m"])
        for record in sizes:
            check(record, node_of, 10, 1, 1.6)

    # Each process sends 15 small messages, which take 1 us at each end.
    free, charged = (float(records(*common, "16/7:16/11", "--data", "matrix", "--bytes", "64K", "--overhead", cost)
                           [0]["median_s"]) for cost in "01")
    assert 15e-6 < charged - free < 40e-6, (free, charged)

    # Row interchanges on 4 process rows: a call is at most a message to each of the three others, or one for each row.
    rows, exchange = records(*common, "64x64:64x64", "--bytes", "2M", "--program", *INTERCHANGES, algorithms="rows,exchange")
    assert int(exchange["messages"]) <= 2 * 3 * int(exchange["panels"]) < int(rows["messages"]) / 5, (rows, exchange)
    assert float(exchange["seconds"]) < 0.6 * float(rows["seconds"]), (rows, exchange)

    # The library takes hosts for nodes. Where messages do not wait for permits by default, they do if asked to.
    never, always = (records(*common, "16/3:16/5", XREDIST_PERMITS=value)[0]["median_s"] for value in "02")
    assert never != always, never


def emulated():
    for how, node_of in (("slot", lambda rank: rank // 2), ("node", lambda rank: rank % 2)):
        for record in records("--nodes", "2", "--per-node", "2", "--map-by", how, "--cases", "3/4:2/3", "--bytes", "1M",
                              "--queues", "256kb", "--rounds", "1"):
            check(record, node_of, 0.1, 0.9, 10)


{"simulate": simulated, "emulate": emulated}[os.path.basename(TOOL)]()
