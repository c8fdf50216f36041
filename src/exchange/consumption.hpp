// SPDX-License-Identifier: BSD-3-Clause
// The memory of A that goes back to the system while an exchange sends A.
#pragma once

#include "copy/packer.hpp"
#include "exchange/pages.hpp"
#include "plan/batch.hpp"

namespace xredist::core {

/// The local array A of a job that consumes it. Nothing fails: if there is no memory for lists, A keeps its pages.
class Consumption {
 public:
  /// Asks for small pages of A and B. The job outlives the object.
  explicit Consumption(const Job& job) noexcept;

  /// Gives up the elements of a transfer, which have been sent, or copied to B. `packer`: lists the elements.
  void left(const Transfer& transfer, Packer& packer) noexcept;
  /// Returns to the system the whole pages that have been given up.
  void release() noexcept { pages_.release(); }

 private:
  const Job* job_;
  Pages pages_{};
};

}  // namespace xredist::core
