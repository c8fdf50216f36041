// SPDX-License-Identifier: BSD-3-Clause
#include "route/mesh_route.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "layout/index.hpp"
#include "schedule/bipartite.hpp"

namespace xredist::core {
namespace {

// Messages of a mesh row and a mesh column: up to this number they are coloured in milliseconds.
constexpr Index max_coloured = 1 << 17;

std::vector<std::optional<Coord>> coordinates(const ProcessGrid& grid, const Mesh& mesh) {
  std::vector<std::optional<Coord>> result(static_cast<std::size_t>(mesh.size()));
  for (std::size_t place = 0; place < grid.ranks.size(); ++place)
    result[static_cast<std::size_t>(mesh.position_of(grid.ranks[place]))] = grid.at(static_cast<Index>(place));
  return result;
}

std::vector<int> positions_of(const std::vector<Partner>& rows, const std::vector<Partner>& cols,
                              const ProcessGrid& grid, const Mesh& mesh) {
  std::vector<int> result;
  result.reserve(rows.size() * cols.size());
  for (const Partner& row : rows)
    for (const Partner& col : cols) result.push_back(mesh.position_of(grid.rank_at({row.peer, col.peer})));
  return result;
}

// The edges between the processes of one row or column of the mesh, each once.
class Group {
 public:
  explicit Group(int size) : size_(size), steps_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), -1) {}

  void add(int from, int to) {
    if (from != to) steps_[at(from, to)] = 0;
  }

  // Returns the step of each pair of processes. There are as many steps as the busiest process has peers (THEORY.md,
  // T1).
  std::vector<int> steps() && {
    std::vector<Edge> edges;
    std::vector<int> sends(static_cast<std::size_t>(size_), 0), receives = sends;
    for (int from = 0; from < size_; ++from)
      for (int to = 0; to < size_; ++to)
        if (steps_[at(from, to)] == 0) {
          edges.push_back({from, to});
          ++sends[static_cast<std::size_t>(from)];
          ++receives[static_cast<std::size_t>(to)];
        }
    const int degree = std::max(std::ranges::max(sends), std::ranges::max(receives));
    const std::vector<int> colours = colour_edges(edges, size_, size_, degree);
    for (std::size_t e = 0; e < edges.size(); ++e) steps_[at(edges[e].left, edges[e].right)] = colours[e];
    return std::move(steps_);
  }

 private:
  std::size_t at(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(to);
  }

  int size_;
  std::vector<int> steps_;
};

// Sorts the legs by the step of their peer.
template <class StepOf>
void sort_by_step(std::vector<Leg>& list, StepOf step_of) {
  for (Leg& m : list) m.step = step_of(m.peer);
  std::ranges::sort(list, {}, [](const Leg& m) { return std::tuple(m.step, m.peer, m.p, m.q); });
}

}  // namespace

const std::vector<Partner>& PartnerCache::of(Index p) {
  std::vector<Partner>& list = of_[static_cast<std::size_t>(p)];
  if (list.empty()) list = partners(overlap_, p);
  return list;
}

Index PartnerCache::length(Index p, Index q) {
  const std::vector<Partner>& list = of(p);
  const auto found = std::ranges::lower_bound(list, q, {}, &Partner::peer);
  return found != list.end() && found->peer == q ? found->length : 0;
}

MeshRoute::MeshRoute(const Traffic& traffic, const ProcessGrid& a, const ProcessGrid& b, Mesh mesh)
    : traffic_(traffic),
      a_(a),
      b_(b),
      mesh_(std::move(mesh)),
      in_a_(coordinates(a, mesh_)),
      in_b_(coordinates(b, mesh_)),
      rows_(traffic.rows),
      cols_(traffic.cols),
      rows_back_(reversed(traffic.rows)),
      cols_back_(reversed(traffic.cols)) {}

std::vector<int> MeshRoute::receivers(int p) {
  if (!in_a(p)) return {};
  return positions_of(rows_.of(in_a(p)->row), cols_.of(in_a(p)->col), b_, mesh_);
}

