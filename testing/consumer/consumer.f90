! Transposes the grid of a small matrix, knowing nothing but ScaLAPACK.
program consumer
  implicit none
  integer, parameter :: n = 6
  integer :: me, processes, world, rows, columns, desca(9), descb(9), nprow, npcol, row, column, j, held
  integer, external :: numroc
  double precision, allocatable :: a(:,:), b(:,:)

  call blacs_pinfo(me, processes)
  call blacs_get(-1, 0, world)
  rows = world
  call blacs_gridinit(rows, 'R', processes, 1)
  columns = world
  call blacs_gridinit(columns, 'R', 1, processes)

  call blacs_gridinfo(rows, nprow, npcol, row, column)
  held = numroc(n, 1, row, 0, nprow)
  allocate(a(held, n))
  do j = 1, n
    a(:, j) = j
  end do
  desca = [1, rows, n, n, 1, n, 0, 0, max(1, held)]

  call blacs_gridinfo(columns, nprow, npcol, row, column)
  allocate(b(n, numroc(n, 1, column, 0, npcol)))
  b = 0
  descb = [1, columns, n, n, n, 1, 0, 0, n]

  call pdgemr2d(n, n, a, 1, 1, desca, b, 1, 1, descb, rows)
  do j = 1, size(b, 2)
    if (any(b(:, j) /= column + 1 + (j - 1) * npcol)) error stop 'wrong'
  end do
  if (me == 0) print '(a)', 'right'
  call blacs_exit(0)
end program consumer
