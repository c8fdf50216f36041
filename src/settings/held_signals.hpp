// SPDX-License-Identifier: BSD-3-Clause
// The signals by which a write ends a program.
#pragma once

#include <signal.h>

namespace xredist::core {

/// Holds back SIGXFSZ, the signal of a write beyond the limit of the size of files, and SIGPIPE, that of a pipe without
/// a reader. While the object lives, such a write of this thread fails with a reason in errno, and the program goes on.
class HeldSignals {
 public:
  HeldSignals() noexcept;
  /// Leaves errno.
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t mask_{}, pending_{};  // before
};

}  // namespace xredist::core
