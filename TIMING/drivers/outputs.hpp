// SPDX-License-Identifier: BSD-3-Clause
// The files of process 0.
#pragma once

#include <fstream>
#include <ostream>
#include <string>

#include "drivers/input.hpp"

namespace drivers {

/// Text of a file on process 0, for all processes. Throws std::runtime_error on all of them.
std::string shared_text(const std::string& file);

/// Opened before the work begins, so that a wrong name is reported at once. Only process 0 opens files.
struct Outputs {
  /// Called by all processes; throws std::runtime_error on all of them.
  Outputs(const Input& input, const std::string& csv_name, const std::string& json_name);

  /// Throws if something could not be written.
  void close();

  std::ofstream report_file, csv, json;  ///< open if they are wanted
  std::ostream* report = &report_file;
};

}  // namespace drivers
