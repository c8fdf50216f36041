# SPDX-License-Identifier: BSD-3-Clause
"""Plans, their executions, and functions that make a plan for one execution."""
import ctypes
from ctypes import byref, c_int, c_void_p
from typing import NamedTuple

import numpy as np
from mpi4py import MPI

from . import _library as c
from ._layouts import LETTERS, Layout, Operation, in_c, integer, of_type


class PlanInfo(NamedTuple):
    """The costs of one execution on this process; xredist_plan_info in xredist.h describes the numbers."""
    bytes_sent: int
    bytes_received: int
    bytes_kept: int
    buffer_bytes: int
    rows_a: int
    rows_b: int
    steps: int
    rounds: int


def checked_array(name, array, dtype, size, writes=False):
    """Returns the address and the leading dimension of a local array of at least `size` rows and columns."""
    if array is None:
        return None, 0
    if not isinstance(array, np.ndarray):
        raise c.Error(f"{name} is a {type(array).__name__}, must be a numpy array")
    if array.dtype != dtype:
        raise c.Error(f"{name} has the dtype {array.dtype}, the plan has {dtype}")
    if array.ndim != 2:
        raise c.Error(f"{name} has {array.ndim} dimensions, must have 2")
    (rows, cols), (down, right) = array.shape, array.strides
    if rows < size[0] or cols < size[1]:
        raise c.Error(f"{name} has the shape {array.shape}, must be at least {tuple(size)}")
    if rows > 1 and cols > 0 and down != dtype.itemsize:
        raise c.Error(f"{name} is not in Fortran order: its columns are not contiguous; use order='F'")
    ld = max(rows, 1)
    if rows > 0 and cols > 1:
        ld = right // dtype.itemsize
        if right % dtype.itemsize != 0 or ld < rows:
            raise c.Error(f"{name} has strides {array.strides}, must have columns one after the other; use order='F'")
    if writes and not array.flags.writeable:
        raise c.Error(f"{name} is read-only")
    return array.ctypes.data, ld


def _scalar(name, value, dtype):
    """Returns an array of one element that holds alpha or beta."""
    if dtype not in LETTERS:
        raise c.Error(f"{name}: elements of dtype {dtype} are only copied or transposed")
    given = np.asarray(value)
    if given.ndim != 0 or given.dtype.kind not in "iufcb":
        raise c.Error(f"{name} is {value!r}, must be a number")
    with np.errstate(all="ignore"):
        scalar = given.astype(dtype) if dtype.kind == "c" else given.real.astype(dtype)
    if (given.dtype.kind == "c" and dtype.kind != "c" and given.imag != 0) or (dtype.kind == "i" and scalar != given):
        raise c.Error(f"{name} is {value!r}, must be a value of B's dtype {dtype}")
    return scalar.reshape(1)


class Job:
    """One execution of a plan on this process (Plan.job)."""

    def __init__(self, plan, a, b, alpha, beta):
        a_dtype, b_dtype = plan.operation.dtypes
        address_a, lda = checked_array("a", a, a_dtype, plan._size_a)
        address_b, ldb = checked_array("b", b, b_dtype, plan._size_b, writes=True)
        scalars = [None if value is None else _scalar(name, value, b_dtype)
                   for name, value in (("alpha", alpha), ("beta", beta))]
        self._kept = plan, a, b, scalars
        self._in_c = c.CJob(plan._plan, address_a, lda, address_b, ldb,
                            *(None if scalar is None else scalar.ctypes.data for scalar in scalars))


class Request:
    """An exchange under way. It keeps its arrays and plans. Deleting a request waits for its end."""

    def __init__(self, jobs):
        self._request, self._jobs = c_void_p(), jobs
        c.call("start", len(jobs), (c.CJob * len(jobs))(*(job._in_c for job in jobs)), byref(self._request))

    def test(self, member=None):
        """Makes progress. Returns whether the exchange, or one job of it, has ended."""
        done = c_int()
        if member is not None:
            c.call("test_member", self._request, integer("member", member, c_int), byref(done))
        else:
            c.call("test", byref(self._request), byref(done))
        return done.value != 0

    def wait(self, member=None):
        """Waits until the exchange, or one job of it, has ended."""
        if member is not None:
            c.call("wait_member", self._request, integer("member", member, c_int))
        else:
            c.call("wait", byref(self._request))

    def __del__(self):
        if getattr(self, "_request", None):
            c.library.xredist_wait(byref(self._request))


