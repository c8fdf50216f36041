// SPDX-License-Identifier: BSD-3-Clause
// The matrix in a file: from NumPy's header, or from the arguments of a call.
#pragma once

#include <string>

#include "file/npy.hpp"
#include "file/panels.hpp"
#include "storage/handle.hpp"
#include "xredist/file.h"

namespace xredist::files {

/// The matrix in a file. Rank 0 broadcasts the bytes of this struct.
struct Contents {
  Index rows, cols;
  Index offset;  ///< bytes before the first element
  FileElement element;
  char order;      ///< 'F' or 'C'
  char descr[64];  ///< NumPy's description of the elements; empty for a raw file
  Index stripe;    ///< the file system's block size (bytes)

  Index end() const { return offset + rows * cols * element.bytes; }
  /// Returns the place of a submatrix that begins with element (row, col), counted from 1.
  FilePlace place(Index row, Index col) const {
    if (order == 'C') return {offset, cols, col - 1, row - 1, element.bytes};
    return {offset, rows, row - 1, col - 1, element.bytes};
  }
};

/// Returns the contents of a new or a raw file. Throws InvalidArgument.
Contents contents_of(const xredist_file& file);
/// Returns the contents of a file of NumPy. Throws FileError; the sentence begins with `shown`, of shown_name().
Contents contents_in(const FileHandle& handle, const std::string& shown);

/// The letters of a plan between the elements in memory and those of a file. Without letters, elements are copied.
struct Letters {
  char memory, in_file;
};

/// Returns the letters for a submatrix of the contents. Throws InvalidArgument if the contents lack the submatrix, or
/// if their elements cannot be converted.
Letters fitting(const Contents& contents, const xredist_file& file);

/// Returns the contents of a file that exists, after all checks. `grows`: a raw file need not have the whole matrix.
/// Throws InvalidArgument or FileError.
Contents contents_found(const xredist_file& file, bool grows);

}  // namespace xredist::files
