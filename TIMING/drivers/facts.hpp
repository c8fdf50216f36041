// What is known of a schedule without running it.
#pragma once

#include <optional>
#include <string_view>

#include "case.hpp"

namespace drivers {

/// Messages: between different processes, each part of one that is cut. Not counted for trapezoids, where
/// some are empty.
struct Facts {
  std::optional<Index> steps, messages;
};

/// The facts of an algorithm of src/schedule; nothing where it is not defined for the case.
std::optional<Facts> facts_of(const Case& c, int bytes, std::string_view algorithm);

/// Of the algorithm that the environment chooses, as the drop-in does.
Facts chosen_facts_of(const Case& c, int bytes);

/// Why an algorithm may be undefined.
std::string_view why_undefined(std::string_view algorithm);

}  // namespace drivers
