// SPDX-License-Identifier: BSD-3-Clause
// The rules of solvers, and the source of each number.
#include <array>

#include "fit/rules.hpp"

namespace xredist::core {
namespace {

struct Solver {
  std::string_view name;
  Rules rules;
};

// Square blocks, and a first block on process (0, 0), hold for all of them: ScaLAPACK's eigensolvers and factorisations
// demand MB = NB, and SLATE's ScaLAPACK interface reads MB only and ignores RSRC and CSRC (scalapack_slate.hh).
//
// `blocks` is 2 for all, and `columns` is 1, for right results. Where a process has P x Q elements of a matrix of order
// n:
//
// - PDSYEVD asks for LWORK = 2 n + L, L = max(1 + 6 n + 2 P Q, 3 n + max(NB (P + 1), 3 NB)), and hands L on to PDORMTR,
//   which needs max(NB (NB - 1) / 2, (P + Q) NB) + NB^2, and to PDLASRT, which needs P (NB + Q) on two processes or
//   more (pdsyevd.f, pdormtr.f, pdlasrt.f, from ScaLAPACK 1.7 to 2.2.3). If L is smaller, the eigenvectors are wrong
//   and INFO is 0, or a process stops and the others wait. L is large enough for P and Q of at least 2 NB; for P = Q,
//   of at least 1.37 NB; and on one process for NB = 1 and NB = 2, whatever n is.
// - PZHEEVD hands 1 + 8 n + 2 P Q numbers on to PDLASRT (pzheevd.f).
// - PDGESVD deals the rows of U and the columns of VT to all processes, one by one (pdgesvd.f). On a process without
//   any, DBDSQR computes singular values with other last bits, so INFO is min(m, n) + 1: hence `columns`.
//
// And for speed: with one block a process, PDGETRF of 2000 took 3.3 times as long as with blocks of 64; ABACUS (pull
// request 7480) takes blocks of at most n / (2 q), where q is the longer side of the grid, and CONQUEST (issue 223)
// more than one for each grid row.
constexpr std::array<Solver, 6> solvers{{
    // block, flat: ScaLAPACK Users' Guide, "Achieving High Performance": MB = NB = 64; 1 x P for fewer than 9
    // processes, otherwise a square grid. share: the rule of ScaLAPACK's tutorial is 1000 x 1000 elements for each
    // process, "do not try to solve a small problem on too many processors". 500 x 500 here, because two processes take
    // 0.50 to 0.95 of the time of one for n = 1000 (PDSYEVR: 1.11), and 0.76 to 1.11 for n = 500 (TIMING/RESULTS.md,
    // Solvers). min_block: ABACUS (pull request 7480) takes no blocks below 16, unless n / (2 q) is.
    {"scalapack", {.share = 250'000, .columns = 1, .min_block = 16, .blocks = 2, .flat = 8}},
    // block: CONQUEST's default of 32 (issue 373), and the block size of ELPA's own redistribution
    // (elpa_redistribute_template.F90). shape: ELPA's PERFORMANCE_TUNING.md: as square as possible, 12 of 13 processes,
    // with a row-major grid no more rows than columns. power: CP2K's cp_fm_diag_utils.F.
    {"elpa", {.columns = 1, .block = 32, .blocks = 2, .power = true}},
    // The GPU kernels need blocks of 2^1 to 2^10 (CP2K, issue 464). One process a GPU, or the same number on each
    // (PERFORMANCE_TUNING.md): the program sets per_node.
    {"elpa-gpu", {.columns = 1, .block = 32, .min_block = 2, .max_block = 1024, .blocks = 2, .power = true}},
    // block: the default of SLATE's LAPACK interface (lapack_api_common.hh).
    {"slate", {.columns = 1, .block = 384, .blocks = 2}},
    // block: the default of DLA-Future's miniapps (miniapp_eigensolver.cpp).
    {"dlaf", {.columns = 1, .block = 256, .blocks = 2}},
    // min_block: blocks of 1 make triangular solves hang (ABACUS, issue 7799). One process a GPU (cuSOLVERMp's
    // documentation: one handle per process and GPU): the program sets per_node. block: as for ScaLAPACK.
    {"cusolvermp", {.columns = 1, .min_block = 2, .blocks = 2}},
}};

}  // namespace

std::optional<Rules> rules_of_solver(std::string_view solver) {
  for (const auto& [name, rules] : solvers)
    if (name == solver) return rules;
  return {};
}

std::string solver_names() {
  std::string names;
  for (const Solver& solver : solvers) names.append(names.empty() ? "" : ", ").append(solver.name);
  return names;
}

}  // namespace xredist::core
