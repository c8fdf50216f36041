# SPDX-License-Identifier: BSD-3-Clause
"""XREDIST_WATCH: what it prints about programs that hang, that wait for a while, and that are healthy.
usage: watch.py CLASS HANGS XREDIST-ROLL LAUNCHER...   runs the tests of one class"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CLASS, HANGS, ROLL, *LAUNCHER = sys.argv[1:]
CALL = r"PDGEMR2D \(100 x 100, from 4 x 1 to 1 x 4 processes\), call 2 of context \d+"
WRITE = r"xredist_write \(100 x 100\), call \d of a communicator of 4 processes"
LINE = re.compile(r"xredist: rank (\d+) on (\S+) has been in (.*) for ([\d.]+) s: (.*)")


class Job:
    """A job of four processes, which the object ends when `enough(output)` holds or when the time is over."""

    def __init__(self, case, folder="", watch="1", seconds=60, enough=lambda output: False, processes=4,
                 signals=(signal.SIGCONT, signal.SIGTERM), check="0"):
        environment = {**os.environ, "XREDIST_WATCH": watch, "XREDIST_CHECK": check}
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
                for each in signals:
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
        self.expect_waiting(job, (0, 2, 3), CALL, r"^exchange, round 1 of 1: 2 of 3 packets sent, 2 of 3 received; "
                            r"waits for rank 1 \(1 packet, (acceptance|answer); not heard of in their exchange 2\)$")
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

    def test_many_processes(self):
        """64 processes print at most one line each in an interval, after 1 s and 2 s and not after 4 s."""
        job = Job("reduction", processes=64, seconds=120)
        self.assertEqual(job.status, 0, job.output)
        self.assertEqual(job.of(1), [], job.output)
        late = {int(rank) for rank, *_ in job.lines}
        self.assertGreater(len(late), 32, job.output)
        for rank in late:
            seconds = [each for _, each, _ in job.of(rank)]
            for before, after in zip(seconds, seconds[1:]):
                self.assertGreaterEqual(after, 2 * before - 0.1, job.output)
            for call, _, sentence in job.of(rank):
                self.assertRegex(call, r"^PDGEMR2D \(100 x 100\), call 2 of context \d+$")
                self.assertEqual(sentence, "agreement by a reduction, which ends when all 64 processes have called")

    def test_first_call(self):
        job = Job("first")
        self.assertEqual(job.status, 0, job.output)
        for rank in (0, 2, 3):
            self.expect_waiting(job, (rank,), r"PDGEMR2D \(100 x 100(, from 4 x 1 to 1 x 4 processes\), call 1 of|\),) "
                                r"context \d+", "^(agreement by a (broadcast|reduction), |the network is explored, |"
                                "exchange, .* waits for rank 1 )")

    def test_other_order(self):
        job = Job("contexts", enough=all_of(0, 1, 2, 3))
        self.expect_waiting(job, (0, 2, 3), CALL, r"waits for rank 1 \(")
        self.expect_waiting(job, (1,), CALL,
                            r"0 of 3 packets sent, 0 of 3 received; waits for rank 0 \(.*rank 2 \(.*rank 3")
        job = Job("plans", enough=all_of(0, 1, 2, 3))
        execute = (r"xredist_execute \(100 x 100, from 4 x 1 to 1 x 4 processes\), "
                   r"call \d of a communicator of 4 processes")
        self.expect_waiting(job, (0, 2, 3), execute, r"waits for rank 1 \(1 packet, \w+; not heard of yet\)")

    def test_batch(self):
        job = Job("batches")
        self.assertEqual(job.status, 0, job.output)
        call = (r"xredist_wait \(2 jobs, the first of 50 x 100, from 4 x 1 to 1 x 4 processes\), "
                r"a communicator of 4 processes")
        self.expect_waiting(job, (0, 2, 3), call, r"rank 1 \(1 packet[^)]*; not heard of in their exchange 2\)")

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            job = Job("file", folder)
            self.assertEqual(job.status, 0, job.output)
            self.assertIn("code 0", job.output)
            self.expect_waiting(job, (0, 2, 3), WRITE,
                                "^agreement by a reduction, which ends when all 4 processes have called$")

    def test_functions_of_the_program(self):
        for case, sentence in (("own", "^the master has sent nothing$"),
                               ("request", "^a request of MPI has not completed$")):
            job = Job(case)
            self.assertEqual(job.status, 0, job.output)
            self.expect_waiting(job, (0, 2, 3), r"checkpoint \(100 x 50\)", sentence)
            self.assertEqual(job.of(1), [], job.output)

    def test_arrays(self):
        job = Job("arrays")
        self.assertEqual(job.status, 0, job.output)
        self.expect_waiting(job, (0, 2, 3), r"xredist_execute, call \d of a communicator of 4 processes",
                            r"^exchange, round 1 of \d: .*; waits for rank 1 \(")


def await_end(folder):
    """Waits for the processes that have left files, and that outlive a killed launcher for a moment."""
    pids = [re.search(r"^process: (\d+)$", (pathlib.Path(folder) / name).read_text(), re.M).group(1)
            for name in os.listdir(folder) if re.fullmatch(r"rank-\d+", name)]
    end = time.monotonic() + 20
    while any(os.path.exists(f"/proc/{pid}") for pid in pids) and time.monotonic() < end:
        time.sleep(0.1)


class RollCall(unittest.TestCase):
    def roll(self, case, ranks, watch="1:{}", **others):
        """Returns what xredist-roll prints when the ranks have left their files, and when the job has been killed."""
        with tempfile.TemporaryDirectory() as folder:
            printed = []

            def enough(output):
                if not all(os.path.exists(f"{folder}/rank-{rank}") for rank in ranks):
                    return False
                done = subprocess.run([ROLL, folder], capture_output=True, text=True, timeout=20)
                printed.append(done.stdout + done.stderr)
                return done.returncode == 0

            job = Job(case, folder, watch=watch.format(folder), enough=enough, signals=[signal.SIGKILL], **others)
            self.assertTrue(printed, job.output)
            await_end(folder)
            after = subprocess.run([ROLL, "--all", folder], capture_output=True, text=True, timeout=20).stdout
            return printed[-1], after, sorted(os.listdir(folder)), job

    def test_outside(self):
        roll, after, *_ = self.roll("receive", (0, 1, 2, 3))
        self.assertRegex(roll, r"^job \S+, 4 processes, last file of .* UTC\n"
                               r"3 of 4 processes wait in PDGEMR2D, call 2 of context \d+: ranks 0, 2-3\n"
                               r"  rank 0 on \S+, process \d+: waits in PDGEMR2D \(.*\), call 2 of .*: exchange, .*; "
                               r"waits for rank 1 \(.*\n"
                               r"  rank 1 on \S+, process \d+: outside of the library for [\d.]+ s, since PDGEMR2D "
                               r"\(100 x 100, from 4 x 1 to 1 x 4 processes\), call 1 of context \d+\n$")
        self.assertEqual(after.count("waits in PDGEMR2D"), 3)

    def test_empty_call(self):
        roll, *_ = self.roll("zero", (0, 1, 2, 3))
        self.assertRegex(roll, r"rank 1 on .*outside of the library .* since PDGEMR2D \(0 x 100\), context")

    def test_finalized(self):
        roll, *_ = self.roll("early", (0, 1, 2, 3))
        self.assertRegex(roll, r"rank 1 on .*outside of the library for .*, call 1 of context \d+: "
                               r"MPI_Finalize has been called")

    def test_other_call(self):
        roll, *_ = self.roll("contexts", (0, 1, 2, 3))
        self.assertRegex(roll, r"3 of 4 processes wait in PDGEMR2D, call 2 of context \d+: ranks 0, 2-3\n"
                               r"(.*\n)1 of 4 processes waits in PDGEMR2D, call 2 of context \d+: rank 1\n  rank 1 on ")

    def test_stopped(self):
        roll, *_ = self.roll("stopped", (0, 2, 3))
        self.assertIn("  rank 1 has left no file: stopped, died, or without this XREDIST_WATCH\n", roll)

    def test_goes_on(self):
        """Waits that end leave no roll-call."""
        with tempfile.TemporaryDirectory() as folder:
            job = Job("sleep", folder, watch=f"1:{folder}")
            self.assertEqual(job.status, 0, job.output)
            self.assertNotIn("waits-", "".join(os.listdir(folder)))
            done = subprocess.run([ROLL, folder], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("nobody waits", done.stderr)

    def test_healthy(self):
        """A program whose calls end in time leaves no file."""
        with tempfile.TemporaryDirectory() as folder:
            job = Job("delays", folder, watch=f"1:{folder}")
            self.assertEqual((job.status, job.lines, os.listdir(folder)), (0, [], []), job.output)

    def test_folder_that_is_missing(self):
        job = Job("early", watch="1:/nonexistent/roll", enough=all_of(0, 2, 3, times=2))
        errors = re.findall(r"XREDIST_WATCH: /nonexistent/roll/\S+ cannot be written: No such file", job.output)
        self.assertLessEqual(len(errors), 4, job.output)  # one on each process
        self.assertIn("cannot be written: No such file or directory", job.output)

    def test_usage(self):
        self.assertEqual(subprocess.run([ROLL], capture_output=True).returncode, 2)
        self.assertEqual(subprocess.run([ROLL, "/nonexistent"], capture_output=True).returncode, 2)
        self.assertIn("usage: xredist-roll", subprocess.run([ROLL, "--help"], capture_output=True, text=True).stdout)


class EndsByItself(unittest.TestCase):
    def expect_end(self, case, text, folder="", **others):
        job = Job(case, folder, **others)
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

    def test_check_names_both_calls(self):
        for case in "order", "skips":
            job = self.expect_end(case, r"xredist: PD(GE|TR)MR2D: process 0 of the context is in PDGEMR2D "
                                        r"\(100 x 100\), call 2, but process 1 is in PDTRMR2D \(100 x 100\), call 2",
                                  check="reduction")
            self.assertNotEqual(job.status, 0)

    def test_message_names_the_routine(self):
        # The process that finds the error gives those of lower ranks time to print first.
        job = self.expect_end("order", r"PDTRMR2D: process 0 of the context is in PDGEMR2D, call 2, but process 1 is in "
                              r"PDTRMR2D \(100 x 100\), call 2", check="message", watch="10")
        self.assertNotEqual(job.status, 0)

    def test_functions_of_a_communicator(self):
        for check in "message", "reduction":
            job = self.expect_end("functions", "code 5 process 0 of the communicator is in xredist_plan_create, but "
                                  "process 1 is in xredist_array_plan_create", check=check)
            self.assertEqual((job.status, job.output.count("code 5 process 0")), (0, 4), job.output)

    def test_reads_and_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            job = self.expect_end("reads", r"code 5 process 0 of the communicator is in xredist_(write|read), but process "
                                  r"\d is in xredist_(write|read)", folder)
            self.assertEqual((job.status, job.output.count("code 5 process 0"), os.listdir(folder)), (0, 4, []))

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
        self.assertIn("XREDIST_WATCH=soon: expected seconds, a whole number from 0 to 1000000, or seconds:folder",
                      job.output)


unittest.main(argv=[sys.argv[0], CLASS])
