// SPDX-License-Identifier: BSD-3-Clause
// The matrices of a case on this process.
#pragma once

#include "cases/element.hpp"
#include "runs/timed.hpp"

namespace runs {

/// A is filled, B has no values yet. Elements are those of cases::element_of(letter).
struct Matrices {
  Matrices(const cases::Case& shown, char letter)
      : c(shown),
        element(cases::element_of(letter)),
        a(local_part(c.a, rank_in_world(), element.bytes)),
        b(local_part(c.b, rank_in_world(), element.bytes)) {
    element.fill_a(c.a, a);
  }
  void blank() { element.blank_b(b); }
  /// Whether B holds what it must, on all processes.
  bool right() const { return everywhere(element.check(c, b).count == 0); }

  const cases::Case c;
  const cases::Element& element;
  cases::Local a, b;
};

}  // namespace runs
