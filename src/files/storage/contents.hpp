// SPDX-License-Identifier: BSD-3-Clause
// The array in a file: from NumPy's header, or from the arguments of a call.
#pragma once

#include <span>
#include <string>

#include "file/npy.hpp"
#include "file/panels.hpp"
#include "storage/handle.hpp"
#include "storage/subarray.hpp"

namespace xredist::files {

/// The array in a file. Rank 0 broadcasts the bytes of this struct.
struct Contents {
  int dims;
  Sizes shape;   ///< 1 beyond the last axis, so that a vector is a matrix of one column
  Index offset;  ///< bytes before the first element
  FileElement element;
  char order;      ///< 'F' or 'C'
  char descr[64];  ///< NumPy's description of the elements; empty for a raw file
  Index stripe;    ///< the file system's block size (bytes)

  std::span<const Index> sizes() const { return {shape.data(), as_size(dims)}; }
  Index end() const { return offset + elements_of(sizes()) * element.bytes; }
  /// Returns the number of the axis that is the k-th one in the file, from the fastest on, and the other way round.
  int in_order(int k) const { return order == 'C' ? dims - 1 - k : k; }
  /// Returns numbers of axes in the order of the file.
  Sizes in_order(const Sizes& of_axes) const;
  /// Returns the place of a subarray that begins with the element `first`, counted from 1.
  FilePlace place(const Sizes& first) const;
};

/// Returns the contents of a new or a raw file. Throws InvalidArgument.
Contents contents_of(const Subarray& subarray);
/// Returns the contents of a file of NumPy. Throws FileFailure; the sentence begins with `shown`, of shown_name().
/// `max_axes`: an array with more dimensions is refused.
Contents contents_in(const FileHandle& handle, const std::string& shown, int max_axes);

/// The letters of a plan between the elements in memory and those of a file. Without letters, elements are copied.
struct Letters {
  char memory, in_file;
};

/// Returns the letters for a subarray of the contents. Throws InvalidArgument if the contents lack the subarray, or if
/// their elements cannot be converted.
Letters conversion_for(const Contents& contents, const Subarray& subarray);

/// Returns the contents of a file that exists, after all checks. `grows`: a raw file need not have the whole array.
/// Throws InvalidArgument or FileFailure.
Contents contents_found(const Subarray& subarray, bool grows);

}  // namespace xredist::files
