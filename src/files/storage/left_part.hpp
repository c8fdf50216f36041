// SPDX-License-Identifier: BSD-3-Clause
// The memory of an array that goes back to the system while the array is written to a file.
#pragma once

#include <memory>

#include "storage/agreed_call.hpp"

namespace xredist::files {

/// The local part of an array that a call consumes. Its pages are counted over all panels, because a page may have
/// elements of several panels. Nothing fails: without memory for the counts, the array keeps its pages.
class LeftPart {
 public:
  /// `bytes`: of an element. The array outlives the object. Local.
  LeftPart(const DistributedArray& array, const Subarray& subarray, Index bytes);

  /// Gives up the elements of a box of the subarray, each element once. `begin`: of the box, from 0.
  void leave(const Sizes& begin, const Sizes& shape) const;

 private:
  struct Destroy {
    void operator()(xredist_pages* pages) const { xredist_pages_destroy(pages); }
  };
  Subarray box(const Sizes& begin, const Sizes& shape) const;

  const DistributedArray& array_;
  const Subarray& subarray_;
  Index bytes_;
  std::unique_ptr<xredist_pages, Destroy> pages_;
};

}  // namespace xredist::files