std::vector<int> MeshRoute::senders(int q) {
  if (!in_b(q)) return {};
  return positions_of(rows_back_.of(in_b(q)->row), cols_back_.of(in_b(q)->col), a_, mesh_);
}

std::optional<Leg> MeshRoute::leg(int peer, int p, int q) {
  if (!in_a(p) || !in_b(q)) return std::nullopt;
  const Index rows = rows_.length(in_a(p)->row, in_b(q)->row);
  const Index cols = rows > 0 ? cols_.length(in_a(p)->col, in_b(q)->col) : 0;
  return cols > 0 ? std::optional(Leg{peer, p, q, rows, cols, 0}) : std::nullopt;
}

void MeshRoute::add(std::vector<Leg>& list, int peer, int p, int q) {
  if (const auto found = leg(peer, p, q)) list.push_back(*found);
}

MeshLegs MeshRoute::legs_of(int x) {
  MeshLegs legs;
  for (const int q : receivers(x))
    if (const int v = mesh_.via(x, q); v != x) add(legs[0].sends, v, x, q);
  const std::vector<int> targets = mesh_.targets(x);
  for (const int p : mesh_.sources(x))
    for (const int q : targets) {
      if (p != x) add(legs[0].receives, p, p, q);
      if (q != x) add(legs[1].sends, q, p, q);
    }
  for (const int p : senders(x))
    if (const int v = mesh_.via(p, x); v != x) add(legs[1].receives, v, p, x);
  return legs;
}

std::vector<int> MeshRoute::steps_of_row(int x) {
  Group group(mesh_.columns());
  const int begin = mesh_.row(x) * mesh_.columns();
  for (int p = begin; p < begin + mesh_.columns(); ++p)
    for (const int q : receivers(p)) group.add(mesh_.column(p), mesh_.column(q));
  return std::move(group).steps();
}

std::vector<int> MeshRoute::steps_of_column(int x) {
  Group group(mesh_.rows());
  for (const int q : mesh_.targets(x))
    for (const int p : senders(q)) group.add(mesh_.row(p), mesh_.row(q));
  return std::move(group).steps();
}

// Messages of a short last row to other rows come after the messages within these rows, in turns: one for each process
// of the short row that the same process serves.
int MeshRoute::rotated(int round, int from, int to) const {
  if (round == 1) return static_cast<int>(modulo(mesh_.row(to) - mesh_.row(from), mesh_.rows()));
  const int turn = mesh_.row(from) == mesh_.row(to) ? 0 : 1 + mesh_.column(from) / (mesh_.rows() - 1);
  return turn * mesh_.columns() + static_cast<int>(modulo(mesh_.column(to) - mesh_.column(from), mesh_.columns()));
}

MeshLegs MeshRoute::scheduled(int x, bool coloured) {
  MeshLegs legs = legs_of(x);
  coloured = coloured && mesh_.short_row() == 0;
  const std::vector<int> steps[] = {coloured ? steps_of_row(x) : std::vector<int>(),
                                    coloured ? steps_of_column(x) : std::vector<int>()};
  for (const int round : {0, 1}) {
    const auto step = [&](int from, int to) {
      if (!coloured) return rotated(round, from, to);
      const int pair = round == 0 ? mesh_.column(from) * mesh_.columns() + mesh_.column(to)
                                  : mesh_.row(from) * mesh_.rows() + mesh_.row(to);
      return steps[round][static_cast<std::size_t>(pair)];
    };
    auto& [sends, receives] = legs[static_cast<std::size_t>(round)];
    sort_by_step(sends, [&](int peer) { return step(x, peer); });
    sort_by_step(receives, [&](int peer) { return step(peer, x); });
  }
  return legs;
}

bool MeshRoute::quick_to_colour(Index messages) const {
  return messages * (mesh_.rows() + mesh_.columns()) <= max_coloured;
}

}  // namespace xredist::core
