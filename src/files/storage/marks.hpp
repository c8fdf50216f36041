// SPDX-License-Identifier: BSD-3-Clause
// The marks that functions of these rooms leave for the option "watch".
#pragma once

#include "xredist/file.h"

namespace xredist::files {

/// Names a function until the end of this object. A function within another one is not named.
class InFunction {
 public:
  /// `file`: has the size of the submatrix; NULL: there is none.
  explicit InFunction(const char* name, const xredist_file* file = nullptr) {
    xredist_watch_enter(name, file != nullptr ? file->m : -1, file != nullptr ? file->n : -1);
  }
  ~InFunction() { xredist_watch_leave(); }
  InFunction(const InFunction&) = delete;
  InFunction& operator=(const InFunction&) = delete;
};

/// Says for what the function waits until the end of this object. A wait has no wait within.
class InWait {
 public:
  explicit InWait(const char* text) { xredist_watch_wait(text); }
  ~InWait() { xredist_watch_wait(nullptr); }
  InWait(const InWait&) = delete;
  InWait& operator=(const InWait&) = delete;
};

}  // namespace xredist::files
