// SPDX-License-Identifier: BSD-3-Clause
// How a subarray of a file is cut into panels, and panels into slabs of writers (or readers). Axes are those of the
// file, from the fastest to the slowest: for a file in C order, those of the array from the last one to the first.
#pragma once

#include <array>

#include "file/numbers.hpp"

namespace xredist::files {

/// An interval of each axis.
using Box = std::array<Interval, max_dims>;

/// The subarray of an array in a file.
struct FilePlace {
  Index offset = 0;  ///< bytes before the first element of the array
  int dims = 0;
  Sizes extents{};  ///< of the array
  Sizes first{};    ///< first element of the subarray, from 0
  Index bytes = 0;  ///< of an element

  /// Returns the number of bytes from an element to its neighbour along an axis.
  Index stride(int axis) const;
  /// Returns the byte at which the first element of a box of the subarray begins.
  Index byte_of(const Box& box) const;
};

/// Minimum size of a slab (bytes), but for the last slab of a panel, and unless slabs are limited to less.
inline constexpr Index min_slab_bytes = Index{4} << 20;
/// Maximum number of writers.
inline constexpr Index max_writers = 64;

/// A panel: a part of the subarray that is exchanged at once. It has an interval of the axis `cut`, which is divided
/// among writers, and all indices of the axes below. Each writer has one index of each axis above.
struct Panel {
  int dims, cut;
  Box box;
  Index cuts;  ///< number of intervals of the axis `cut`
  /// Interval k is [bounds[k], bounds[k + 1]) of the panel. All bounds from that of the last one on are equal. An
  /// array, so that no process lacks the memory for a panel that others exchange.
  std::array<Index, max_writers + 1> bounds;

  /// Returns the number of slabs. They follow each other in the order of the file.
  Index slabs() const;
  /// Returns slab k; an empty box if there are not so many.
  Box slab(Index k) const;
};

/// What the panels of a subarray depend on.
struct PanelLimits {
  Index processes;   ///< that may write
  Index slab_bytes;  ///< maximum size of a slab
  Sizes periods;     ///< along each axis. Panels that begin at multiples of a period are equal: the length after which
                     ///< the distribution of the array repeats itself; 0: never
  Index stripe;      ///< slabs begin near multiples of this number of bytes in the file, if it is large
};

/// The panels of a subarray.
class Panels {
 public:
  /// `shape`: of the subarray.
  Panels(const FilePlace& place, const Sizes& shape, const PanelLimits& limits);

  /// Returns the number of writers; 0 if there are no elements.
  Index writers() const { return writers_; }
  /// Returns the maximum number of elements of a slab.
  Index slab_elements() const;

  Index count() const;
  /// Returns panel k in [0, count()). Panels follow each other in the order of the file.
  Panel operator[](Index k) const;

 private:
  void choose_axis(Index capacity);
  void choose_lengths(Index capacity, const Sizes& periods);

  FilePlace place_;
  Sizes shape_;
  Sizes lengths_{};  // of a panel, along each axis
  int cut_ = 0;
  Index unit_ = 1;  // elements of a slab for each index of the axis `cut`
  Index writers_ = 0, cuts_ = 1;
  Index share_ = 1;      // maximum indices of a slab along the axis `cut`
  Index min_share_ = 1;  // minimum
  Index stripe_ = 0;     // bytes, or 0
};

/// Contiguous bytes of a file.
struct Extent {
  Index offset;  ///< in the file
  Index local;   ///< in the slab
  Index bytes;
};

/// The extents of a slab, whose elements follow each other in memory as they do in the file.
class Extents {
 public:
  Extents(const FilePlace& place, const Box& slab);

  Index count() const { return count_; }
  /// Returns extent k in [0, count()).
  Extent operator[](Index k) const;

 private:
  FilePlace place_;
  Box slab_;
  int axis_ = 0;  // the extents differ in their indices of this axis, and of those above
  Index bytes_, count_ = 1;
};

}  // namespace xredist::files
