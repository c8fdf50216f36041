# SPDX-License-Identifier: BSD-3-Clause
"""Plans and their executions."""
from __future__ import annotations

import ctypes
from ctypes import byref, c_int, c_void_p
from types import TracebackType
from typing import Any, List, NamedTuple, NoReturn, Optional, Sequence, Tuple, Type, Union

import numpy as np
from mpi4py import MPI

from . import _library as c
from ._arguments import LETTERS, Array, converted, integer, kind_of, of_type, text
from ._arrays import ArrayLayout, ArrayOperation
from ._errors import Error, WrongTypeError
from ._layouts import Layout, Operation, in_c
from ._memory import zeros


class PlanInfo(NamedTuple):
    """The costs of one execution on this process; xredist_plan_info in xredist.h describes the numbers.

    >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=8)
    >>> xredist.Plan(comm, layout, layout, m=8, n=8).query().bytes_sent
    0
    """
    bytes_sent: int
    bytes_received: int
    bytes_kept: int
    buffer_bytes: int
    rows_a: int
    rows_b: int
    steps: int
    rounds: int
    peak_bytes: int


def _scalar(name: str, value: Any, dtype: np.dtype[Any]) -> Array:
    """Returns an array of one element that holds alpha or beta."""
    if dtype not in LETTERS:
        raise Error(f"{name}: elements of dtype {dtype} are only copied or transposed")
    given = converted(value)
    if given.ndim != 0 or given.dtype.kind not in "iufcb":
        raise WrongTypeError(f"{name} is {value!r}, must be a number")
    with np.errstate(all="ignore"):
        scalar = given.astype(dtype) if dtype.kind == "c" else given.real.astype(dtype)
    if (given.dtype.kind == "c" and dtype.kind != "c" and given.imag != 0) or (dtype.kind == "i" and scalar != given):
        raise Error(f"{name} is {value!r}, must be a value of B's dtype {dtype}")
    return scalar.reshape(1)


def _local(name: str, array: Any, layout: Union[Layout, ArrayLayout]) -> Any:
    """Returns a local array. That of a DistributedMatrix must have the plan's layout."""
    if not hasattr(array, "layout") or not hasattr(array, "local"):
        return array
    if not layout._same_as(array.layout):
        raise Error(f"{name} has the layout {array.layout}, the plan has {layout}")
    return array.local


class Job:
    """One execution of a plan on this process, made by Plan.job().

    >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=8)
    >>> A = xredist.DistributedMatrix.zeros(comm, (8, 8), layout)
    >>> B = xredist.DistributedMatrix.zeros(comm, (8, 8), layout)
    >>> xredist.start([A.plan(B).job(A, B, alpha=2.0)]).wait()
    """

    def __init__(self, plan: Plan, a: Any, b: Any, alpha: Any, beta: Any, consume: bool = False) -> None:
        plan._handle()  # of a plan that has not been freed
        a, b = _local("a", a, plan.a), _local("b", b, plan.b)
        if consume and isinstance(a, np.ndarray) and not a.flags.writeable:
            raise Error("a is not writeable, so it cannot be consumed")
        a_dtype, b_dtype = plan.operation.dtypes
        self._arguments = {"consume": int(consume)}
        self._arguments["a"], apart_a = plan.a._placed("a", a, a_dtype, plan._size_a)
        self._arguments["b"], apart_b = plan.b._placed("b", b, b_dtype, plan._size_b, writes=True)
        of_layout = "strides_" if plan._of_arrays else "ld"
        self._arguments.update({of_layout + "a": apart_a, of_layout + "b": apart_b})
        scalars = {name: _scalar(name, value, b_dtype) for name, value in (("alpha", alpha), ("beta", beta))
                   if value is not None}
        self._arguments.update((name, scalar.ctypes.data) for name, scalar in scalars.items())
        self._plan, self._kept = plan, (a, b, scalars)

    def _in_c(self) -> c.CJob:
        return c.CJob(plan=self._plan._handle(), **self._arguments)


