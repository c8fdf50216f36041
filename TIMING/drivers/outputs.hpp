// The files of process 0.
#pragma once

#include <fstream>
#include <ostream>
#include <string>

#include "input.hpp"

namespace drivers {

/// Text of a file on process 0, for all processes. Throws std::runtime_error on all of them.
std::string shared_text(const std::string& file);

/// Opened before the work begins, so that a wrong name is known at once. On other processes nothing is opened.
class Outputs {
 public:
  /// Called by all processes; throws std::runtime_error on all of them.
  Outputs(const Input& input, const std::string& csv, const std::string& json);

  std::ostream& report() { return *report_; }
  bool wants_csv() const { return csv_.is_open(); }
  bool wants_json() const { return json_.is_open(); }
  std::ostream& csv() { return csv_; }
  std::ostream& json() { return json_; }

  /// Throws where something could not be written.
  void close();

 private:
  std::ofstream report_file_, csv_, json_;
  std::ostream* report_;
};

}  // namespace drivers
