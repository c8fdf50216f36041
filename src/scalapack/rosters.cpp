// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/rosters.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

namespace xredist::core {
namespace {

constexpr std::size_t max_rosters = 32;  // per context
constexpr std::size_t max_entries = 8;   // per grid

// Attached to the communicator of a grid: the roster of the grid in each context.
struct GridRosters {
  struct Entry {
    Index context, roster;
  };
  std::vector<Entry> entries;
};

Index new_serial() {
  static Index last = 0;
  return ++last;
}

}  // namespace

Rosters::Rosters(Attributes& attributes, MPI_Comm context, int rank)
    : attributes_(attributes), context_(context), rank_(rank), serial_(new_serial()) {}

const Roster* Rosters::find(Index id) const {
  const auto found = std::ranges::find(all_, id, &Roster::id);
  return found == all_.end() ? nullptr : &*found;
}

const Roster* Rosters::of_grid(MPI_Comm grid) const {
  const GridRosters* known = attributes_.find<GridRosters>(grid);
  if (known == nullptr) return nullptr;
  const auto found = std::ranges::find(known->entries, serial_, &GridRosters::Entry::context);
  return found == known->entries.end() ? nullptr : find(found->roster);
}

const Roster& Rosters::add(std::vector<int> ranks, MPI_Comm grid) {
  const auto same = std::ranges::find_if(all_, [&](const Roster& roster) { return *roster.ranks == ranks; });
  const auto has = [&](int rank) { return std::ranges::find(ranks, rank) != ranks.end(); };
  const Roster& added = same != all_.end()
                            ? *same
                            : all_.emplace_back(Roster{next_id_++, has(rank_), has(0),
                                                       std::make_shared<const std::vector<int>>(std::move(ranks))});
  if (grid != MPI_COMM_NULL) {
    GridRosters* known = attributes_.find<GridRosters>(grid);
    if (known == nullptr) known = &attributes_.attach(grid, std::make_unique<GridRosters>());
    std::erase_if(known->entries, [&](const GridRosters::Entry& entry) { return entry.context == serial_; });
    if (known->entries.size() == max_entries) known->entries.erase(known->entries.begin());
    known->entries.push_back({serial_, added.id});
  }
  return added;
}

// Communicators of grids may still name forgotten rosters, so the context gets another serial number.
void Rosters::forget() {
  all_.clear();
  next_id_ = 0;
  serial_ = new_serial();
}

void Rosters::forget_old() {
  while (all_.size() > max_rosters) all_.erase(all_.begin());
}

Index packed_places(const Grid& first, const Grid& second) {
  Index packed = 0;
  for (const Grid* grid : {&second, &first})
    packed = (packed << 32) + (grid->member() ? grid->myrow * grid->npcol + grid->mycol + 1 : 0);
  return packed;
}

int place_in(std::size_t grid, Index packed) {
  return static_cast<int>(packed >> (32 * grid) & std::numeric_limits<std::int32_t>::max()) - 1;
}

}  // namespace xredist::core
