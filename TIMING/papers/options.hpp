// Options of the papers' programs, "--name value", and how each of them begins and ends.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace papers {

class Options {
 public:
  /// `defaults` has all names that there are. Throws std::invalid_argument.
  Options(std::map<std::string, std::string> defaults, int argc, char** argv);

  const std::string& text(const std::string& name) const { return values_.at(name); }
  std::vector<std::string> texts(const std::string& name) const;  ///< separated by commas
  int whole(const std::string& name) const;                       ///< at least 1
  std::vector<int> wholes(const std::string& name) const;
  double real(const std::string& name) const;  ///< at least 0

 private:
  std::map<std::string, std::string> values_;
};

/// The whole of main: MPI, options, and a last line "# passed" where `measure` returns true on all processes, since
/// what starts a program need not tell of its end.
int run(const std::string& program, int argc, char** argv, const std::map<std::string, std::string>& defaults,
        const std::function<bool(const Options&)>& measure);

}  // namespace papers
