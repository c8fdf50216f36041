// SPDX-License-Identifier: BSD-3-Clause
#include "copy/strided_runs.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace xredist::core {
namespace {

using Offsets = FactorLists::Offsets;
using Piece = FactorLists::Piece;

Offsets operator+(const Offsets& x, const Offsets& y) { return {x.from + y.from, x.to + y.to}; }
Offsets operator*(Index count, const Offsets& step) { return {count * step.from, count * step.to}; }

void clear(CopyRuns& list) {
  list.once.clear();
  list.repeated.clear();
}

// Enters `length` elements, each at the offsets of the one before plus the steps.
void add(CopyRuns& list, const Offsets& at, Index length, const Offsets& step) {
  if (length > 1 && (step.from != 1 || step.to != 1)) {
    list.repeated.push_back({{at.from, at.to, 1, 0}, length, step.from, step.to});
    return;
  }
  if (!list.once.empty()) {
    CopyRun& last = list.once.back();
    if (last.from + last.length == at.from && last.to + last.length == at.to) {
      last.length += length;
      return;
    }
  }
  list.once.push_back({at.from, at.to, length, 0});
}

// One side of a run: elements from a local index, or from a position in a buffer.
struct Line {
  const GroupStrides* strides;  // nullptr: a buffer
  Index first;

  Index offset(Index k) const { return strides != nullptr ? strides->offset(first + k) : first + k; }
  Index step() const { return strides != nullptr ? strides->step() : 1; }
  // Returns how many of `length` elements from the k-th on have the distance step() each.
  Index regular(Index k, Index length) const {
    return strides != nullptr ? std::min(strides->regular(first + k), length) : length;
  }
};

// Calls visit(k, count, offsets, steps) for the longest parts of a run that have one step on either side; each begins
// with element k of the run.
template <class Visit>
void for_parts(const Line& from, const Line& to, Index length, Visit visit) {
  for (Index k = 0; k < length;) {
    const Index count = to.regular(k, from.regular(k, length - k));
    visit(k, count, Offsets{from.offset(k), to.offset(k)}, Offsets{from.step(), to.step()});
    k += count;
  }
}

// Lists the elements of a product.
class StridedLister {
 public:
  StridedLister(const ProductCursor& cursor, Index count, const StridedSide& from, const StridedSide& to,
                std::vector<FactorLists>& factors)
      : count_(count), from_(from), to_(to), factors_(factors) {
    factors_.resize(cursor.runs->factors());
    std::size_t f = 0;
    Index number = cursor.number, needed = count;
    cursor.runs->for_factors(cursor.peer, [&](const ProductRuns::Factor& factor, Index peer) {
      FactorLists& lists = factors_[f];
      const Index elements = factor.elements(peer), begin = number % elements;
      lists.factor = &factor, lists.peer = peer, lists.elements = elements;
      lists.begin = lists.now = begin;
      if (f > 0)
        list_each(f, std::min(elements, needed));
      else if (lists.pieces.clear(); needed >= elements)
        for_pieces({0, elements}, [&](const Piece& piece) { lists.pieces.push_back(piece); });
      needed = (begin + needed - 1) / elements + 1;  // elements of the next factor that the chunk visits
      number /= elements;
      ++f;
    });
  }

  void list(CopyRuns& list) {
    const auto enter = [&](const Piece& piece, const Offsets& base) {
      add(list, base + piece.at, piece.length, piece.step);
    };
    FactorLists& first = factors_.front();
    for (Index done = 0; done < count_; advance()) {
      const Interval some{first.now, std::min(first.elements, first.now + count_ - done)};
      const Offsets base = base_of(done - some.begin);
      if (first.pieces.empty())
        for_pieces(some, [&](const Piece& piece) { enter(piece, base); });
      else
        for (const Piece& piece : first.pieces)
          if (const Piece part = cut(piece, some); part.length > 0) enter(part, base);
      done += some.length();
    }
  }