class Request:
    """An exchange under way. It keeps its arrays and plans. Deleting a request waits for its end, and so does the end
    of a with statement.

    >>> a, b = xredist.Layout(nprow=comm.size, mb=1, nb=4), xredist.Layout(npcol=comm.size, mb=4, nb=1)
    >>> A = xredist.DistributedMatrix.from_function(comm, lambda i, j: 10.0 * i + j, (4, 4), a)
    >>> B = xredist.DistributedMatrix.zeros(comm, (4, 4), b)
    >>> with A.plan(B).start(A, B) as request:
    ...     pass                                              # compute; neither read B nor change A
    >>> request
    <xredist.Request of 1 job, ended>
    >>> bool((B.local == 10 * np.arange(4)[:, None] + B.indices()[1]).all())
    True
    """

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._request, self._jobs = c_void_p(), jobs
        c.call("start", len(jobs), (c.CJob * len(jobs))(*(job._in_c() for job in jobs)), byref(self._request))

    def test(self, member: Optional[int] = None) -> bool:
        """Makes progress. Returns whether the exchange, or one job of it, has ended.

        >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=8)
        >>> A, B = (xredist.DistributedMatrix.zeros(comm, (8, 8), layout) for _ in range(2))
        >>> request = A.plan(B).start(A, B)
        >>> while not request.test():
        ...     pass                                          # compute
        """
        done = c_int()
        if member is not None:
            c.call("test_member", self._request, integer("member", member, c_int), byref(done))
        else:
            c.call("test", byref(self._request), byref(done))
        return done.value != 0

    def wait(self, member: Optional[int] = None) -> None:
        """Waits until the exchange, or one job of it, has ended.

        >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=8)
        >>> A, B = (xredist.DistributedMatrix.zeros(comm, (8, 8), layout) for _ in range(2))
        >>> request = A.plan(B).start(A, B)
        >>> request.wait(member=0)                            # the first job: B is complete
        >>> request.wait()                                    # all jobs
        """
        if member is not None:
            c.call("wait_member", self._request, integer("member", member, c_int))
        else:
            c.call("wait", byref(self._request))

    def __enter__(self) -> Request:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        if error is None:
            self.wait()
        else:
            c.library.xredist_wait(byref(self._request))  # the error of the body is the first one

    def __repr__(self) -> str:
        count = len(self._jobs)
        return (f"<xredist.Request of {count} job{'s' * (count != 1)}, "
                f"{'under way' if self._request.value else 'ended'}>")

    def __del__(self) -> None:
        if getattr(self, "_request", None):
            c.library.xredist_wait(byref(self._request))


