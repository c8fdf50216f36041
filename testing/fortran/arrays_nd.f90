! SPDX-License-Identifier: BSD-3-Clause
!> Tests plans of arrays of 1 to 7 axes: random layouts, orders in memory, subarrays and gaps, the local arrays that fit,
!! and the errors of others, which INFO returns.
program arrays_nd
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use columns_and_rows
  use distributed_axes
  use xredist
  implicit none

  integer, parameter :: n(3) = [7, 6, 5]
  integer :: comm, info, k
  type(side) :: x_pencils, y_pencils
  type(xredist_array_layout) :: a, b, none
  type(xredist_plan) :: plan
  real(real64), allocatable, target, asynchronous :: u(:, :, :), v(:, :, :), expected(:, :, :), wide(:, :, :)
  external :: blacs_get

  call begin(13)
  call blacs_get(grid_rows, 10, comm)
  call make_pencils()

  call fitting()
  call batches()
  call misfits()
  call xredist_plan_destroy(plan)
  do k = 1, 140
    call random_case(modulo(k, 7) + 1)
  end do
  call conversions()
  call general_blocks()
  call copies_of_an_array()
  call wrong_layouts()
  call relabelling()
  call finish('arrays of any rank right')

contains

  !> Makes a plan from pencils along x to pencils along y, which have y as the first dimension in memory.
  subroutine make_pencils()
    integer :: across, counts(3), r

    across = merge(2, 1, modulo(processes, 2) == 0)
    x_pencils = side([0, 1, 1], [1, 1, 1], [1, processes/across, across], [1, 2, 3], [0, 0, 0], [(r, r=0, processes - 1)])
    y_pencils = side([1, 0, 1], [1, 1, 1], [processes/across, 1, across], [2, 1, 3], [0, 0, 0], [(r, r=0, processes - 1)])
    a = layout_of(x_pencils)
    b = layout_of(y_pencils)
    call xredist_plan_create(plan, comm, n, a, b, 'D')
    call xredist_local_shape(a, n, process, counts)
    call expect('local shape of A', all(counts == counts_of(x_pencils, n)))
    allocate (u(counts(1), counts(2), counts(3)))
    u = reshape(contents(x_pencils, n, [1, 1, 1], n, shape(u), 1.0_real64, 0.0_real64, -1.0_real64), shape(u))
    call xredist_local_shape(b, n, process, counts)
    call expect('local shape of B', all(counts == counts_of(y_pencils, n)))
    allocate (v(counts(2), counts(1), counts(3)), source=-1.0_real64)
    expected = reshape(contents(y_pencils, n, [1, 1, 1], n, shape(v), 1.0_real64, 0.0_real64, -1.0_real64), shape(v))
    call xredist_local_shape(a, n, processes, counts)
    call expect('local shape outside the grid', all(counts == 0))
  end subroutine

  !> From slabs to pencils in the reverse order of processes. From x- to z-pencils of 8 x 8 x 8 elements on 2 x 2 processes,
  !! a half of the elements stays, instead of a quarter.
  subroutine relabelling()
    type(xredist_array_layout) :: from, to
    integer :: ranks(processes), reverse(processes), counts(3), r
    real(real64) :: kept(2)

    reverse = [(r, r=processes - 1, 0, -1)]
    from = xredist_array_layout('(*, CYCLIC)', grid=[1, processes])
    call xredist_relabel(comm, [3, 2*processes], from, from, ranks, kept, ranks_a=reverse, info=info)
    call expect('ranks of A', info == 0 .and. all(ranks == reverse) .and. abs(kept(1) - 1) <= 0)
    call xredist_relabel(comm, [3, 2*processes], from, from, ranks(2:), kept, info=info)
    call expect('room for ranks', info == xredist_invalid_argument)
    call xredist_relabel(comm, [3], from, from, ranks, kept, info=info)
    call expect('shape of two axes', info == xredist_invalid_argument)
    if (processes /= 4) return
    from = xredist_array_layout('(*, BLOCK, BLOCK)', grid=[1, 2, 2])
    to = xredist_array_layout('(BLOCK, BLOCK, *)', grid=[2, 2, 1])
    call xredist_relabel(comm, [8, 8, 8], from, to, ranks, kept)
    call expect('pencils', abs(kept(1) - 0.5) <= 0 .and. abs(kept(2) - 0.25) <= 0)
    call xredist_local_shape(to, [8, 8, 8], process, counts, ranks=ranks)
    call expect('a pencil for each process', all(counts == [4, 4, 8]))
  end subroutine

  subroutine arrived(what)
    character(len=*), intent(in) :: what

    call expect(what, all(abs(v - expected) <= 0))
    v = -1
  end subroutine

  subroutine fitting()
    real(real64) :: pairs(2, size(u, 1), size(u, 2), size(u, 3))
    real(real64) :: flat(size(u) + 3), plane(size(u, 1)*size(u, 2), size(u, 3))
    real(real64), pointer :: pointed(:, :, :)
    type(xredist_request) :: request

    call xredist_execute(plan, u, v)
    call arrived('allocatable')
    allocate (pointed, source=u)
    call xredist_execute(plan, pointed, v)
    call arrived('pointer')
    deallocate (pointed)
    allocate (wide(-1:size(u, 1) + 2, 0:2*size(u, 2), size(u, 3) + 1), source=-2.0_real64)
    wide(1:size(u, 1), 1::2, :size(u, 3)) = u
    call xredist_execute(plan, wide(1:size(u, 1), 1::2, :), v)
    call arrived('section with a halo and a stride')
    deallocate (wide)
    allocate (wide(2*size(v, 1), size(v, 2) + 2, size(v, 3)), source=-2.0_real64)
    call xredist_start(plan, u, wide(::2, 2:size(v, 2) + 1, :), request)
    call xredist_wait(request)
    v = wide(::2, 2:size(v, 2) + 1, :)
    call arrived('B as such a section')
    wide(::2, 2:size(v, 2) + 1, :) = -2
    call expect('elements beside it', all(abs(wide + 2) <= 0))
    wide(:size(v, 1), :, :) = -3
    call xredist_execute(plan, u, wide(:, :size(v, 2), :))
    v = wide(:size(v, 1), :size(v, 2), :)
    call arrived('B with longer extents')
    call expect('elements behind them', all(abs(wide(size(v, 1) + 1:, :, :) + 2) <= 0))
    deallocate (wide)
    pairs(1, :, :, :) = -4
    pairs(2, :, :, :) = u
    call xredist_execute(plan, pairs(2, :, :, :), v)
    call arrived('every second element of an array of rank 4')
    flat = -1
    flat(3:size(u) + 2) = reshape(u, [size(u)])
    call xredist_execute(plan, flat(3:), v)
    call arrived('work array of rank 1')
    call xredist_execute(plan, flat(3), v)
    call arrived('element of a work array')
    plane = reshape(u, shape(plane))
    call xredist_execute(plan, plane, v)
    call arrived('rank 2')
    call xredist_execute(plan, reshape(u, [size(u, 1), 1, size(u, 2), size(u, 3)]), v)
    call arrived('rank 4, an expression')
    call assumed_size(size(u, 1), size(u, 2), u, v)
    call xredist_execute(plan, u, v, alpha=2.0_real64)
    v = v/2
    call arrived('scaled')
    v = expected
    call xredist_execute(plan, u, v, alpha=3.0_real64, beta=-2.0_real64)
    call arrived('scaled and added')
    call xredist_plan_tune(plan, u, v)
    call arrived('tuned')
    call moved()
  end subroutine

  ! A copy of u goes, and the result comes in memory of the library.
  subroutine moved()
    real(real64), allocatable :: consumed(:, :, :)
    real(real64), pointer, contiguous :: new(:, :, :)
    type(c_ptr) :: memory

    allocate (consumed, source=u)
    memory = xredist_alloc(int(max(size(v), 1)*storage_size(v)/8, c_size_t))
    call c_f_pointer(memory, new, shape(v))
    call xredist_move(plan, consumed, new)
    v = new
    call xredist_free(memory)
    call arrived('moved')
  end subroutine

  ! The last extent is unknown.
  subroutine assumed_size(n1, n2, x, y)
    integer, intent(in) :: n1, n2
    real(real64), intent(in) :: x(n1, n2, *)
    real(real64), intent(inout) :: y(*)

    call xredist_execute(plan, x, y)
    call arrived('assumed size')
  end subroutine

  subroutine batches()
    type(xredist_job) :: jobs(2)
    type(xredist_request) :: request
    real(real64), target, asynchronous :: w(size(v, 1) + 1, size(v, 2), size(v, 3))

    jobs = [xredist_job(plan, u, v), xredist_job(plan, u, w(2:, :, :), 2.0_real64)]
    call xredist_start(jobs, request)
    call xredist_wait_member(request, 2)
    call xredist_wait(request)
    call arrived('first job')
    v = w(2:, :, :)/2
    call arrived('second job, a section, scaled')
    jobs(2) = xredist_job(plan, u, w(:, :size(v, 2) - 1, :))
    call xredist_start(jobs, request, info)
    call refused_here(info, 'short second job', 'jobs(2): b has extent ')
  end subroutine

  subroutine misfits()
    real(real32) :: narrow(size(u, 1), size(u, 2), size(u, 3))
    real(real64) :: more(size(u, 1), size(u, 2), size(u, 3), 2)

    narrow = 0
    more = 0
    call xredist_execute(plan, u(:6, :, :), v, info=info)
    call refused_here(info, 'first extent', 'a has extent 6 in dimension 1, where the plan needs 7 elements of axis 1')
    call xredist_execute(plan, u, v(:5, :, :), info=info)
    call refused_here(info, 'extent of B', 'b has extent 5 in dimension 1, where the plan needs 6 elements of axis 2')
    call xredist_execute(plan, u(:, :, :size(u, 3) - 1), v, info=info)
    call refused_here(info, 'last extent', 'a has extent ')
    call xredist_execute(plan, u(7:1:-1, :, :), v, info=info)
    call refused_here(info, 'reversed', 'a goes from the last element to the first one in dimension 1')
    call xredist_execute(plan, u(:, :, 1), v, info=info)
    call refused_here(info, 'a plane', 'a has rank 2 and ')
    call xredist_execute(plan, more, v, info=info)
    call refused_here(info, 'elements left over', 'a has rank 4 and ')
    call xredist_execute(plan, more(:6, :, :, :), v, info=info)
    call refused_here(info, 'gaps in another rank', 'a has rank 4 and is not contiguous, where the plan has 3 axes')
    call xredist_execute(plan, [u(1:2, 1, 1)], v, info=info)
    call refused_here(info, 'short work array', 'a has 2 elements, where the plan needs ')
    call xredist_execute(plan, narrow, v, info=info)
    call refused_here(info, 'kind', 'a has elements of 4 bytes, where the plan has elements of 8')
    call xredist_execute(plan, u, info=info)
    call refused_here(info, 'no B', 'b is NULL')
    call xredist_execute(plan, cmplx(narrow), v, alpha=2.0_real64, info=info)
    call refused_here(info, 'type', 'a is COMPLEX, where the operation of the plan has DOUBLE PRECISION')
    call xredist_execute(plan, u, v, alpha=2_int32, info=info)
    call refused(info, 'factor', 'alpha is INTEGER of 4 bytes, where B of the plan is DOUBLE PRECISION')
    call xredist_execute(plan, u, v)
    call arrived('after the errors')
  end subroutine

  !> Moves a random subarray between random layouts, with padding along each dimension.
  subroutine random_case(axes)
    integer, intent(in) :: axes
    integer, parameter :: longest(7) = [40, 15, 9, 6, 5, 4, 3]
    integer, dimension(axes) :: subarray, first_a, first_b, whole_a, whole_b, extents_a, extents_b, counts
    integer :: j, gap, beyond
    type(side) :: from, to
    real(real64), allocatable, target :: x(:), y(:)
    real(real64), allocatable :: right(:)
    real(real64) :: alpha, beta
    type(xredist_plan) :: random_plan
    character(len=80) :: what

    gap = random_in(0, 1)
    beyond = random_in(0, 1)
    do j = 1, axes
      subarray(j) = random_in(1, longest(axes))
      first_a(j) = random_in(1, 2)
      first_b(j) = random_in(1, 2)
      whole_a(j) = first_a(j) - 1 + subarray(j) + beyond*random_in(0, 2)
      whole_b(j) = first_b(j) - 1 + subarray(j) + beyond*random_in(0, 2)
    end do
    from = random_side(axes)
    to = random_side(axes)
    call xredist_local_shape(layout_of(from), whole_a, process, counts, ranks=(from%ranks))
    call expect('local shape', all(counts == counts_of(from, whole_a)))
    extents_a = [(counts(from%order(j)) + gap*random_in(0, 1), j=1, axes)]
    counts = counts_of(to, whole_b)
    extents_b = [(counts(to%order(j)) + gap*random_in(0, 1), j=1, axes)]
    alpha = random_in(1, 2)
    beta = random_in(0, 1)
    allocate (x, source=contents(from, whole_a, first_a, subarray, extents_a, 1.0_real64, 0.0_real64, -1.0_real64))
    allocate (y(product(extents_b)), source=3.0_real64)
    allocate (right, source=contents(to, whole_b, first_b, subarray, extents_b, alpha, 3*beta, 3.0_real64))
    call xredist_plan_create(random_plan, comm, subarray, layout_of(from, whole_a), layout_of(to, whole_b), 'D', &
                             first_a=first_a, first_b=first_b, ranks_a=(from%ranks), ranks_b=(to%ranks))
    call execute(random_plan, x, extents_a, y, extents_b, alpha, beta)
    call xredist_plan_destroy(random_plan)
    write (what, '(a, i0, a, 7(1x, i0))') 'random array of ', axes, ' axes', subarray
    call expect(trim(what), all(abs(y - right) <= 0))
  end subroutine

  !> Executes a plan on arrays of the rank that their extents have.
  subroutine execute(of, x, nx, y, ny, alpha, beta)
    type(xredist_plan), intent(in) :: of
    real(real64), intent(in), target, contiguous :: x(:)
    real(real64), intent(inout), target, contiguous :: y(:)
    integer, intent(in) :: nx(:), ny(:)
    real(real64), intent(in) :: alpha, beta
    real(real64), pointer :: x2(:, :), x3(:, :, :), x4(:, :, :, :), x5(:, :, :, :, :), x6(:, :, :, :, :, :), &
                             x7(:, :, :, :, :, :, :)
    real(real64), pointer :: y2(:, :), y3(:, :, :), y4(:, :, :, :), y5(:, :, :, :, :), y6(:, :, :, :, :, :), &
                             y7(:, :, :, :, :, :, :)

    select case (size(nx))
    case (1)
      call xredist_execute(of, x, y, alpha=alpha, beta=beta)
    case (2)
      x2(1:nx(1), 1:nx(2)) => x
      y2(1:ny(1), 1:ny(2)) => y
      call xredist_execute(of, x2, y2, alpha=alpha, beta=beta)
    case (3)
      x3(1:nx(1), 1:nx(2), 1:nx(3)) => x
      y3(1:ny(1), 1:ny(2), 1:ny(3)) => y
      call xredist_execute(of, x3, y3, alpha=alpha, beta=beta)
    case (4)
      x4(1:nx(1), 1:nx(2), 1:nx(3), 1:nx(4)) => x
      y4(1:ny(1), 1:ny(2), 1:ny(3), 1:ny(4)) => y
      call xredist_execute(of, x4, y4, alpha=alpha, beta=beta)
    case (5)
      x5(1:nx(1), 1:nx(2), 1:nx(3), 1:nx(4), 1:nx(5)) => x
      y5(1:ny(1), 1:ny(2), 1:ny(3), 1:ny(4), 1:ny(5)) => y
      call xredist_execute(of, x5, y5, alpha=alpha, beta=beta)
    case (6)
      x6(1:nx(1), 1:nx(2), 1:nx(3), 1:nx(4), 1:nx(5), 1:nx(6)) => x
      y6(1:ny(1), 1:ny(2), 1:ny(3), 1:ny(4), 1:ny(5), 1:ny(6)) => y
      call xredist_execute(of, x6, y6, alpha=alpha, beta=beta)
    case default
      x7(1:nx(1), 1:nx(2), 1:nx(3), 1:nx(4), 1:nx(5), 1:nx(6), 1:nx(7)) => x
      y7(1:ny(1), 1:ny(2), 1:ny(3), 1:ny(4), 1:ny(5), 1:ny(6), 1:ny(7)) => y
      call xredist_execute(of, x7, y7, alpha=alpha, beta=beta)
    end select
  end subroutine

  subroutine conversions()
    type(xredist_plan) :: other
    real(real32) :: single(size(u, 1), size(u, 2), size(u, 3))
    complex(real64) :: from(size(u, 1), size(u, 2), size(u, 3)), to(size(v, 1), size(v, 2), size(v, 3))
    character(len=3) :: texts(size(u, 1), size(u, 2), size(u, 3)), moved(size(v, 1), size(v, 2), size(v, 3))

    single = real(u, real32)
    call xredist_plan_create(other, comm, n, a, b, 'S', type_b='D')
    call xredist_execute(other, single, v)
    call arrived('converted')
    call xredist_plan_destroy(other)
    from = cmplx(u, 1, real64)
    call xredist_plan_create(other, comm, n, a, b, 'Z', conj='R')
    call xredist_execute(other, from, to)
    v = real(to, real64)
    call expect('imaginary parts', all(abs(aimag(to) + 1) <= 0))
    call arrived('conjugated')
    call xredist_plan_destroy(other)
    texts = '<'//char(int(modulo(u, 128.0_real64)))//'>'
    call xredist_plan_create(other, comm, n, a, b, bytes=3)
    call xredist_execute(other, texts, moved)
    call expect('characters', all(moved == '<'//char(int(modulo(expected, 128.0_real64)))//'>'))
    call xredist_plan_destroy(other)
  end subroutine

  !> Moves from planes of y whose owners go backwards, with a partition, to pencils.
  subroutine general_blocks()
    type(xredist_array_layout) :: planes
    type(xredist_plan) :: other
    integer :: local(3), owners(n(2)), x, y, z, l
    integer(int64) :: bounds(0:n(2)), uneven(0:processes)
    real(real64), allocatable :: w(:, :, :)

    bounds = [(y, y=0, n(2))]
    owners = [(modulo(processes*n(2) - y, processes), y=1, n(2))]
    planes = xredist_array_layout('(*, gen_block(6), *)', [1, processes, 1])
    call xredist_local_shape(planes, n, process, local, bounds=bounds, owners=owners)
    call expect('planes', all(local == [n(1), count(owners == process), n(3)]))
    allocate (w(n(1), local(2), n(3)))
    l = 0
    do y = 1, n(2)
      if (owners(y) /= process) cycle
      l = l + 1
      w(:, l, :) = reshape([((17*(17*(17 + x) + y) + z, x=1, n(1)), z=1, n(3))], [n(1), n(3)])
    end do
    call xredist_plan_create(other, comm, n, planes, b, 'D', bounds_a=bounds, owners_a=owners)
    call xredist_execute(other, w, v)
    call arrived('general blocks')
    call xredist_plan_destroy(other)
    uneven = [(min(2*y, n(2)), y=0, processes)]
    uneven(processes) = n(2)
    call xredist_local_shape(xredist_array_layout('(CYCLIC(2), GEN_BLOCK, *)', [1, processes, 1]), n, process, local, &
                             bounds=uneven)
    call expect('one block for each process', local(2) == uneven(process + 1) - uneven(process))
    call xredist_plan_create(other, comm, n, planes, b, 'D', bounds_a=uneven(:0), info=info)
    call refused(info, 'number of bounds', &
                 'bounds_a has 1 elements, must have 7: the bounds of each axis of a with GEN_BLOCK')
    call xredist_plan_create(other, comm, n, planes, b, 'D', bounds_a=bounds, owners_a=owners(2:), info=info)
    call refused(info, 'number of owners', 'owners_a has 5 elements, must have 6: the owners of the intervals')
    call xredist_plan_create(other, comm, n, a, b, 'D', bounds_b=bounds, info=info)
    call refused(info, 'no partition', 'bounds_b has 7 elements, must have 0')
    bounds(3) = 1
    call xredist_plan_create(other, comm, n, planes, b, 'D', bounds_a=bounds, owners_a=owners, info=info)
    call refused(info, 'bounds', 'a, axis 2: bounds(4) is 1')
    bounds(3:) = 3
    call xredist_plan_create(other, comm, n, planes, b, 'D', bounds_a=bounds, owners_a=owners, info=info)
    call refused(info, 'last bound', &
                 'shape(2) is 6: with first_a(2) = 1 it reaches beyond a, axis 2, which ends at 3')
  end subroutine

  !> Gives every process the whole array.
  subroutine copies_of_an_array()
    type(xredist_array_layout) :: split, everywhere
    type(xredist_plan) :: copying
    integer :: i, j, counts(2)
    real(real64) :: part(3, 2)
    real(real64), allocatable :: whole(:, :)

    split = xredist_array_layout('(*, CYCLIC)', [1, processes])
    everywhere = xredist_array_layout('(*, *)', [1, 1], copies=processes)
    call xredist_local_shape(split, [3, 2*processes], process, counts)
    call expect('local shape of a part', all(counts == [3, 2]))
    call xredist_local_shape(everywhere, [3, 2*processes], process, counts)
    call expect('local shape of a copy', all(counts == [3, 2*processes]))
    call xredist_plan_create(copying, comm, counts, split, everywhere, 'D')
    part = reshape([((10.0_real64*j + i, i=1, 3), j=process + 1, 2*processes, processes)], [3, 2])
    allocate (whole(3, 2*processes), source=0.0_real64)
    call xredist_execute(copying, part, whole)
    call expect('a copy', all(nint(whole) == reshape([((10*j + i, i=1, 3), j=1, 2*processes)], [3, 2*processes])))
    call xredist_plan_destroy(copying)
    call try('copies', n, xredist_array_layout('(*, *, *)', [1, 1, 1], copies=-1), &
             'a.copies is -1, must be at least 1, or 0 for 1')
  end subroutine

  subroutine wrong_layouts()
    integer :: local(3), many(processes + 1)
    type(xredist_array_layout) :: c

    many = 0
    call try('an axis', n, xredist_array_layout('(*, BLOCK, CYKLIC)', [1, 1, 1]), &
             "a: pattern is '(*, BLOCK, CYKLIC)': 'CYKLIC' is none of *, BLOCK, EVEN, CYCLIC and CYCLIC(k)")
    call try('an axis in brackets', n, xredist_array_layout('(*, BLOCK[1], [99999999999])', [1, 1, 1]), &
             "a: pattern is '(*, BLOCK[1], [99999999999])': ")
    call try('no layout', n, none, 'a is no layout')
    call try('a number', n, xredist_array_layout(3, [1, 1, 1]), 'a: pattern is not a text')
    call try('two axes', n, xredist_array_layout('(*, *)', [1, 1, 1]), "a: dims is 3, pattern '(*, *)' has 2 axes")
    call try('two sizes', n(:2), a, 'shape has 2 entries, a has 3 axes')
    call try('* over two', n, xredist_array_layout('(*, *, *)', [1, 1, 2]), &
             'a: grid(3) is 2, must be 1: the axis is not distributed')
    call try('grid', n, xredist_array_layout('(*, BLOCK, *)', [1, processes + 1, 1]), 'a.grid(2) is ')
    call try('source', n, xredist_array_layout('(*, BLOCK, *)', [1, processes, 1], source=[0, processes, 0]), &
             'a.source(2) is ')
    call try('order', n, xredist_array_layout('(*, BLOCK, *)', [1, 1, 1], order=[1, 2, 4]), &
             'a.order(3) is 4, must be an axis, 1 .. 3')
    call try('order', n, xredist_array_layout('(*, BLOCK, *)', [1, 1, 1], order=[3, 1, 3]), &
             'a.order(3) is 3, an axis that comes before')
    call try('order', n, xredist_array_layout('(*, BLOCK, *)', [1, 1, 1], order=[2, 1]), &
             'a.order has 2 entries, a has 3 axes')
    call try('shape', n, xredist_array_layout('(*, BLOCK, *)', [1, 1, 1], shape=[7, 5, 5]), &
             'shape(2) is 6: with first_a(2) = 1 it reaches beyond a.shape(2), which ends at 5')
    call try('size', [7, -1, 5], a, 'shape(2) is -1, must be at least 0')
    c = xredist_array_layout('(*, BLOCK)', [1, 1])
    call xredist_plan_create(plan, comm, n, a, c, 'D', info=info)
    call refused(info, 'axes of B', 'shape has 3 entries, b has 2 axes')
    call xredist_plan_create(plan, comm, n, a, b, info=info)
    call refused(info, 'neither type nor bytes', 'type and bytes are 0')
    call xredist_plan_create(plan, comm, n, a, b, 'D', first_b=[1, 0, 1], info=info)
    call refused(info, 'first element', 'first_b(2) is 0, must be at least 1')
    call xredist_plan_create(plan, comm, n, a, b, 'D', first_b=[1, 1], info=info)
    call refused(info, 'first elements', 'first_b has 2 entries, b has 3 axes')
    call xredist_plan_create(plan, comm, n, a, b, 'D', ranks_a=many, info=info)
    call refused(info, 'number of ranks', 'ranks_a has ')
    many(:processes) = processes
    call xredist_plan_create(plan, comm, n, a, b, 'D', ranks_b=many(:processes), info=info)
    call refused(info, 'a rank', 'ranks_b(1) is ')
    call xredist_plan_create(plan, comm, n, a, b, 'D', conj='X', info=info)
    call refused(info, 'conj', "conj is 'X', must be N or R")
    call xredist_local_shape(a, n, 0, local(:2), info=info)
    call refused(info, 'two local sizes', 'local has 2 entries, layout has 3 axes')
    call xredist_local_shape(none, n, 0, local, info=info)
    call refused(info, 'no layout', 'layout is no layout')
    call xredist_local_shape(a, [7, 6, -5], 0, local, info=info)
    call refused(info, 'a size', 'shape(3) is -5, must be at least 0')
  end subroutine

  !> Expects an error of a plan with this layout of A.
  subroutine try(what, sizes, layout, text)
    character(len=*), intent(in) :: what, text
    integer, intent(in) :: sizes(:)
    type(xredist_array_layout), intent(in) :: layout

    call xredist_plan_create(plan, comm, sizes, layout, b, 'D', info=info)
    call refused(info, what, text)
  end subroutine

end program arrays_nd