 private:
  // Returns the part of a piece within an interval.
  static Piece cut(const Piece& piece, const Interval& some) {
    const Index skip = std::max<Index>(some.begin - piece.first, 0);
    const Index length = std::min(piece.first + piece.length, some.end) - piece.first - skip;
    return {piece.first + skip, length, piece.at + skip * piece.step, piece.step};
  }

  Line line(const StridedSide& side, std::size_t f, const Run& run, Index position) const {
    return {side.col(f), side.strides != nullptr ? side.local(run) : position};
  }

  // Calls visit(piece) for elements of the first factor. In a buffer, elements are at the numbers that they have.
  template <class Visit>
  void for_pieces(const Interval& some, Visit visit) const {
    const FactorLists& first = factors_.front();
    Index number = some.begin;
    first.factor->for_runs(first.peer, some.begin, some.length(), [&](const Run& run) {
      for_parts(line(from_, 0, run, number), line(to_, 0, run, number), run.length,
                [&](Index k, Index count, const Offsets& at, const Offsets& step) {
                  visit(Piece{number + k, count, at, step});
                });
      number += run.length;
    });
  }

  // Lists `count` elements of another factor. In a buffer, these do not count (base_of).
  void list_each(std::size_t f, Index count) {
    FactorLists& lists = factors_[f];
    lists.each.clear();
    const auto enter = [&](const Run& run) {
      for (Index k = 0; k < run.length; ++k) lists.each.push_back({offset(from_, f, run, k), offset(to_, f, run, k)});
    };
    const Index before_end = std::min(count, lists.elements - lists.begin);
    lists.factor->for_runs(lists.peer, lists.begin, before_end, enter);
    lists.factor->for_runs(lists.peer, 0, count - before_end, enter);
  }
  static Index offset(const StridedSide& side, std::size_t f, const Run& run, Index k) {
    return side.strides != nullptr ? side.col(f)->offset(side.local(run) + k) : 0;
  }

  // Returns the offsets of the current elements of the other factors. In a buffer, element 0 of the first factor would
  // be at `position`.
  Offsets base_of(Index position) const {
    Offsets base{from_.strides != nullptr ? 0 : position, to_.strides != nullptr ? 0 : position};
    for (const FactorLists& lists : std::span(factors_).subspan(1))
      base = base + at(lists.each, modulo(lists.now - lists.begin, lists.elements));
    return base;
  }

  // Goes to element 0 of the first factor, and to the next element of the others.
  void advance() {
    factors_.front().now = 0;
    for (FactorLists& lists : std::span(factors_).subspan(1)) {
      if (++lists.now < lists.elements) return;
      lists.now = 0;
    }
  }

  Index count_;
  StridedSide from_, to_;
  std::vector<FactorLists>& factors_;
};

}  // namespace

void apply_strides(CopyRuns& list, const GroupStrides* from, const GroupStrides* to, CopyRuns& work) {
  const auto adjacent = [](const GroupStrides* side) {
    return side == nullptr || (side->is_regular() && side->step() == 1);
  };
  if (adjacent(from) && adjacent(to)) return;
  clear(work);
  const auto enter = [&](Index at_from, Index at_to, Index length) {
    for_parts({from, at_from}, {to, at_to}, length,
              [&](Index, Index count, const Offsets& at, const Offsets& step) { add(work, at, count, step); });
  };
  for (const CopyRun& run : list.once) enter(run.from, run.to, run.length);
  for (const RepeatedRun& run : list.repeated)
    for (Index i = 0; i < run.count; ++i) enter(run.from + i * run.from_step, run.to + i * run.to_step, run.length);
  std::swap(list, work);
}

void list_product(CopyRuns& list, const ProductCursor& cursor, Index count, const StridedSide& from,
                  const StridedSide& to, std::vector<FactorLists>& work) {
  clear(list);
  StridedLister(cursor, count, from, to, work).list(list);
}

}  // namespace xredist::core
