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
!! usage: lattice [ATOMS]    The lattice is a ring of ATOMS atoms (default 288). PZHEEVD of ScaLAPACK 2.2.1 fails for matrices
!! of one or two blocks, so ATOMS is at least 64.
!!
!! The program prints the times of both variants; the plans are made before. It ends with status 1 if the results differ
!! from each other, or from the known eigenvalues of the ring.
program lattice
  use, intrinsic :: iso_fortran_env, only: error_unit, real64
  use mpi_f08, only: MPI_Wtime
  use distribution, only: near_square, new_grid
  use hermitian
  use xredist
  implicit none

  integer, parameter :: rounds = 2    ! wave vectors of each group
  integer, parameter :: repeats = 3
  integer, parameter :: block_of_all = 48, block_of_groups = 32
  real(real64), parameter :: hopping = -3.0_real64, overlap = 0.13_real64  ! of neighbours; the energy of one orbital is 0

  integer, parameter :: by_plans = 1, by_calls = 2
  character(len=*), parameter :: variants(2) = [character(len=8) :: 'plans', 'P?GEMR2D']

  integer :: process, processes, everyone   ! the grid of all processes
  integer :: groups, group, group_grid      ! number of groups, own group, grid of the own group
  integer :: n, points                      ! number of atoms, number of wave vectors
  type(ring), allocatable :: ring_h(:), ring_s(:)                      ! of each wave vector
  type(matrix), allocatable, target :: h(:), s(:), p(:, :)             ! of each wave vector, on all processes
  type(matrix), target :: own_h(rounds), own_s(rounds), own_p(rounds)  ! of the own group's wave vectors
  real(real64), allocatable :: energies(:, :, :)                       ! of the own group's wave vectors
  integer, allocatable :: desc(:, :)        ! descriptors of the groups' matrices; -1 for other groups
  real(real64) :: seconds(2), fastest(2, 2) = huge(seconds)            ! eigenstates and all else, of each variant
  integer :: failures = 0
  external :: blacs_barrier, blacs_exit, blacs_get, blacs_gridmap, blacs_pinfo, blacs_set, dgamx2d, igsum2d

  call blacs_pinfo(process, processes)
  call new_grids()
  call new_matrices()
  call with_plans()
  call with_calls()
  call check()
  call compare()
  call report()
  call blacs_exit(0)
  if (failures > 0) stop 1

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
    character(len=16) :: atoms
    integer :: round, k

    call get_command_argument(1, atoms)
    if (atoms == '') atoms = '288'
    read (atoms, *) n
    points = rounds*groups
    ring_h = [(ring(n, 0, hopping, (k - 0.5_real64)/(2*points)), k=1, points)]
    ring_s = [(ring(n, 1, overlap, ring_h(k)%wave), k=1, points)]
    allocate (h(points), s(points), p(points, 2))
    do k = 1, points
      h(k) = new_matrix(everyone, n, block_of_all)
      s(k) = h(k)
      p(k, :) = h(k)
      call fill(h(k), ring_h(k))
      call fill(s(k), ring_s(k))
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

  !> Starts the clock on all processes.
  subroutine start_clock()
    call blacs_barrier(everyone, 'All')
    seconds = [0.0_real64, -MPI_Wtime()]
  end subroutine

  subroutine solve_own(round, variant)
    integer, intent(in) :: round, variant
    real(real64) :: start

    start = MPI_Wtime()
    call solve(own_h(round), own_s(round), energies(:, round, variant), own_p(round))
    seconds(1) = seconds(1) + MPI_Wtime() - start
  end subroutine

  !> Keeps the times of the slowest process, if they are the shortest of all repetitions.
  subroutine stop_clock(variant)
    integer, intent(in) :: variant

    seconds(2) = seconds(2) + MPI_Wtime() - seconds(1)
    call dgamx2d(everyone, 'All', ' ', 2, 1, seconds, 2, 0, 0, -1, -1, -1)
    fastest(:, variant) = min(fastest(:, variant), seconds)
  end subroutine

  ! By plans

  subroutine with_plans()
    type(xredist_plan) :: to_group(groups), to_all(groups)
    type(xredist_request) :: sent, returned(rounds)
    integer :: repetition, round, other

    call make_plans(to_group, to_all)
    do repetition = 1, repeats
      call start_clock()
      call send_to_groups(to_group, sent)
      do round = 1, rounds
        call xredist_wait_member(sent, 2*point(group, round) - 1)  ! H
        call xredist_wait_member(sent, 2*point(group, round))      ! S
        call solve_own(round, by_plans)
        call return_to_all(round, to_all, returned(round))
      end do
      call xredist_wait(sent)
      do round = 1, rounds
        call xredist_wait(returned(round))
      end do
      call stop_clock(by_plans)
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
      call start_clock()
      call send_one_by_one()
      do round = 1, rounds
        call solve_own(round, by_calls)
        call complete(own_p(round))
      end do
      call return_one_by_one()
      call stop_clock(by_calls)
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

  !> Compares the eigenvalues, the number of electrons Tr(P S), and their energy Tr(P H) with the known values.
  subroutine check()
    real(real64) :: known(n), trust
    integer :: round, k

    trust = 100*n*epsilon(trust)
    do round = 1, rounds
      known = known_energies(point(group, round))
      call expect('the eigenvalues', all(abs(energies(:, round, by_plans) - known) < trust))
    end do
    do k = 1, points
      known = known_energies(k)
      call expect('the electrons', abs(trace_of_product(p(k, by_plans), ring_s(k)) - n/2) < n*trust)
      call expect('their energy', abs(trace_of_product(p(k, by_plans), ring_h(k)) - sum(known(:n/2))) < n*trust)
    end do
  end subroutine

  pure function known_energies(k)
    integer, intent(in) :: k
    real(real64) :: known_energies(n)

    known_energies = ring_h(k)%eigenvalues()/ring_s(k)%eigenvalues()
  end function

  !> Checks that both variants give the same bits.
  subroutine compare()
    integer :: k

    call expect('eigenvalues differ', all(abs(energies(:, :, by_plans) - energies(:, :, by_calls)) <= 0))
    do k = 1, points
      call expect('P differs', all(abs(p(k, by_plans)%local - p(k, by_calls)%local) <= 0))
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
    print '(4(a, i0), a)', '# ', n, ' atoms, ', points, ' wave vectors; ', processes, ' processes in ', groups, ' groups'
    print '(a, t26, 2a12)', 'milliseconds', adjustr(variants)
    print '(a, t26, 2f12.2)', 'eigenstates, P', 1000*fastest(1, :), 'all else', 1000*fastest(2, :)
    if (failures == 0) print '(a)', 'lattice right'
  end subroutine

end program lattice
