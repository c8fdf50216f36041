# SPDX-License-Identifier: BSD-3-Clause
"""XREDIST_WATCH: what it prints about programs that hang, that wait for a while, and that are healthy.
usage: watch.py HANGS LAUNCHER..."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HANGS, *LAUNCHER = sys.argv[1:]
CALL = r"PDGEMR2D \(100 x 100, from 4 x 1 to 1 x 4 processes\), call 2 of context \d+"
LINE = re.compile(r"xredist: rank (\d+) on (\S+) has been in (.*) for ([\d.]+) s: (.*)")


class Job:
    """A job of four processes, which the object ends when `enough(output)` holds or when the time is over."""

    def __init__(self, case, folder="", watch="1", seconds=60, enough=lambda output: False, processes=4):
        environment = {**os.environ, "XREDIST_WATCH": watch}
        # A file, because programs that outlive the launcher would keep a pipe open.
        with tempfile.TemporaryFile("w+") as output:
            job = subprocess.Popen([*LAUNCHER, str(processes), HANGS, case, folder], stdout=output,
                                   stderr=subprocess.STDOUT, env=environment, start_new_session=True)

            def text():
                output.seek(0)
                return output.read()

            end = time.monotonic() + seconds
            while job.poll() is None and time.monotonic() < end and not enough(text()):
                time.sleep(0.1)
            self.status = job.poll()  # None: the object has ended the job
            if self.status is None:
                for each in signal.SIGCONT, signal.SIGTERM:
                    os.killpg(job.pid, each)
                try:
                    job.wait(10)
                except subprocess.TimeoutExpired:
                    os.killpg(job.pid, signal.SIGKILL)
                    job.wait()
            self.output = text()
        self.lines = [LINE.match(line).groups() for line in self.output.splitlines() if LINE.match(line)]

    def of(self, rank):
        """Returns the call, the seconds and the sentence of each line of a rank."""
        return [(call, float(seconds), sentence) for of, _, call, seconds, sentence in self.lines if of == str(rank)]


def all_of(*ranks, times=1):
    """Returns whether each of the ranks has printed so many lines."""
    return lambda output: all(len(re.findall(rf"rank {rank} on .* has been", output)) >= times for rank in ranks)


class Waits(unittest.TestCase):
    def expect_waiting(self, job, ranks, call, sentence):
        for rank in ranks:
            lines = job.of(rank)
            self.assertTrue(lines, f"rank {rank}:\n{job.output}")
            for of_call, _, of_sentence in lines:
                self.assertRegex(of_call, rf"^{call}$", job.output)
                self.assertRegex(of_sentence, sentence, job.output)

    def expect_missing(self, case):
        """Rank 1 is not in the call in which the others wait."""
        job = Job(case, enough=all_of(0, 2, 3))
        self.assertEqual(job.of(1), [], job.output)
        self.expect_waiting(job, (0, 2, 3), CALL, r"^exchange, round 1 of 1: 2 of 3 packets sent, 2 of 3 received; waits for "
                            r"rank 1 \(1 packet, (acceptance|answer); behind: heard of in the exchange before\)$")
        return job

    def test_returns_early(self):
        self.expect_missing("early")

    def test_skips_an_empty_call(self):
        self.expect_missing("zero")

    def test_waits_in_mpi(self):
        self.expect_missing("barrier")
        self.expect_missing("receive")

    def test_is_stopped(self):
        self.expect_missing("stopped")

    def test_sleeps_and_goes_on(self):
        for case in "sleep", "compute":
            job = self.expect_missing(case)
        job = Job("sleep")
        self.assertEqual(job.status, 0, job.output)
        self.assertIn("returned", job.output)
        for rank in (0, 2, 3):  # after 1 s and 2 s, not after 4 s
            seconds = [each for _, each, _ in job.of(rank)]
            self.assertLessEqual(len(seconds), 2, job.output)
            self.assertGreaterEqual(seconds[0], 1)
            if len(seconds) > 1:
                self.assertGreaterEqual(seconds[1], 2 * seconds[0])

    def test_agreement(self):
        job = Job("reduction")
        self.assertEqual(job.status, 0, job.output)
        self.expect_waiting(job, (0, 2, 3), r"PDGEMR2D \(100 x 100\), call 2 of context \d+",
                            "^agreement by a reduction, which ends when all 4 processes have called$")

    def test_other_order(self):
        job = Job("contexts", enough=all_of(0, 1, 2, 3))
        self.expect_waiting(job, (0, 2, 3), CALL, r"waits for rank 1 \(")
        self.expect_waiting(job, (1,), CALL, r"0 of 3 packets sent, 0 of 3 received; waits for rank 0 \(.*rank 2 \(.*rank 3")
        job = Job("plans", enough=all_of(0, 1, 2, 3))
        execute = r"xredist_execute \(100 x 100, from 4 x 1 to 1 x 4 processes\), call \d of a communicator of 4 processes"
        self.expect_waiting(job, (0, 2, 3), execute, r"waits for rank 1 \(1 packet, \w+; not heard of yet\)")

    def test_batch(self):
        job = Job("batches")
        self.assertEqual(job.status, 0, job.output)
        call = r"xredist_wait \(2 jobs, the first of 50 x 100, from 4 x 1 to 1 x 4 processes\), a communicator of 4 processes"
        self.expect_waiting(job, (0, 2, 3), call, r"waits for rank 1 \(1 packet.*not heard of yet")

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            job = Job("file", folder)
            self.assertEqual(job.status, 0, job.output)
            self.assertIn("code 0", job.output)
            self.expect_waiting(job, (0, 2, 3), r"xredist_write \(100 x 100\), call \d of a communicator of 4 processes",
                                "^agreement by a reduction, which ends when all 4 processes have called$")


class EndsByItself(unittest.TestCase):
    def expect_end(self, case, text, folder=""):
        job = Job(case, folder)
        self.assertIsNotNone(job.status, job.output)
        self.assertRegex(job.output, text)
        self.assertEqual(job.lines, [], job.output)
        return job

    def test_full_disk(self):
        with tempfile.TemporaryDirectory() as folder:
            job = self.expect_end("disk", "code 6 .* cannot be given its size: File too large", folder)
            self.assertEqual(job.status, 0)

    def test_arguments_that_differ(self):
        for case in "arguments", "descriptor", "order":
            self.expect_end(case, r"PDGEMR2D: process \d of the context sends \d+ bytes, but \d+ were expected|"
                                  r"PDTRMR2D: process \d of the context sends \d+ bytes, but \d+ were expected")

    def test_killed(self):
        job = Job("killed")
        self.assertNotIn(job.status, (None, 0), job.output)

    def test_random_delays_are_no_hangs(self):
        job = self.expect_end("delays", "returned")
        self.assertEqual(job.status, 0)

    def test_without_the_option(self):
        job = Job("sleep", watch="0")
        self.assertEqual((job.status, job.lines), (0, []), job.output)

    def test_invalid_value(self):
        job = Job("sleep", watch="soon")
        self.assertNotEqual(job.status, 0)
        self.assertIn("XREDIST_WATCH=soon: expected seconds, a whole number from 0 to 1000000, or seconds:folder", job.output)


unittest.main(argv=sys.argv[:1])
