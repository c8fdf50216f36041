// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/maximum.hpp"

#include <algorithm>
#include <array>

#include "exchange/errors.hpp"

namespace xredist::core {
namespace {

// A binary tree: positions in `ranks`. A process has at most three neighbours, the parent and two children. Like an
// exchange, the reduction has a sequence number with each neighbour, so its messages never match those of others, and a
// process that gives up tells its neighbours.
struct Neighbour {
  int rank = -1;
  Index number = 0;
};

struct Tree {
  Neighbour parent;
  std::array<Neighbour, 2> children;

  Tree(std::span<const int> ranks, Channel& channel) {
    const Index me = std::ranges::find(ranks, channel.rank()) - ranks.begin();
    const Ledger::Entry entry = channel.ledger().open();
    const auto neighbour = [&](Index position) {
      if (position >= std::ssize(ranks)) return Neighbour{};
      const int rank = at(ranks, position);
      return Neighbour{rank, entry.count(rank).value()};
    };
    if (me > 0) parent = neighbour((me - 1) / 2);
    children = {neighbour(2 * me + 1), neighbour(2 * me + 2)};
  }

  template <class Visit>
  void each(Visit visit) const {
    for (const Neighbour& neighbour : {parent, children[0], children[1]})
      if (neighbour.rank >= 0) visit(neighbour);
  }
};

// Waits inside MPI if nothing else is under way. Returns whether the request is complete.
bool advance(MPI_Request& request, Channel& channel, const LibraryLock& lock) {
  Queue& queue = lock->queue;
  std::array<MPI_Request, 2> requests{request, channel.withdrawal()};
  int index = MPI_UNDEFINED, completed = 0;
  MPI_Status status;
  if (queue.empty() && !lock->progress.many_threads())
    completed = MPI_Waitany(2, requests.data(), &index, &status) == MPI_SUCCESS;
  else
    MPI_Testany(2, requests.data(), &index, &completed, &status);
  request = requests[0];
  channel.withdrawal() = requests[1];
  if (completed != 0 && index == 1) channel.heard(status);
  if (completed != 0 && index == 0) return true;
  if (!queue.empty()) queue.advance();
  lock->progress.pause();
  return false;
}

void demand(const Tree& tree, const Channel& channel) {
  const Ledger& ledger = channel.ledger();
  if (ledger.refuses_all()) throw WithdrawalLost();
  tree.each([&](const Neighbour& neighbour) {
    if (ledger.refuses(neighbour.rank, neighbour.number))
      throw Withdrawn(neighbour.rank, ledger.refuses_for_ever(neighbour.rank, neighbour.number));
  });
}

// Completes a receive, or cancels it if a neighbour has given up.
void complete_receive(MPI_Request request, const Tree& tree, Channel& channel, const LibraryLock& lock) {
  try {
    do demand(tree, channel);
    while (!advance(request, channel, lock));
  } catch (...) {
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    throw;
  }
}

}  // namespace

void take_maximum(std::span<double> values, std::span<const int> ranks, Channel& channel, const LibraryLock& lock) {
  const Tree tree(ranks, channel);
  const int count = static_cast<int>(values.size());
  const auto receive = [&](const Neighbour& from, double* into) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(into, count, MPI_DOUBLE, from.rank, channel.tag(from.number, 0), channel.comm(), &request);
    complete_receive(request, tree, channel, lock);
  };
  const auto send = [&](const Neighbour& to) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(values.data(), count, MPI_DOUBLE, to.rank, channel.tag(to.number, 0), channel.comm(), &request);
    while (!advance(request, channel, lock))
      ;  // so short a message does not wait for its receiver
  };
  try {
    for (const Neighbour& child : tree.children) {
      if (child.rank < 0) continue;
      std::array<double, max_reduced> other{};
      receive(child, other.data());
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = std::max(values[k], other[k]);
    }
    if (tree.parent.rank >= 0) {
      send(tree.parent);
      receive(tree.parent, values.data());
    }
    for (const Neighbour& child : tree.children)
      if (child.rank >= 0) send(child);
  } catch (...) {
    tree.each([&](const Neighbour& neighbour) { channel.withdraw(neighbour.rank, neighbour.number, false); });
    throw;
  }
}

}  // namespace xredist::core
