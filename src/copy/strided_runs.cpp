// SPDX-License-Identifier: BSD-3-Clause
#include "copy/strided_runs.hpp"

#include <algorithm>
#include <utility>

namespace xredist::core {
namespace {

using Offsets = ProductLists::Offsets;
using Piece = ProductLists::Piece;

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

// The elements that a process shares with a peer along the first factor of a product.
struct FirstFactor {
  const ProductRuns::Factor& factor;
  Index peer;
  const StridedSide &from, &to;

  // Calls visit(piece) for elements of the factor. In a buffer, elements are at the numbers that they have.
  template <class Visit>
  void for_pieces(const Interval& some, Visit visit) const {
    Index number = some.begin;
    factor.for_runs(peer, some.begin, some.length(), [&](const Run& run) {
      for_parts(line(from, run, number), line(to, run, number), run.length,
                [&](Index k, Index count, const Offsets& at, const Offsets& step) {
                  visit(Piece{number + k, count, at, step});
                });
      number += run.length;
    });
  }

 private:
  static Line line(const StridedSide& side, const Run& run, Index number) {
    return {side.col(0), side.strides != nullptr ? side.local(run) : number};
  }
};

// Returns the part of a piece within an interval.
Piece cut(const Piece& piece, const Interval& some) {
  const Index skip = std::max<Index>(some.begin - piece.first, 0);
  const Index length = std::min(piece.first + piece.length, some.end) - piece.first - skip;
  return {piece.first + skip, length, piece.at + skip * piece.step, piece.step};
}

// Counts through the elements of all factors but the first. The second factor varies fastest.
class Odometer {
 public:
  // Begins with element `number` of these factors, and may advance `count` - 1 times.
  Odometer(std::vector<ProductLists::Digit>& digits, const ProductRuns& runs, Index peer, Index number, Index count,
           const StridedSide& from, const StridedSide& to)
      : digits_(digits) {
    digits_.resize(runs.factors() - 1);
    for (std::size_t f = 1; f < runs.factors(); ++f) {
      const ProductRuns::Factor& factor = runs.factor(f);
      const Index of_factor = peer % factor.peers, elements = factor.elements(of_factor), begin = number % elements;
      ProductLists::Digit& digit = digits_[f - 1];
      digit.elements = elements;
      digit.now = 0;
      digit.zero = (elements - begin) % elements;
      list(digit, factor, of_factor, {begin, begin + std::min(elements, count)}, [&](const Run& run, Index k) {
        return Offsets{offset(from, f, run, k), offset(to, f, run, k)};
      });
      peer /= factor.peers;
      number /= elements;
      count = (begin + count - 1) / elements + 1;
    }
  }

  // Returns the offsets of the current elements.
  Offsets base() const {
    Offsets base{0, 0};
    for (const ProductLists::Digit& digit : digits_) base = base + at(digit.offsets, digit.now);
    return base;
  }

  // Goes to the next element. A digit that returns to element 0 of its factor advances the next digit.
  void advance() {
    for (ProductLists::Digit& digit : digits_) {
      if (++digit.now == digit.elements) digit.now = 0;
      if (digit.now != digit.zero) return;
    }
  }

 private:
  // In a buffer, these factors have no offsets: list_product() counts elements there.
  static Index offset(const StridedSide& side, std::size_t f, const Run& run, Index k) {
    return side.strides != nullptr ? side.col(f)->offset(side.local(run) + k) : 0;
  }

  // Lists the offsets of some elements of a factor. Element 0 follows the last one.
  static void list(ProductLists::Digit& digit, const ProductRuns::Factor& factor, Index peer, const Interval& some,
                   const auto& offsets) {
    digit.offsets.clear();
    const auto enter = [&](const Run& run) {
      for (Index k = 0; k < run.length; ++k) digit.offsets.push_back(offsets(run, k));
    };
    const Index end = std::min(some.end, digit.elements);
    factor.for_runs(peer, some.begin, end - some.begin, enter);
    factor.for_runs(peer, 0, some.end - end, enter);
  }

  std::vector<ProductLists::Digit>& digits_;
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
                  const StridedSide& to, ProductLists& work) {
  clear(list);
  work.pieces.clear();
  const ProductRuns::Factor& factor = cursor.runs->factor(0);
  const FirstFactor first{factor, cursor.peer % factor.peers, from, to};
  const Index elements = factor.elements(first.peer);
  if (count >= elements) first.for_pieces({0, elements}, [&](const Piece& piece) { work.pieces.push_back(piece); });
  Index begin = cursor.number % elements;
  Odometer others(work.digits, *cursor.runs, cursor.peer / factor.peers, cursor.number / elements,
                  (begin + count - 1) / elements + 1, from, to);
  for (Index done = 0; done < count; begin = 0, others.advance()) {
    const Interval some{begin, std::min(elements, begin + count - done)};
    const Index position = done - begin;  // of element 0 in a buffer
    const Offsets base =
        others.base() + Offsets{from.strides != nullptr ? 0 : position, to.strides != nullptr ? 0 : position};
    const auto enter = [&](const Piece& piece) { add(list, base + piece.at, piece.length, piece.step); };
    if (work.pieces.empty())
      first.for_pieces(some, enter);
    else
      for (const Piece& piece : work.pieces)
        if (const Piece part = cut(piece, some); part.length > 0) enter(part);
    done += some.length();
  }
}

}  // namespace xredist::core
