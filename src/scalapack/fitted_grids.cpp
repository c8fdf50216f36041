// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/fitted_grids.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace xredist::core {
namespace {

constexpr std::size_t max_known = 16;

}  // namespace

const Fitted* FittedGrids::find(const FitQuestion& question) const {
  const auto found = std::ranges::find(known_, question, &Known::question);
  return found == known_.end() ? nullptr : &found->fitted;
}

const Fitted& FittedGrids::remember(FitQuestion question, Fitted fitted) {
  if (known_.size() == max_known) known_.erase(known_.begin());
  return known_.emplace_back(Known{std::move(question), std::move(fitted)}).fitted;
}

std::vector<FittedGrids::BlacsGrid>::const_iterator FittedGrids::position(const Fitted& fitted) const {
  return std::ranges::find_if(grids_, [&](const BlacsGrid& grid) {
    return grid.nprow == fitted.choice.nprow && grid.npcol == fitted.choice.npcol && grid.ranks == fitted.ranks;
  });
}

void FittedGrids::reserve(const Fitted& fitted, Attributes& attributes) {
  attributes.reserve<GridLife>();
  grids_.reserve(grids_.size() + 1);
  next_life_ = std::make_unique<GridLife>(GridLife{std::make_shared<char>()});
  const auto& [nprow, npcol, block] = fitted.choice;
  next_ = {nprow, npcol, fitted.ranks, -1, next_life_->life};
  usermap_.resize(fitted.ranks.size());
  for (Index position = 0; position < nprow * npcol; ++position)
    at(usermap_, position % npcol * nprow + position / npcol) = at(fitted.ranks, position);
}

bool FittedGrids::grid_missing(const Fitted& fitted) const {
  const auto found = position(fitted);
  return found == grids_.end() || !found->usable();
}

// The grid is made while other threads may use the library: processes wait for each other in BLACS.
void FittedGrids::make_grid(MPI_Comm comm, Attributes& attributes, Progress& progress) {
  std::erase_if(grids_, [&](const BlacsGrid& grid) {  // the program has freed them on some processes
    return grid.nprow == next_.nprow && grid.npcol == next_.npcol && grid.ranks == next_.ranks;
  });
  xredist_int ctxt = MPI_Comm_c2f(comm);
  const auto nprow = static_cast<xredist_int>(next_.nprow), npcol = static_cast<xredist_int>(next_.npcol);
  const auto gridmap = [&] { blacs().gridmap(&ctxt, usermap_.data(), &nprow, &nprow, &npcol); };
  progress.run_unlocked(std::cref(gridmap));  // a reference, because nothing may be allocated while others wait
  next_.ctxt = grid_of(ctxt).member() ? ctxt : -1;
  if (next_.ctxt >= 0) attributes.attach(communicator(ctxt), std::move(next_life_));
  grids_.push_back(std::move(next_));
}

xredist_int FittedGrids::grid(const Fitted& fitted) const { return position(fitted)->ctxt; }

void FittedGrids::free() noexcept {
  for (const BlacsGrid& grid : grids_)
    if (grid.ctxt >= 0 && !grid.life.expired()) blacs().gridexit(&grid.ctxt);
  grids_.clear();
}

}  // namespace xredist::core
