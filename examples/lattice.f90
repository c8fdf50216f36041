! SPDX-License-Identifier: BSD-3-Clause
!> Computes the eigenstates of a lattice for several wave vectors, as programs for electronic structure do: H and S of
!! each wave vector are distributed over all processes, a group of processes computes the eigenstates of a wave vector,
!! and all processes get the density matrix P. H, S and P are Hermitian. The program stores the lower triangle of H and S
!! and computes the lower triangle of P, but needs all of P.
!!
!! The program works in two variants, whose results must be equal:
!!
!! - plans of module xredist: all matrices travel in one batch, a group starts as soon as its matrices have arrived, and P
!!   is completed on its way back, while the group computes the next P;
!! - P?GEMR2D: one matrix after the other, and each group completes its P with PZTRANC first.
!!
!! usage: lattice [CELLS]    The lattice is a supercell of CELLS x CELLS unit cells of graphene (default 12).
!!
!! The program prints the times of both variants; the plans are made before. It ends with status 1 if the results differ
!! from each other, or from the known bands of graphene.
program lattice
  use, intrinsic :: iso_fortran_env, only: error_unit, real64
  use distribution, only: near_square, new_grid
  use graphene, only: bands, hamiltonian, overlap, supercell
  use hermitian
  use timetable
  use xredist
  implicit none

  integer, parameter :: rounds = 2    ! wave vectors of each group
  integer, parameter :: repeats = 3
  integer, parameter :: block_of_all = 48, block_of_groups = 32

  integer, parameter :: by_plans = 1, by_calls = 2
  character(len=*), parameter :: variants(2) = [character(len=8) :: 'plans', 'P?GEMR2D']
  integer, parameter :: going = 1, solving = 2, completing = 3, returning = 4, planning = 5
  character(len=*), parameter :: phases(4) = [character(len=21) :: 'H and S to the groups', 'eigenstates, P', &
                                             'P is completed', 'P to all processes']

  integer :: process, processes, everyone   ! the grid of all processes
  integer :: groups, group, group_grid      ! number of groups, own group, grid of the own group
  integer :: n, points                      ! number of orbitals, number of wave vectors
  type(supercell), allocatable :: cell(:)   ! of each wave vector
  type(matrix), allocatable, target :: h(:), s(:), p(:, :)             ! of each wave vector, on all processes
  type(matrix), target :: own_h(rounds), own_s(rounds), own_p(rounds)  ! of the own group's wave vectors
  real(real64), allocatable :: energies(:, :, :)                       ! of the same wave vectors
  integer, allocatable :: desc(:, :)        ! descriptors of the groups' matrices; -1 for other groups
  integer :: failures = 0
  external :: blacs_exit, blacs_get, blacs_gridmap, blacs_pinfo, blacs_set, dgamx2d, igsum2d

  call blacs_pinfo(process, processes)
  call new_grids()
  call new_matrices()
  call with_plans()
  call with_calls()
  call check(by_plans)
  call check(by_calls)
  call compare()
  call report()
  call blacs_exit(0)
  if (failures > 0) stop 1, quiet=.true.

