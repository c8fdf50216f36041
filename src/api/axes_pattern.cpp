// SPDX-License-Identifier: BSD-3-Clause
// xredist_axes: the notation of High Performance Fortran.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "api/array_layout.hpp"
#include "api/failure.hpp"

using namespace xredist::core;

namespace {

// Reads a pattern from its begin to its end.
class Pattern {
 public:
  explicit Pattern(std::string_view text) : text_(text), rest_(text) {}

  // Returns the distribution of each axis, without processes.
  std::vector<xredist_axis> axes() {
    std::vector<xredist_axis> all;
    expect('(', "'(' is missing");
    do all.push_back(axis());
    while (take(','));
    expect(')', "a comma or ')' is missing");
    skip_spaces();
    if (!rest_.empty()) fail("nothing may follow");
    return all;
  }

 private:
  [[noreturn]] void fail(std::string_view reason) const {
    const std::string_view place = rest_.empty() ? " at the end" : " at '", end = rest_.empty() ? "" : "'";
    throw InvalidArgument(Text() << "pattern is '" << text_ << "': " << reason << place << rest_ << end);
  }

  void skip_spaces() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) rest_.remove_prefix(1);
  }
  bool take(char letter) {
    skip_spaces();
    if (!rest_.starts_with(letter)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char letter, std::string_view reason) {
    if (!take(letter)) fail(reason);
  }

  // Returns the letters that follow, as capitals.
  std::string word() {
    skip_spaces();
    std::string word;
    for (; !rest_.empty() && std::isalpha(static_cast<unsigned char>(rest_.front())) != 0; rest_.remove_prefix(1))
      word += capital(rest_.front());
    return word;
  }

  std::int64_t number() {
    skip_spaces();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 1 || value > max_elements) fail("the block size must be in 1 .. 2^40,");
    rest_.remove_prefix(as_size(end - rest_.data()));
    return value;
  }

  xredist_axis axis() {
    if (take('*')) return {1, 0, 0, nullptr};
    const std::string name = word();
    if (name == "BLOCK") return {0, 0, 0, nullptr};
    if (name == "EVEN") return {0, XREDIST_EVEN, 0, nullptr};
    if (name != "CYCLIC")
      throw InvalidArgument(Text() << "pattern is '" << text_ << "': '" << name
                                   << "' is none of *, BLOCK, EVEN, CYCLIC and CYCLIC(k)");
    std::int64_t block = 1;
    if (take('(')) {
      block = number();
      expect(')', "')' is missing");
    }
    return {0, block, 0, nullptr};
  }

  std::string_view text_, rest_;
};

}  // namespace

int xredist_axes(const char* pattern, int dims, const int grid[], xredist_axis axes[]) {
  return coded([&] {
    demand(first_of({null_error({"pattern"}, pattern), null_error({"grid"}, grid), null_error({"axes"}, axes)}));
    std::vector<xredist_axis> all = Pattern(pattern).axes();
    if (dims != static_cast<int>(all.size()))
      throw InvalidArgument(Text() << "dims is " << dims << ", pattern '" << pattern << "' has " << all.size()
                                   << (all.size() == 1 ? " axis" : " axes"));
    if (dims > XREDIST_MAX_DIMS)
      throw InvalidArgument(Text() << "dims is " << dims << ", must be in 1 .. " << int{XREDIST_MAX_DIMS});
    for (int k = 0; k < dims; ++k) {
      xredist_axis& axis = at(all, k);
      const bool distributed = axis.procs == 0;
      if (grid[k] < 1 || (!distributed && grid[k] != 1))
        demand(value_error({"grid", k, "[]"}, grid[k],
                           distributed ? ", must be at least 1" : ", must be 1: the axis is not distributed"));
      axis.procs = grid[k];
    }
    std::copy(all.begin(), all.end(), axes);
  });
}
