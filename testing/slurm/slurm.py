# SPDX-License-Identifier: BSD-3-Clause
"""The drop-in and xredist-try under Slurm, as doc/cluster.rst describes them.
usage: slurm.py XREDIST-TRY CALLS DROP-IN PBLAS MPIRUN MUNGED SLURMCTLD SLURMD"""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import unittest

from cluster import cluster

CLUSTER = pathlib.Path(sys.argv[1]).parent / "xredist-cluster"  # a program of TIMING
TRY, CALLS, DROP_IN, PBLAS, MPIRUN, *DAEMONS = sys.argv[1:]
PROGRAM = [CALLS, "finalize"]
PRELOADED = os.environ.pop("LD_PRELOAD", None)  # a value of srun itself would win over that of --export


def preloaded(*libraries):
    return ":".join(filter(None, [*libraries, PRELOADED]))


def run(*command, **environment):
    """Returns standard output and standard error of a command that must succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        raise AssertionError(f"status {done.returncode}: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def submit(name, *lines):
    """Waits until the job script has ended, and returns its output."""
    script, output = folder / f"{name}.sh", folder / f"{name}.out"
    script.write_text("\n".join(["#!/bin/sh", "#SBATCH --ntasks=4", "set -e", *lines, ""]))
    try:
        run("sbatch", "--wait", f"--output={output}", str(script))
    except AssertionError as failure:
        raise AssertionError(f"{failure}\n{output.read_text() if output.exists() else 'no output'}") from failure
    return output.read_text()


class Slurm(unittest.TestCase):
    def test_srun_with_the_drop_in(self):
        out, err = run("srun", "-n", "4", f"--export=ALL,LD_PRELOAD={preloaded(DROP_IN)}", *PROGRAM, XREDIST_REPORT="1")
        self.assertEqual(out, "all right\n")
        self.assertEqual(err.count("xredist: report of process"), 1)
        self.assertRegex(err, r"xredist: total +11 +")

    def test_srun_passes_the_environment_on(self):
        out, err = run("srun", "-n", "4", *PROGRAM, XREDIST_VERBOSE="1", LD_PRELOAD=preloaded(DROP_IN))
        self.assertEqual(out, "all right\n")
        self.assertIn("xredist: PDGEMR2D plans 60x60", err)

    def test_export_splits_at_commas_and_keeps_what_srun_has(self):
        both, first = preloaded(PBLAS, DROP_IN), preloaded(PBLAS + "," + DROP_IN)
        for exported, environment, used in ((both, {}, True), (first, {}, False), (both, {"LD_PRELOAD": PBLAS}, False)):
            out, err = run("srun", "-n", "4", f"--export=ALL,LD_PRELOAD={exported}", *PROGRAM, XREDIST_REPORT="1",
                           **environment)
            self.assertEqual(out, "all right\n")
            self.assertEqual("PDGEMR2D " in err, used, f"{exported} {environment}")

    def test_trial(self):
        out, err = run("srun", "-n", "4", TRY, "--json", str(folder / "trial.json"), *PROGRAM, LD_PRELOAD=preloaded())
        self.assertEqual(out, "all right\n")
        self.assertEqual(err.count("xredist-try: xredist compared with"), 1)
        found = json.loads((folder / "trial.json").read_text())
        self.assertTrue(found["complete"])
        self.assertEqual((found["rows"][0]["calls"], found["rows"][0]["different"]), (14, 0))

    def test_batch(self):
        log = folder / "xredist.log"
        library = pathlib.Path(DROP_IN)
        out = submit("batch", f"export LD_LIBRARY_PATH={library.parent}",
                     f"export LD_PRELOAD={preloaded(library.name)} XREDIST_REPORT=1 XREDIST_LOG={log}",
                     f"srun {CALLS} finalize")
        self.assertEqual(out, "all right\n")
        found = log.read_text()
        self.assertEqual(found.count("xredist: report of process"), 1, found)
        self.assertRegex(found, r"xredist: total +11 +")

    def test_batch_with_mpirun(self):
        out = submit("mpirun", f"{MPIRUN} -np 4 -x LD_PRELOAD={preloaded(DROP_IN)} -x XREDIST_REPORT=1 {CALLS} finalize",
                     f"{TRY} {MPIRUN} -np 4 {CALLS} finalize")
        self.assertEqual(out.count("all right\n"), 2)
        self.assertEqual(out.count("xredist: report of process"), 1)
        self.assertEqual(out.count("xredist-try: xredist compared with"), 1)

    @unittest.skipUnless(CLUSTER.exists(), "the programs of TIMING are not built")
    def test_measurement(self):
        """The script finds the node and the processes that Slurm gives the job."""
        found = folder / "times.txt"
        submit("measurement", f"export LD_PRELOAD={preloaded()}",
               f"{CLUSTER} --minutes 0.7 --bytes 16K --rounds 2 --output {found} srun")
        text = found.read_text()
        self.assertIn("launcher   srun --nodes={nodes} --ntasks={processes} --ntasks-per-node={per_node}\n", text)
        self.assertIn("1 of 1 nodes:\n", text)
        self.assertRegex(text, r"\nMPI +Open MPI .*\nprocesses +4\nnodes +1\n")
        self.assertRegex(text, r"\n# complete: 21 rows, 0 of them without a right result; 0 launches were cut short\n$")
        self.assertNotIn(socket.gethostname(), text)


def stop(number, _):
    raise TimeoutError(f"stopped by signal {number}: the daemons are ended")


for number in signal.SIGALRM, signal.SIGTERM, signal.SIGINT:
    signal.signal(number, stop)
signal.alarm(240)  # before CTest ends this process, which has the daemons to end
start = time.monotonic()
with cluster(*DAEMONS, cpus=4, seconds=60) as folder:
    print(f"Slurm started in {time.monotonic() - start:.1f} s", flush=True)
    result = unittest.main(argv=sys.argv[:1], exit=False).result
sys.exit(not result.wasSuccessful())