class Plan:
    """A redistribution from layout a to layout b over a communicator of mpi4py, made once and executed many times. The
    keywords are those of Operation, which may be passed instead. Local arrays are numpy arrays with two dimensions in
    Fortran order, or a DistributedMatrix; on a process without a part of a matrix they may be None. The first plan for
    a communicator is collective. free(), or the end of a with statement, frees the plan, as deleting it does.

    >>> a, b = xredist.Layout(nprow=comm.size, mb=2, nb=8), xredist.Layout(npcol=comm.size, mb=8, nb=2)
    >>> A = np.ones(a.local_size(8, 8, comm.rank), order="F")
    >>> B = np.zeros(b.local_size(8, 8, comm.rank), order="F")
    >>> with xredist.Plan(comm, a, b, m=8, n=8, dtype=float, trans=True) as plan:
    ...     for step in range(10):
    ...         plan.execute(A, B, beta=1.0)                  # B := B + A^T
    >>> bool((B == 10).all())
    True
    >>> plan
    <xredist.Plan, freed>

    With an ArrayLayout on both sides, the keywords are those of ArrayOperation, and local arrays are numpy arrays with
    one dimension for each axis, and any strides that are whole numbers of elements and not negative:

    >>> a = xredist.ArrayLayout("(BLOCK, *, *)", grid=(comm.size, 1, 1))
    >>> b = xredist.ArrayLayout("(*, *, CYCLIC)", grid=(1, 1, comm.size))
    >>> A = np.full(a.local_shape((7, 4, 5), comm.rank), 1 + comm.rank, dtype="i2")
    >>> B = np.zeros(b.local_shape((7, 4, 5), comm.rank), dtype="i2")
    >>> plan = xredist.Plan(comm, a, b, shape=(7, 4, 5), dtype="i2")
    >>> plan.execute(A, B)
    >>> bool((B == 1 + np.arange(7)[:, None, None] // -(-7 // comm.size)).all())
    True
    """

    a: Any  # Layout, or ArrayLayout
    b: Any
    operation: Any  # Operation, or ArrayOperation
    _size_a: Tuple[int, ...]
    _size_b: Tuple[int, ...]

    def __init__(self, comm: MPI.Comm, a: Union[Layout, ArrayLayout], b: Union[Layout, ArrayLayout],
                 operation: Union[Operation, ArrayOperation, None] = None, **keywords: Any) -> None:
        self._plan = c_void_p()
        self._of_arrays = "shape" in keywords or any(isinstance(value, (ArrayLayout, ArrayOperation))
                                                     for value in (a, b, operation))
        function = "array_plan_create" if self._of_arrays else "plan_create"
        with c.fails_everywhere(lambda: getattr(c.library, "xredist_" + function)(c.handle(comm), None, None, None,
                                                                                  byref(self._plan))):
            if operation is not None and keywords:
                raise Error(f"operation and keywords ({', '.join(keywords)}) exclude each other")
            layout: Any = ArrayLayout if self._of_arrays else Layout
            kind: Any = ArrayOperation if self._of_arrays else Operation
            op = of_type("operation", kind(**keywords) if operation is None else operation, kind)
            of_a, of_b = in_c("a", a, layout), in_c("b", b, layout)
            arguments = byref(of_a), byref(of_b), byref(op._in_c(of_a, of_b))
        self.a, self.b, self.operation = a, b, op
        c.call(function, c.handle(comm), *arguments, byref(self._plan))
        self._size_a, self._size_b = self._sizes(comm.Get_rank())

    def _sizes(self, rank: int) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
        """Returns the least shapes of the local arrays; zeros on a process without a part of a submatrix or subarray,
        which may pass any array."""
        if self._of_arrays:
            of_a, of_b = map(self.operation._elements, "ab")
            return self.a._part(of_a, rank), self.b._part(of_b, rank)
        end_a, end_b = self.operation._ends()
        info = self.query()
        return (self.a._local(end_a, rank) if info.rows_a else (0, 0),
                self.b._local(end_b, rank) if info.rows_b else (0, 0))

    def _handle(self) -> c_void_p:
        if not self._plan:
            raise Error("the plan has been freed")
        return self._plan

    def job(self, a: Any, b: Any, alpha: Any = None, beta: Any = None, consume: bool = False) -> Job:
        """Returns an execution, for start(). If it consumes a, the elements of a are undefined afterwards, and the
        memory of a goes back to the system meanwhile (xredist_job in xredist.h).

        >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=8)
        >>> A, B, C = (xredist.DistributedMatrix.zeros(comm, (8, 8), layout) for _ in range(3))
        >>> plan = A.plan(B)
        >>> xredist.start([plan.job(A, B), plan.job(A, C, alpha=-1.0)]).wait()
        """
        return Job(self, a, b, alpha, beta, consume)

    def start(self, a: Any, b: Any, alpha: Any = None, beta: Any = None, consume: bool = False) -> Request:
        """Starts B := beta B + alpha op(A). Until the end, do not read b and do not change a.

        >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=8)
        >>> A, B = (xredist.DistributedMatrix.zeros(comm, (8, 8), layout) for _ in range(2))
        >>> request = A.plan(B).start(A, B)
        >>> request.wait()
        """
        return Request([self.job(a, b, alpha, beta, consume)])

    def execute(self, a: Any, b: Any, alpha: Any = None, beta: Any = None, consume: bool = False) -> None:
        """Carries out B := beta B + alpha op(A). Collective over the processes of both layouts.

        >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=8)
        >>> A = xredist.DistributedMatrix.from_function(comm, lambda i, j: 1.0 + 0 * i * j, (8, 8), layout)
        >>> B = xredist.DistributedMatrix.zeros(comm, (8, 8), layout)
        >>> A.plan(B).execute(A, B, alpha=2.0)
        >>> bool((B.local == 2).all())
        True
        """
        self.start(a, b, alpha, beta, consume).wait()

    def move(self, a: Any, alpha: Any = None) -> Array:
        """Moves A: returns the local array of alpha op(A) in layout b. While the new array grows, the memory of `a` goes
        back to the system, so a matrix moves in the memory of one matrix. The elements of `a` are undefined afterwards.
        Collective over the processes of both layouts, which all move or all execute the plan.

        >>> a, b = xredist.Layout(nprow=comm.size, mb=2, nb=8), xredist.Layout(npcol=comm.size, mb=8, nb=2)
        >>> A = np.ones(a.local_size(8, 8, comm.rank), order="F")
        >>> with xredist.Plan(comm, a, b, m=8, n=8) as plan:
        ...     B = plan.move(A)
        ...     del A
        >>> bool((B == 1).all())
        True
        """
        b = self.b._zeros(self._size_b, self.operation.dtypes[1], zeros)
        self.execute(a, b, alpha, consume=True)
        return b  # type: ignore[no-any-return]

    def tune(self, a: Any, b: Any, alpha: Any = None) -> None:
        """Executes the plan in several ways, and keeps the fastest one. Leaves b as one execution does. Collective over
        the communicator of the plan: an error is raised on all processes.

        >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=8)
        >>> A, B = (xredist.DistributedMatrix.zeros(comm, (8, 8), layout) for _ in range(2))
        >>> A.plan(B).tune(A, B)
        """
        with c.fails_everywhere(lambda: c.library.xredist_plan_tune(self._handle(), None)):
            job = self.job(a, b, alpha)
        c.call("plan_tune", self._handle(), byref(job._in_c()))

    def query(self) -> PlanInfo:
        """Returns the costs of an execution on this process.

        >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=8)
        >>> plan = xredist.Plan(comm, layout, layout, m=8, n=8)
        >>> comm.allreduce(plan.query().bytes_kept)
        512
        """
        info = c.CPlanInfo()
        c.call("plan_query", self._handle(), byref(info))
        return PlanInfo(*(getattr(info, name) for name in PlanInfo._fields))

    def describe(self) -> str:
        """Returns the line that XREDIST_VERBOSE=1 prints about the plan.

        >>> layout = xredist.Layout(mb=8, nb=8)
        >>> xredist.Plan(comm, layout, layout, m=8, n=8).describe().startswith("8x8 elements of 8 bytes, 1x1 grid of ")
        True
        """
        text = ctypes.create_string_buffer(4096)
        c.call("plan_describe", self._handle(), text, len(text))
        return text.value.decode()

    def free(self) -> None:
        """Frees the plan. Executions under way continue. Freeing a plan twice is a no-op.

        >>> layout = xredist.Layout(mb=8, nb=8)
        >>> plan = xredist.Plan(comm, layout, layout, m=8, n=8)
        >>> plan.free()
        """
        if getattr(self, "_plan", None):
            c.library.xredist_plan_destroy(self._plan)
            self._plan = c_void_p()

    def __enter__(self) -> Plan:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        self.free()

    def __copy__(self) -> NoReturn:
        raise TypeError("a plan cannot be copied")

    def __repr__(self) -> str:
        if not self._plan:
            return "<xredist.Plan, freed>"
        (dtype_a, dtype_b), op = self.operation.dtypes, self.operation
        types = f"{dtype_a}" if dtype_a == dtype_b else f"{dtype_a} to {dtype_b}"
        grids = " to ".join(" x ".join(map(str, layout._grid)) for layout in (self.a, self.b))
        return f"<xredist.Plan of {op._text()} elements, {types}, {grids} processes>"

    def __del__(self) -> None:
        self.free()


