#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mutate.py [--check] [--room ROOM,...] [--folder FOLDER]: doubles each tuned constant of constants.csv, one after the
other, in a copy of the last commit in FOLDER (default: build/mutation), builds the unit tests of its room, and runs
them; for route and schedule, the table of choices (unit/plan/choices.csv) as well. Constants of copy that have a row of
copy_benchmark are noticed if this row becomes slower by 5 %, on a machine that does nothing else. Prints a line of CSV
for each constant: file, constant, and the tests that fail, the benchmark with the ratio of times, "does not build", or
"nothing". --check only looks for the constants in the sources."""
import argparse
import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)


def doubled(text, constant):
    """Returns the source with twice the value of the constant."""
    found = re.findall(rf"\b{constant} = [^;,]+(?=[;,])", text)
    if len(found) != 1:
        sys.exit(f"{constant} is defined {len(found)} times")
    name, value = found[0].split(" = ", 1)
    return text.replace(found[0], f"{name} = 2 * ({value})")


def times_of(benchmark, row, rounds=9):
    """Returns the least time of a row for each program of `benchmark`, run in turns; nothing without such a row."""
    least = {}
    for _ in range(rounds):
        for program in benchmark:
            output = subprocess.run([program, f"--benchmark_filter=^{row}$", "--benchmark_format=json"],
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
            if not output.startswith("{"):
                return []
            time = json.loads(output)["benchmarks"][0]["cpu_time"]
            least[program] = min(least.get(program, time), time)
    return [least[program] for program in benchmark]


def slower_by(copy, constant):
    """Returns "copy_benchmark (1.42)" if its row becomes slower by 5 %, otherwise nothing."""
    changed = copy / "build/developer/bin/copy_benchmark"
    if run("cmake", "--build", "--preset", "developer", "--target", changed.name, cwd=copy).returncode != 0:
        return ""
    times = times_of([f"{changed}.before", changed], constant)
    return f"copy_benchmark ({times[1] / times[0]:.2f})" if times and times[1] > 1.05 * times[0] else ""


def noticed_by(copy, room):
    """Returns the tests that fail: those of the room, and the table of the planner's choices. They are built first."""
    programs = {f"unit_{room}": "*"}
    if room in ("route", "schedule"):
        programs["unit_plan"] = "Choices.*"
    built = run("cmake", "--build", "--preset", "developer", "--target", *programs, cwd=copy)
    if built.returncode != 0:
        return "does not build"
    output = ""
    for program, tests in programs.items():
        try:
            command = [copy / "build/developer/bin" / program, "--gtest_brief=1", f"--gtest_filter={tests}"]
            output += run(*command, timeout=600).stdout
        except subprocess.TimeoutExpired:
            return "takes too long"
    return " ".join(sorted(set(re.findall(r"(?m)^\[  FAILED  \] (\w+[.]\w+)", output)))) or "nothing"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--room", default="")
    parser.add_argument("--folder", default=root / "build/mutation", type=pathlib.Path)
    arguments = parser.parse_args()
    with open(here / "constants.csv", newline="", encoding="utf-8") as table:
        constants = list(csv.DictReader(table))
    if arguments.check:
        for row in constants:
            doubled((root / "src" / row["file"]).read_text(encoding="utf-8"), row["constant"])
        return
    copy = arguments.folder
    if not copy.exists():
        subprocess.run(["git", "worktree", "add", "--detach", "--force", copy, "HEAD"], cwd=root, check=True, stdout=sys.stderr)
    configured = run("cmake", "--preset", "developer", "-DXREDIST_MPI=openmpi", cwd=copy)
    if configured.returncode != 0:
        sys.exit(configured.stdout)
    rooms = arguments.room.split(",") if arguments.room else None
    if not rooms or "copy" in rooms:
        subprocess.run(["cmake", "--build", "--preset", "developer", "--target", "copy_benchmark"], cwd=copy, check=True,
                       stdout=sys.stderr)
        shutil.copy(copy / "build/developer/bin/copy_benchmark", copy / "build/developer/bin/copy_benchmark.before")
    print("file,constant,noticed by", flush=True)
    for row in constants:
        if rooms and row["room"] not in rooms:
            continue
        source = copy / "src" / row["file"]
        before = source.read_text(encoding="utf-8")
        try:
            source.write_text(doubled(before, row["constant"]), encoding="utf-8")
            found = noticed_by(copy, row["room"])
            if found == "nothing" and row["room"] == "copy":
                found = slower_by(copy, row["constant"]) or found
            print(f"{row['file']},{row['constant']},{found}", flush=True)
        finally:
            source.write_text(before, encoding="utf-8")


if __name__ == "__main__":
    main()
