# SPDX-License-Identifier: BSD-3-Clause
# Labels of tests that a preset leaves out. A row is a label, a pattern of names, and the reason. Capitals keep a label
# from containing another one (mpi): -L takes a pattern.
set(XREDIST_TEST_LABELS
  # MPICH: three processes at most, because two cores have no room for more that wait in MPICH.
  not_MPICH "[.]np([4-9]|1[26])$|[.].*_[4-9]$" "more than three processes"
  not_MPICH "^mpi[.]many$" "34 processes"
  not_MPICH "^(documents|ilp64|linking|nodes|packaging|python|testers|example)[.]|^pivots[.]x" "the same with each MPI, or long"
  not_MPICH "^consume[.]killed" "the launcher may end the other processes by SIGKILL"
  not_MPICH "^watch[.]" "more than three processes, which wait"
  not_MPICH "[.](mesh|permits|small_buffer|tune|valgrind)|^(locale[.])?try$" "another setting of a test that runs"
  # Sanitizers: of each program the run with three or four processes.
  not_debug "[.]np(1|2|5|6|8|9|12|16)$" "another number of processes runs"
  not_debug "^(plans|file[.](arrays|consume))[.]np4$" "three processes run, too"
  not_debug "^mpi[.]many$" "34 processes, which a simulated MPI has under sanitizers"
  not_debug "^(testers|ilp64|blocks|nodes|example)[.]|^pivots[.]x" "runs no code that others do not run, or takes long"
  not_debug "[.]parity$|[.]mesh[.]two-hop|^linking[.]standin$|^drop_in[.](np4|small_buffer)$" "takes long"
  not_debug "^(mpi[.]permits|solvers)[.]np4$|^failure[.]mesh[.]2$" "takes long, and unit tests run the same code"
  not_debug "^watch[.]" "takes long, and ends its programs"
  not_debug "^(Optimal[.]AllSmallAxes|RandomSchedules[.]DefaultOfManyProcesses.*|Solvers[.]KeptLayoutsAreRight)$"
    "takes long, and other tests of the program run the same code"
  # Coverage: counting changes the size of files and the exported names.
  not_coverage "[.]np(5|6|8|12|16)$" "more than four processes"
  not_coverage "^(testers|documents|ilp64|nodes|packaging|example)[.]|^pivots[.]x" "runs no lines that others do not run"
  not_coverage "^limits[.]file-size|^linking[.]symbols$" "counting changes what they check"
  # Flags of users: plans, files, the drop-in, Fortran and the examples remain.
  not_flags "^(before_init|ends|error|failure|first_call|lifetime|limits|linking)([.]|$)" "does not depend on flags"
  not_flags "^(blas|buffers|cpp_.*|fit|gridmap|ilp64|members|pblas|pivots|plans|watch)([.]|$)" "its program is not built"
  not_flags "^Planning[.]|^(Queue|WorkspacePool)[.].*OfMany" "counts basic blocks, which flags change"
  not_flags "^try([.]|$)|^locale[.]try$|[.]valgrind$" "takes long"
)

# xredist_labels_of(<name> <variable>): sets the variable to the labels of a test that presets leave out.
function(xredist_labels_of name result)
  set(rows ${XREDIST_TEST_LABELS})
  set(labels)
  while(rows)
    list(POP_FRONT rows label pattern reason)
    if(name MATCHES "${pattern}")
      list(APPEND labels ${label})
    endif()
  endwhile()
  set(${result} ${labels} PARENT_SCOPE)
endfunction()

# Gives the tests of this folder, defined so far, the labels of the table.
function(xredist_label_tests)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test IN LISTS tests)
    xredist_labels_of(${test} labels)
    if(labels)
      set_property(TEST ${test} APPEND PROPERTY LABELS ${labels})
    endif()
  endforeach()
endfunction()
