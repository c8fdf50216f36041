// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>

#include "arrays/contender.hpp"
#include "drivers/datatypes.hpp"

namespace arrays {
namespace {

using drivers::Runs;

// Returns the numbers within `own` of the indices that `other` has, too.
Runs common(const std::vector<Index>& own, const std::vector<Index>& other) {
  Runs runs;
  for (std::size_t k = 0; k < own.size(); ++k)
    if (std::ranges::binary_search(other, own[k])) runs.append(static_cast<int>(k));
  return runs;
}

MPI_Datatype element_type(int bytes) {
  MPI_Datatype type{};
  if (bytes == 8) return MPI_Type_dup(MPI_DOUBLE, &type), type;
  if (bytes == 16) return MPI_Type_dup(MPI_C_DOUBLE_COMPLEX, &type), type;
  return MPI_Type_contiguous(bytes, MPI_BYTE, &type), type;
}

void replace(MPI_Datatype& type, MPI_Datatype by) {
  MPI_Type_free(&type);
  type = by;
}

// Returns a subarray in the order in which the local array is stored.
MPI_Datatype subarray(const Local& own, const std::vector<int>& stored, const std::vector<Runs>& runs, int bytes) {
  std::vector<int> sizes, subsizes, starts;
  for (const int axis : stored) {
    sizes.push_back(static_cast<int>(own.extent(as_size(axis))));
    subsizes.push_back(at(runs, axis).lengths.front());
    starts.push_back(at(runs, axis).begins.front());
  }
  MPI_Datatype element = element_type(bytes), type{};
  MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), subsizes.data(), starts.data(),
                           MPI_ORDER_FORTRAN, element, &type);
  MPI_Type_free(&element);
  return type;
}

// Returns the type that goes through the elements in the order `visited`, from the fastest axis to the slowest.
MPI_Datatype permuted(const Local& own, const std::vector<int>& stored, const std::vector<int>& visited,
                      const std::vector<Runs>& runs, int bytes) {
  std::vector<MPI_Aint> stride(runs.size());
  MPI_Aint next = bytes;
  for (const int axis : stored) {
    at(stride, axis) = next;
    next *= own.extent(as_size(axis));
  }
  MPI_Datatype type = element_type(bytes);
  for (const int axis : visited) {
    const Runs& of = at(runs, axis);
    MPI_Datatype spaced{}, along{};
    MPI_Type_create_resized(type, 0, at(stride, axis), &spaced);
    MPI_Type_indexed(of.count(), of.lengths.data(), of.begins.data(), spaced, &along);
    MPI_Type_free(&spaced);
    replace(type, along);
  }
  return type;
}

// Returns the datatypes of one side, which go through the elements in the order `visited`.
std::shared_ptr<drivers::Datatypes> parts(const Case& c, const Local& own, const Side& side, const Side& other,
                                          const std::vector<int>& visited) {
  auto made = std::make_shared<drivers::Datatypes>(other.processes());
  for (int rank = 0; rank < other.processes(); ++rank) {
    const auto theirs = owned(c, other, rank);
    std::vector<Runs> runs;
    for (std::size_t k = 0; k < c.dims(); ++k) runs.push_back(common(own.indices[k], theirs[k]));
    if (std::ranges::any_of(runs, [](const Runs& of) { return of.count() == 0; })) continue;
    const bool box = std::ranges::all_of(runs, [](const Runs& of) { return of.count() == 1; });
    made->set(rank, box && visited == side.order ? subarray(own, side.order, runs, c.bytes)
                                                 : permuted(own, side.order, visited, runs, c.bytes));
  }
  return made;
}

// Copies the array `from`, whose axes are stored in the order `source`, to `to`, where they are stored in the order
// `target`. The fastest axes of both sides are walked in blocks that fit into the first level of the cache.
template <class Element>
void permute(const Element* from, const std::vector<int>& source, Element* to, const std::vector<int>& target,
             const Local& shape) {
  constexpr Index block = 16;
  std::array<Index, 3> read{}, write{};
  Index next_read = 1, next_write = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    at(read, source[k]) = next_read, next_read *= shape.extent(as_size(source[k]));
    at(write, target[k]) = next_write, next_write *= shape.extent(as_size(target[k]));
  }
  const int u = target[0], v = source[0] == u ? source[1] : source[0], w = 3 - u - v;
  const Index nu = shape.extent(as_size(u)), nv = shape.extent(as_size(v)), nw = shape.extent(as_size(w));
  for (Index k = 0; k < nw; ++k)
    for (Index j0 = 0; j0 < nv; j0 += block)
      for (Index i0 = 0; i0 < nu; i0 += block)
        for (Index j = j0; j < std::min(nv, j0 + block); ++j)
          for (Index i = i0; i < std::min(nu, i0 + block); ++i)
            to[i * at(write, u) + j * at(write, v) + k * at(write, w)] =
                from[i * at(read, u) + j * at(read, v) + k * at(read, w)];
}

}  // namespace

Contender alltoallw(Stage& stage, Permutes who) {
  const std::string name = who == Permutes::sender     ? "alltoallw-sender"
                           : who == Permutes::receiver ? "alltoallw-receiver"
                                                       : "alltoallw";
  const Case& c = stage.c;
  if (c.stored_alike() != (who == Permutes::nobody)) return {name};
  return {name, [&stage, &c, who]() -> std::function<void()> {
            const std::vector<int>& visited = who == Permutes::sender ? c.b.order : c.a.order;
            return [&stage, out = parts(c, stage.a, c.a, c.b, visited), in = parts(c, stage.b, c.b, c.a, visited)] {
              out->exchange(stage.a.data.data(), stage.b.data.data(), *in, MPI_COMM_WORLD);
            };
          }};
}

Contender alltoallw_and_loops(Stage& stage) {
  const Case& c = stage.c;
  if (c.stored_alike() || c.dims() != 3 || (c.bytes != 8 && c.bytes != 16)) return {"alltoallw-loops"};
  return {"alltoallw-loops", [&stage, &c]() -> std::function<void()> {
            Side middle = c.b;
            middle.order = c.a.order;
            const auto second = std::make_shared<Local>(stage.b);
            return [&stage, &c, second, order = middle.order, out = parts(c, stage.a, c.a, middle, c.a.order),
                    in = parts(c, *second, middle, c.a, c.a.order)] {
              out->exchange(stage.a.data.data(), second->data.data(), *in, MPI_COMM_WORLD);
              const std::uint64_t* from = second->data.data();
              std::uint64_t* to = stage.b.data.data();
              using Pair = std::array<std::uint64_t, 2>;
              if (c.bytes == 8)
                permute(from, order, to, c.b.order, stage.b);
              else
                permute(reinterpret_cast<const Pair*>(from), order, reinterpret_cast<Pair*>(to), c.b.order, stage.b);
            };
          }};
}

}  // namespace arrays