def start(jobs: Sequence[Job]) -> Request:
    """Starts a batch: all jobs in one exchange. All processes pass the same plans in the same order.

    >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=8)
    >>> A, B, C = (xredist.DistributedMatrix.zeros(comm, (8, 8), layout) for _ in range(3))
    >>> plan = A.plan(B)
    >>> request = xredist.start([plan.job(A, B), plan.job(A, C)])
    >>> request.wait(0)                                       # B is complete
    >>> request.wait()
    """
    try:
        members: List[Any] = list(jobs)
    except TypeError:
        raise WrongTypeError(f"jobs is {kind_of(jobs)}, must be a sequence of jobs") from None
    return Request([of_type(f"jobs[{k}]", job, Job) for k, job in enumerate(members)])


def set_option(comm: MPI.Comm, name: str, value: Any) -> None:
    """Sets an option for all plans that are made for comm later. Collective over comm at its first use.

    >>> xredist.set_option(comm, "buffer", "64M")
    """
    c.call("set_option", c.handle(comm), text("name", name), text("value", str(value)))


def get_option(comm: MPI.Comm, name: str) -> str:
    """Returns the value of an option, as a text that set_option() takes.

    >>> xredist.set_option(comm, "buffer", "64M")
    >>> xredist.get_option(comm, "buffer")
    '67108864'
    """
    value = ctypes.create_string_buffer(64)
    c.call("get_option", c.handle(comm), text("name", name), value, len(value))
    return value.value.decode()
