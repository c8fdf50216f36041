// SPDX-License-Identifier: BSD-3-Clause
#include "copy/packer.hpp"

#include <algorithm>

namespace xredist::core {
namespace {

// Bytes of a process's part of B: from this size on, stores bypass the caches, which the part would not fit into. Whole
// calls take 0.75 to 0.97 of the time at 32 MB a process. (On two cores with 2 MB of second-level cache each and a slow
// third level, such stores are as fast from 4 MB on. Until B has been read once, the time is 1.12 at 4 MB, 0.97 at 16.)
constexpr Index min_streamed_part = Index{8} << 20;

bool streams_to_b(const Redistribution& redistribution) {
  const Traffic& t = redistribution.traffic;
  return t.rows.n / t.rows.b.procs * (t.cols.n / t.cols.b.procs) * redistribution.bytes_b() >= min_streamed_part;
}

// Returns whether packing makes elements of the diagonal real.
bool changes_diagonal(const Operation& operation, const Chunk& chunk) {
  return operation.real_diagonal && !chunk.whole;
}

// Returns the distance of columns in units.
template <class SomeArray>
Index ld_of(const SomeArray& array, Index units) {
  return array.strides != nullptr ? 1 : array.ld * units;
}

// Returns the distance of columns of A: in units or, if A is transposed, in elements of the matrix.
Index ld_of_a(const Redistribution& redistribution, const ConstArray& a) {
  if (!redistribution.operation.transposed) return ld_of(a, redistribution.units);
  return a.strides != nullptr ? a.strides->rows.step() : a.ld;
}

// Returns the first `bytes` bytes of a work area, which grows if necessary.
std::byte* room(std::vector<std::byte>& area, Index bytes) {
  if (area.size() < as_size(bytes)) area.resize(as_size(bytes));
  return area.data();
}

}  // namespace

int Packer::threads_for(const Chunk& chunk, Index bytes) const {
  if (threads_ == 1) return 1;
  const Index max = std::min(threads_, chunk.cols.count);
  return static_cast<int>(std::clamp<Index>(chunk.rows.count * chunk.cols.count * bytes / min_share_, 1, max));
}

void Packer::reserve(const Redistribution& redistribution, const Scalars& scalars, Index elements) {
  if (is_copy(redistribution, scalars)) return;
  const Operation& operation = redistribution.operation;
  const Index bytes_a = elements * redistribution.bytes_a(), bytes_b = elements * redistribution.bytes_b();
  if (operation.narrows(redistribution.bytes)) room(unconverted_, bytes_a);
  if (operation.transposed && !redistribution.whole()) room(transposed_, bytes_a);
  if (update_by(operation.carried(redistribution.bytes), redistribution, scalars)) room(updated_, bytes_b);
  room(intermediate_, elements * redistribution.bytes);
}

Index Packer::bytes_of(const Redistribution& redistribution, const Chunk& chunk) {
  if (chunk.whole) return redistribution.bytes * chunk.rows.count * chunk.cols.count;
  return redistribution.bytes * ChunkMove(redistribution, chunk, Place::a, Place::packed, lists_).elements();
}

Index Packer::pack(const Redistribution& redistribution, const Chunk& chunk, ConstArray a, std::byte* buffer) {
  const auto& [traffic, region, bytes, operation, units] = redistribution;
  const Index from_bytes = redistribution.bytes_a(), rows = chunk.rows.count;
  const bool narrows = operation.narrows(bytes);
  std::byte* packed = narrows ? room(unconverted_, rows * chunk.cols.count * from_bytes) : buffer;
  Index elements;
  if (operation.transposed) {
    elements = pack_transposed(redistribution, chunk, a, packed);
  } else {
    const ChunkMove move(redistribution, chunk, Place::a, Place::packed, lists_, {a.strides, nullptr});
    elements =
        move.run({from_bytes}, {a.data, ld_of_a(redistribution, a), packed, rows}, threads_for(chunk, from_bytes));
    if (changes_diagonal(operation, chunk))
      move.for_diagonal([&](Index position) { make_real(redistribution.operation.a, packed + position * from_bytes); });
  }
  if (narrows) convert(operation.a, operation.b, packed, buffer, elements);
  return elements * bytes;
}

// Transposes the whole chunk, with the elements outside of the region. Returns the number of packed elements.
Index Packer::pack_transposed(const Redistribution& redistribution, const Chunk& chunk, ConstArray a,
                              std::byte* packed) {
  const Index bytes = redistribution.bytes_a(), rows = chunk.rows.count, whole = rows * chunk.cols.count;
  const int threads = threads_for(chunk, bytes);
  std::byte* transposed = chunk.whole ? packed : room(transposed_, whole * bytes);
  ChunkMove(redistribution, chunk, Place::a, Place::rectangle, lists_, {a.strides, nullptr})
      .transpose(bytes, {a.data, ld_of_a(redistribution, a), transposed, rows}, threads);
  if (chunk.whole) return whole;
  return ChunkMove(redistribution, chunk, Place::rectangle, Place::packed, lists_)
      .run({bytes}, {transposed, rows, packed, rows}, threads);
}

void Packer::for_columns_of_a(const Redistribution& redistribution, const Chunk& chunk, ConstArray a,
                              const std::function<void(Index, std::span<const ColumnPart>)>& visit) {
  ChunkMove(redistribution, chunk, Place::a, Place::packed, lists_, {a.strides, nullptr})
      .for_columns_of_a(ld_of_a(redistribution, a), visit);
}

std::optional<Index> Packer::unpack(const Redistribution& redistribution, const Chunk& chunk, const std::byte* buffer,
                                    Index available, Array b, const Scalars& scalars) {
  const auto& [traffic, region, bytes, operation, units] = redistribution;
  const CopySides sides{buffer, chunk.rows.count, b.data, ld_of(b, units), streams_to_b(redistribution)};
  const ChunkMove move(redistribution, chunk, Place::packed, Place::b, lists_, {nullptr, b.strides});
  const Index bytes_b = redistribution.bytes_b(), needed = move.elements() * bytes;
  if (needed > available) return std::nullopt;
  const std::optional<Update> how = update_by(operation.carried(bytes), redistribution, scalars);
  if (how && !move.has_long_runs())
    update_in_copy(redistribution, chunk, move, *how, sides, b.strides);
  else
    move.run({bytes_b, how ? &*how : nullptr}, sides, threads_for(chunk, bytes_b));
  return needed;
}

// Updates a contiguous copy of the chunk of B, and copies it back.
void Packer::update_in_copy(const Redistribution& redistribution, const Chunk& chunk, const ChunkMove& move,
                            const Update& how, const CopySides& sides, const ArrayStrides* strides) {
  const Index bytes = redistribution.bytes_b(), rows = chunk.rows.count;
  const int threads = threads_for(chunk, bytes);
  std::byte* updated = room(updated_, rows * chunk.cols.count * bytes);
  if (how.scalars.beta != 0.0)
    ChunkMove(redistribution, chunk, Place::b, Place::packed, aside_, {nullptr, strides})
        .run({bytes}, {sides.to, sides.ld_to, updated, rows}, threads);
  update(how, sides.from, updated, move.elements());
  move.run({bytes}, {updated, rows, sides.to, sides.ld_to, sides.stream}, threads);
}

void Packer::copy(const Redistribution& redistribution, const Chunk& chunk, ConstArray a, Array b,
                  const Scalars& scalars) {
  const auto& [traffic, region, bytes, operation, units] = redistribution;
  if (!operation.transposed && !changes_diagonal(operation, chunk)) {
    const CopySides sides{a.data, ld_of(a, units), b.data, ld_of(b, units), streams_to_b(redistribution)};
    const ChunkMove move(redistribution, chunk, Place::a, Place::b, lists_, {a.strides, b.strides});
    const std::optional<Update> how = update_by(operation.a, redistribution, scalars);
    if (!how || move.has_long_runs()) {
      const Index bytes_b = redistribution.bytes_b();
      move.run({bytes_b, how ? &*how : nullptr}, sides, threads_for(chunk, bytes_b));
      return;
    }
  }
  const Index whole_bytes = chunk.rows.count * chunk.cols.count * bytes;
  std::byte* intermediate = room(intermediate_, whole_bytes);
  pack(redistribution, chunk, a, intermediate);
  unpack(redistribution, chunk, intermediate, whole_bytes, b, scalars);
}

}  // namespace xredist::core