class Plan:
    """A redistribution from layout a to layout b over a communicator of mpi4py, made once and executed many times:

        plan = xredist.Plan(comm, a, b, m=1000, n=1000, dtype=np.float64, trans='T')
        plan.execute(A, B, alpha=2.0)

    The keywords are those of Operation, which may be passed instead. Local arrays are numpy arrays with two dimensions
    in Fortran order; on a process without a part of a matrix they may be None. The first plan for a communicator is
    collective."""

    def __init__(self, comm, a, b, operation=None, **keywords):
        self._plan = c_void_p()
        try:
            if operation is not None and keywords:
                raise c.Error(f"operation and keywords ({', '.join(keywords)}) exclude each other")
            op = of_type("operation", Operation(**keywords) if operation is None else operation, Operation)
            arguments = byref(in_c("a", a, Layout)), byref(in_c("b", b, Layout)), byref(op._in_c())
        except Exception:  # other processes may wait for this call, which fails
            c.library.xredist_plan_create(c.handle(comm), None, None, None, byref(self._plan))
            raise
        self.operation = op
        c.call("plan_create", c.handle(comm), *arguments, byref(self._plan))
        rank, size_a = comm.Get_rank(), (op.n, op.m) if op.transposes else (op.m, op.n)
        ends = [(max(i, 1) - 1 + size_i, max(j, 1) - 1 + size_j)
                for i, j, (size_i, size_j) in ((op.ia, op.ja, size_a), (op.ib, op.jb, (op.m, op.n)))]
        info = self.query()  # a process without a part of a submatrix may pass any array
        self._size_a = a.local_size(*ends[0], rank) if info.rows_a else (0, 0)
        self._size_b = b.local_size(*ends[1], rank) if info.rows_b else (0, 0)

    def job(self, a, b, alpha=None, beta=None):
        """Returns an execution, for start()."""
        return Job(self, a, b, alpha, beta)

    def start(self, a, b, alpha=None, beta=None):
        """Starts B := beta B + alpha op(A). Until the end, do not read b and do not change a."""
        return Request([self.job(a, b, alpha, beta)])

    def execute(self, a, b, alpha=None, beta=None):
        self.start(a, b, alpha, beta).wait()

    def query(self):
        info = c.CPlanInfo()
        c.call("plan_query", self._plan, byref(info))
        return PlanInfo(*(getattr(info, name) for name in PlanInfo._fields))

    def describe(self):
        text = ctypes.create_string_buffer(4096)
        c.call("plan_describe", self._plan, text, len(text))
        return text.value.decode()

    def __copy__(self):
        raise TypeError("a plan cannot be copied")

    def __del__(self):
        if getattr(self, "_plan", None):
            c.library.xredist_plan_destroy(self._plan)


def start(jobs):
    """Starts a batch: all jobs in one exchange. All processes pass the same plans in the same order."""
    return Request([of_type(f"jobs[{k}]", job, Job) for k, job in enumerate(jobs)])


def set_option(comm, name, value):
    """Sets an option for all plans that are made for comm later: set_option(comm, 'buffer', '64M')."""
    c.call("set_option", c.handle(comm), of_type("name", name, str).encode(), str(value).encode())


def whole_matrix(comm, array, layout):
    """Returns the rows, columns and dtype of the matrix of which `array` is the local part, and the array; None outside
    the layout's grid. Collective: an error is raised on all processes."""
    rank, problem, sizes = comm.Get_rank(), (0, ""), np.zeros(2, dtype=np.int64)
    ranks = list(range(layout.nprow * layout.npcol)) if layout.ranks is None else list(layout.ranks)
    local = array if rank in ranks else np.empty((0, 0))
    if not isinstance(local, np.ndarray) or local.ndim != 2:
        problem = 2, f"array on rank {rank} must be a numpy array with two dimensions"
    elif rank in ranks:
        row, col = divmod(ranks.index(rank), layout.npcol)
        sizes[:] = local.shape[0] * (col == 0), local.shape[1] * (row == 0)
    comm.Allreduce(MPI.IN_PLACE, sizes)
    dtype = comm.bcast(getattr(array, "dtype", None), root=ranks[0])
    m, n = sizes.tolist()
    expected = layout.local_size(m, n, rank)
    if problem[0] == 0 and local.shape != expected:
        problem = 1, f"array on rank {rank} has the shape {local.shape}, must be {expected} of {m} x {n}"
    elif problem[0] == 0 and rank in ranks and local.dtype != dtype:
        problem = 1, f"array on rank {rank} has the dtype {local.dtype}, rank {ranks[0]} has {dtype}"
    worst, sentence = comm.allreduce(problem, op=MPI.MAX)  # other shapes follow from a missing array
    if worst:
        raise c.Error(sentence)
    return m, n, np.dtype(dtype), local if rank in ranks else None


def redistribute(comm, array, a, b, *, dtype_b=None, trans="N", uplo="A", diag="N", mirror="N"):
    """Returns the local part in layout b of the matrix of which `array` is the local part in layout a; an array with
    the shape (0, 0) outside b's grid. Collective over comm: an error is raised on all processes. An array in C order is
    copied. The keywords are those of Operation; a reduction finds m and n."""
    letters = {"trans": trans, "uplo": uplo, "diag": diag, "mirror": mirror}
    Plan(comm, a, b, Operation(0, 0, **letters))  # checks comm, layouts and letters
    m, n, dtype, local = whole_matrix(comm, array, a)
    rank = comm.Get_rank()
    m, n = (n, m) if trans.upper() in ("T", "C") else (m, n)
    plan = Plan(comm, a, b, Operation(m, n, dtype, dtype_b, **letters))
    result = np.zeros(b.local_size(m, n, rank), dtype=plan.operation.dtypes[1], order="F")
    plan.execute(None if local is None else np.asfortranarray(local), result)
    return result


def _whole(root):
    """Returns the layout of a matrix that process `root` holds."""
    return Layout(mb=1 << 40, nb=1 << 40, ranks=[integer("root", root, c_int)])


def scatter(comm, matrix, layout, root=0, **operation):
    """Returns the local part of a matrix that rank `root` holds; other processes pass None. See redistribute()."""
    return redistribute(comm, matrix, _whole(root), layout, **operation)


def gather(comm, array, layout, root=0, **operation):
    """Returns the whole matrix on rank `root`, and None on the other processes. See redistribute()."""
    whole = redistribute(comm, array, layout, _whole(root), **operation)
    return whole if comm.Get_rank() == root else None
