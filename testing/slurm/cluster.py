# SPDX-License-Identifier: BSD-3-Clause
"""A Slurm cluster of one node, which ends with the process that starts the cluster.

The daemons run in the foreground, as the user of this process, with a key, ports, a configuration and a state of their
own, so that they neither need nor touch a cluster that is installed."""
import contextlib
import ctypes
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1
ReturnToService=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES State=UP
"""


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def adopt_orphans():
    """Makes this process the parent of all processes below it whose own parent ends, such as the steps of slurmd."""
    set_child_subreaper = 36
    if ctypes.CDLL(None, use_errno=True).prctl(set_child_subreaper, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def own_children():
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            _, parent, *_ = status.read_text().rpartition(")")[2].split()  # after the name: state, parent ...
            if int(parent) == os.getpid():
                yield int(status.parent.name)


def end_children(seconds):
    """Ends all children, and those that are adopted meanwhile: first by SIGTERM, after `seconds` by SIGKILL."""
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0] != 0:
                pass
        children = list(own_children())
        if not children:
            return
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM if time.monotonic() < end else signal.SIGKILL)
        time.sleep(0.2)


@contextlib.contextmanager
def cluster(munged, slurmctld, slurmd, cpus, seconds):
    """Starts a cluster whose node has `cpus` processors (there may be fewer), and waits until the node is idle, at most
    `seconds`. Yields the folder of the cluster; SLURM_CONF in this process's environment names its configuration."""
    adopt_orphans()
    outside = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    with tempfile.TemporaryDirectory(prefix="slurm") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # munged demands that all users can reach its socket
        for each in "state", "spool":
            (folder / each).mkdir()
        host, (controller_port, node_port) = socket.gethostname().partition(".")[0], free_ports(2)
        (folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=folder, host=host, cpus=cpus, user=subprocess.check_output(["id", "-un"], text=True).strip(),
            controller_port=controller_port, node_port=node_port))
        (folder / "munge.key").write_bytes(os.urandom(128))
        (folder / "munge.key").chmod(0o600)
        outside["SLURM_CONF"] = os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
        munge = [munged, "--foreground", "--force", f"--socket={folder}/munge.socket", f"--key-file={folder}/munge.key",
                 f"--pid-file={folder}/munge.pid", f"--log-file={folder}/munge.log", f"--seed-file={folder}/munge.seed"]
        try:
            for command in munge, [slurmctld, "-D"], [slurmd, "-D", "-N", host]:
                with (folder / (pathlib.Path(command[0]).name + ".out")).open("w") as out:
                    subprocess.Popen(command, env=outside, stdout=out, stderr=out, stdin=subprocess.DEVNULL)
            wait_for_node(folder, outside, time.monotonic() + seconds)
            yield folder
        finally:
            end_children(20)


def wait_for_node(folder, environment, end):
    while time.monotonic() < end:
        with contextlib.suppress(subprocess.TimeoutExpired):
            found = subprocess.run(["sinfo", "--noheader", "--format=%T"], env=environment, capture_output=True,
                                   text=True, timeout=20)
            if found.stdout.strip() == "idle":
                return
        time.sleep(0.5)
    logs = "".join(f"{log.name}:\n{log.read_text()}" for log in sorted([*folder.glob("*.out"), *folder.glob("*.log")]))
    raise RuntimeError(f"the node is not idle\n{logs}")