contains

  !> Each column of the grid of all processes is a group.
  subroutine new_grids()
    integer, allocatable :: map(:, :)
    integer :: members, rows, columns, context, other, i, j

    members = near_square(processes)
    groups = processes/members
    everyone = new_grid(members, groups)
    rows = near_square(members)
    columns = members/rows
    do other = 1, groups
      map = reshape([((other - 1 + groups*(rows*j + i), i=0, rows - 1), j=0, columns - 1)], [rows, columns])
      call blacs_get(-1, 0, context)
      call blacs_gridmap(context, map, rows, rows, columns)
      if (.not. any(map == process)) cycle
      group = other
      group_grid = context
    end do
    call blacs_set(group_grid, 15, [1])  ! a fixed order of sums gives the same bits each time
  end subroutine

  subroutine new_matrices()
    character(len=16) :: cells
    integer :: side, round, k

    call get_command_argument(1, cells)
    if (cells == '') cells = '12'
    read (cells, *) side
    points = rounds*groups
    cell = [(supercell(side, [(k - 0.5_real64)/points, 0.25_real64]), k=1, points)]
    n = cell(1)%orbitals()
    allocate (h(points), s(points), p(points, 2))
    do k = 1, points
      h(k) = new_matrix(everyone, n, block_of_all)
      s(k) = h(k)
      p(k, :) = h(k)
      call fill(h(k), hamiltonian, cell(k))
      call fill(s(k), overlap, cell(k))
    end do
    do round = 1, rounds
      own_h(round) = new_matrix(group_grid, n, block_of_groups)
      own_s(round) = own_h(round)
      own_p(round) = own_h(round)
    end do
    allocate (energies(n, rounds, 2), source=0.0_real64)
    allocate (desc(9, groups), source=-1)
    desc(:, group) = own_h(1)%desc
  end subroutine

  !> Returns the wave vector of a group in a round.
  pure integer function point(of_group, round)
    integer, intent(in) :: of_group, round

    point = (round - 1)*groups + of_group
  end function

  ! By plans

  subroutine with_plans()
    type(xredist_plan) :: to_group(groups), to_all(groups)
    type(xredist_request) :: sent, returned(rounds)
    integer :: repetition, round, other

    call start_clock(everyone)
    call make_plans(to_group, to_all)
    call lap(planning)
    if (process == 0) print '(a, f0.2, a)', '# plans are made once, in ', milliseconds_of(planning), ' ms'
    do repetition = 1, repeats
      call start_clock(everyone)
      call send_to_groups(to_group, sent)
      do round = 1, rounds
        call xredist_wait_member(sent, 2*point(group, round) - 1)  ! H
        call xredist_wait_member(sent, 2*point(group, round))      ! S
        call lap(going)
        call solve(own_h(round), own_s(round), energies(:, round, by_plans), own_p(round))
        call lap(solving)
        call return_to_all(round, to_all, returned(round))
        call lap(returning)
      end do
      call xredist_wait(sent)
      call lap(going)
      do round = 1, rounds
        call xredist_wait(returned(round))
      end do
      call lap(returning)
      call keep_times(everyone, by_plans)
    end do
    do other = 1, groups
      call xredist_plan_destroy(to_group(other))
      call xredist_plan_destroy(to_all(other))
    end do
  end subroutine

  !> Plans copy the lower triangle to the groups, and complete P on its way back. Messages move only inside calls of the
  !! library. The buffer holds all data that a process still has to send when its own matrices have arrived, so no group
  !! waits for a group that computes.
  subroutine make_plans(to_group, to_all)
    type(xredist_plan), intent(out) :: to_group(:), to_all(:)
    integer :: context, other

    context = new_grid(1, processes)
    call xredist_set_option(context, 'buffer', '64M')
    do other = 1, groups
      call xredist_plan_create(to_group(other), context, n, n, h(1)%desc, desc(:, other), 'Z', uplo='L')
      call xredist_plan_create(to_all(other), context, n, n, desc(:, other), h(1)%desc, 'Z', uplo='L', mirror='H')
    end do
  end subroutine

  !> Starts one batch with all H and S, in the order in which the groups need them.
  subroutine send_to_groups(to_group, sent)
    type(xredist_plan), intent(in) :: to_group(:)
    type(xredist_request), intent(out) :: sent
    type(xredist_job) :: jobs(2*points)
    integer :: round, other, k

    do round = 1, rounds
      do other = 1, groups
        k = point(other, round)
        jobs(2*k - 1) = xredist_job(to_group(other), h(k)%local)
        jobs(2*k) = xredist_job(to_group(other), s(k)%local)
        if (other /= group) cycle  ! other groups have B
        jobs(2*k - 1) = xredist_job(to_group(other), h(k)%local, own_h(round)%local)
        jobs(2*k) = xredist_job(to_group(other), s(k)%local, own_s(round)%local)
      end do
    end do
    call xredist_start(jobs, sent)
  end subroutine

  subroutine return_to_all(round, to_all, returned)
    integer, intent(in) :: round
    type(xredist_plan), intent(in) :: to_all(:)
    type(xredist_request), intent(out) :: returned
    type(xredist_job) :: jobs(groups)
    integer :: other

    do other = 1, groups
      jobs(other) = xredist_job(to_all(other), b=p(point(other, round), by_plans)%local)
      if (other == group) jobs(other) = xredist_job(to_all(other), own_p(round)%local, p(point(other, round), by_plans)%local)
    end do
    call xredist_start(jobs, returned)
  end subroutine

  ! By P?GEMR2D

  subroutine with_calls()
    integer :: repetition, round

    do repetition = 1, repeats
      call start_clock(everyone)
      call send_one_by_one()
      call lap(going)
      do round = 1, rounds
        call solve(own_h(round), own_s(round), energies(:, round, by_calls), own_p(round))
        call lap(solving)
        call complete(own_p(round))
        call lap(completing)
      end do
      call return_one_by_one()
      call lap(returning)
      call keep_times(everyone, by_calls)
    end do
  end subroutine

  subroutine send_one_by_one()
    integer :: round, other, k

    do round = 1, rounds
      do other = 1, groups
        k = point(other, round)
        call pzgemr2d(n, n, h(k)%local, 1, 1, h(k)%desc, own_h(round)%local, 1, 1, desc(:, other), everyone)
        call pzgemr2d(n, n, s(k)%local, 1, 1, s(k)%desc, own_s(round)%local, 1, 1, desc(:, other), everyone)
      end do
    end do
  end subroutine

  subroutine return_one_by_one()
    integer :: round, other, k

    do round = 1, rounds
      do other = 1, groups
        k = point(other, round)
        call pzgemr2d(n, n, own_p(round)%local, 1, 1, desc(:, other), p(k, by_calls)%local, 1, 1, h(k)%desc, everyone)
      end do
    end do
  end subroutine

  ! Results

  !> Compares the eigenvalues, the number of electrons Tr(P S), and their energy Tr(P H) with the known bands.
  subroutine check(variant)
    integer, intent(in) :: variant
    real(real64) :: error(3), known(n), trust
    integer :: round, k

    error = 0
    do round = 1, rounds
      known = bands(cell(point(group, round)))
      error(1) = max(error(1), maxval(abs(energies(:, round, variant) - known)))
    end do
    do k = 1, points
      known = bands(cell(k))
      error(2) = max(error(2), abs(trace_of_product(p(k, variant), overlap, cell(k)) - n/2))
      error(3) = max(error(3), abs(trace_of_product(p(k, variant), hamiltonian, cell(k)) - sum(known(:n/2))))
    end do
    call dgamx2d(everyone, 'All', ' ', size(error), 1, error, size(error), 0, 0, -1, -1, -1)
    if (process == 0) print '(2a, 3(a, es7.1), a)', '# errors by ', variants(variant), ': eigenvalues ', error(1), &
      ' eV, electrons ', error(2), ', their energy ', error(3), ' eV'
    trust = 100*n*epsilon(trust)
    call expect('the eigenvalues by '//variants(variant), error(1) < trust)
    call expect('P by '//variants(variant), all(error(2:) < n*trust))
  end subroutine

  !> Checks that both variants give the same bits.
  subroutine compare()
    integer :: k

    call expect('eigenvalues differ', all(abs(energies(:, :, by_plans) - energies(:, :, by_calls)) <= 0))
    do k = 1, points
      call expect('P differ', largest_difference(p(k, by_plans), p(k, by_calls)) <= 0)
    end do
  end subroutine

  subroutine expect(what, right)
    character(len=*), intent(in) :: what
    logical, intent(in) :: right

    if (right) return
    failures = failures + 1
    write (error_unit, '(2a)') 'lattice: wrong: ', what
  end subroutine

  subroutine report()
    call igsum2d(everyone, 'All', ' ', 1, 1, failures, 1, -1, -1)
    if (process /= 0) return
    print '(4(a, i0), a)', '# graphene: ', n, ' orbitals, ', points, ' wave vectors; ', processes, &
      ' processes in ', groups, ' groups'
    call print_times(variants, phases)
    if (failures == 0) print '(a)', 'lattice right'
  end subroutine

end program lattice
