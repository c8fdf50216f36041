// SPDX-License-Identifier: BSD-3-Clause
// Moves lines (rows or columns) of a distributed matrix to other places of the same matrix, by one message for each
// pair of processes that share a move, and panel of the lines.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "layout/axis.hpp"
#include "layout/index.hpp"
#include "pivots/interchanges.hpp"
#include "pivots/line_processes.hpp"

namespace xredist::core {

/// The parts of lines that a process holds. All processes of a communicator hold the same elements of each line, so
/// `elements` is equal on all of them.
struct LocalLines {
  std::byte* data;            ///< first element of the first line
  Index line_step, step;      ///< bytes between neighbouring lines, and between neighbouring elements of a line
  Index elements;             ///< elements of a line
  std::size_t element_bytes;  ///< 4, 8 or 16
};

/// Two lines of a local array that are interchanged: their offsets (bytes).
struct LineSwap {
  Index line, other;
};

/// Interchanges lines, one pair after the other. Local.
void swap_lines(std::span<const LineSwap> swaps, const LocalLines& local);

/// Memory that later exchanges use again.
struct ExchangeMemory {
  std::vector<std::byte> buffer;
  std::vector<MPI_Request> requests;
};

/// Applies moves, of which no two have the same `to`. Process p of `lines` has rank p in `processes`. All moves are
/// equal on all processes. Takes time in proportion to the moves and to the processes. Buffers have at most 2 MiB, or
/// one element of each line that this process sends or receives; processes of a node read each other's packed lines in
/// shared memory. Collective. Throws std::bad_alloc.
void move_lines(std::span<const LineMove> moves, const Axis& lines, const LocalLines& local, LineProcesses& processes,
                ExchangeMemory& memory);

}  // namespace xredist::core
