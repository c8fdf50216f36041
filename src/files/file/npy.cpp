// SPDX-License-Identifier: BSD-3-Clause
#include "file/npy.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "file/error.hpp"
#include "file/numbers.hpp"

namespace xredist::files {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr Index max_header_bytes = 10'000;  // as NumPy, unless a program trusts the file
constexpr std::size_t alignment = 64;       // of the first element

[[noreturn]] void fail(const std::string& reason) { throw FileError("its header is not one of NumPy: " + reason); }

// Reads the literal of Python in a header from left to right. Python has other forms of the same values, which no
// program writes into a header: escapes, joined strings, 0x3. They are refused.
class Literal {
 public:
  // Python 2 wrote headers of versions 1 and 2, in which a number may end in L.
  Literal(std::string_view text, int version) : rest_(text), of_python_2_(version <= 2) {
    const auto is_read = [](char c) { return (c >= ' ' && c <= '~') || blanks.find(c) != blanks.npos; };
    if (!std::ranges::all_of(text, is_read)) fail("it has a control character, or one beyond ASCII");
    skip(" \t");  // the first line may be indented, and no other one
    skip("\n");
    if (!rest_.starts_with('{')) fail("'{' is missing");
  }

  // Skips blanks, and a character if it is the next one.
  bool take(char wanted) {
    skip_blanks();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void demand(char wanted) {
    if (!take(wanted)) fail(std::string("'") + wanted + "' is missing");
  }

  // The description of the elements. NumPy writes that of structures as a list of their members.
  std::string descr() {
    skip_blanks();
    if (rest_.starts_with('[')) throw FileError("its elements are structures, which cannot be read");
    return quoted();
  }

  std::string quoted() {
    skip_blanks();
    if (rest_.starts_with('u') || rest_.starts_with('U')) rest_.remove_prefix(1);  // of Python 2
    if (!rest_.starts_with('\'') && !rest_.starts_with('"')) fail("a string is missing");
    const std::size_t end = rest_.find(rest_.front(), 1);
    std::string text(rest_.substr(1, end - 1));
    if (end == rest_.npos || text.find('\n') != text.npos) fail("a string has no end");
    if (text.find('\\') != text.npos) fail("a string has an escape, which cannot be read");
    rest_.remove_prefix(end + 1);
    return text;
  }

  bool boolean() {
    skip_blanks();
    for (const auto& [name, value] : {std::pair{std::string_view("True"), true}, {"False", false}})
      if (rest_.starts_with(name)) {
        rest_.remove_prefix(name.size());
        return value;
      }
    fail("fortran_order is neither True nor False");
  }

  // The sizes in a tuple. Of one size, the tuple has a comma.
  std::vector<Index> tuple() {
    std::vector<Index> sizes;
    if (!take('(')) fail_as_tuple();
    while (!take(')')) {
      sizes.push_back(size());
      if (take(',')) continue;
      if (sizes.size() == 1 || !take(')')) fail_as_tuple();
      break;
    }
    return sizes;
  }

  // Demands that nothing but blanks and comments follows.
  void end() {
    skip_blanks();
    if (!rest_.empty()) fail("'" + std::string(rest_.substr(0, 20)) + "' follows the dictionary");
    // Python 3 refuses a last line of blanks that has no end.
    if (!of_python_2_ && in_blank_line_) fail("its last line has no end");
  }

 private:
  static constexpr std::string_view blanks = " \t\f\n";

  [[noreturn]] static void fail_as_tuple() { fail("shape is not a tuple of sizes up to 2^40"); }

  // Skips characters. Returns them.
  std::string_view skip(std::string_view characters) {
    const std::string_view skipped = rest_.substr(0, rest_.find_first_not_of(characters));
    rest_.remove_prefix(skipped.size());
    return skipped;
  }

  // Skips blanks, ends of lines, and comments.
  void skip_blanks() {
    bool in_first_line = true;
    in_blank_line_ = false;
    while (!rest_.empty()) {
      const std::string_view skipped = skip(blanks);
      const std::size_t end = skipped.rfind('\n');
      in_first_line = in_first_line && end == skipped.npos;
      in_blank_line_ = !in_first_line && !skipped.empty() && end != skipped.size() - 1;
      if (!rest_.starts_with('#')) return;
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      in_blank_line_ = false;
    }
  }

  // A decimal number. Python has no leading zeros.
  Index size() {
    Index number = -1;
    const auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    const auto digits = static_cast<std::size_t>(end - rest_.data());
    if (failed != std::errc{} || number < 0 || number > max_elements || rest_.front() == '-' ||
        (rest_.front() == '0' && digits > 1))
      fail_as_tuple();
    rest_.remove_prefix(digits);
    skip(" \t\f");
    if (of_python_2_ && rest_.starts_with('L')) rest_.remove_prefix(1);
    return number;
  }

  std::string_view rest_;
  bool of_python_2_;
  bool in_blank_line_ = false;  // in a line without text, other than the first one, after some blanks
};

// Bytes of the magic string, the version and the length of the rest.
std::size_t prefix_of(std::string_view header) { return header[magic.size()] == 1 ? 10 : 12; }

}  // namespace

Index npy_header_bytes(std::string_view prefix) {
  if (!prefix.starts_with(magic)) throw FileError("is not a file of NumPy");
  if (prefix.size() < as_size(npy_prefix_bytes)) fail("the file ends within it");
  const int version = static_cast<unsigned char>(prefix[magic.size()]);
  const int minor = static_cast<unsigned char>(prefix[magic.size() + 1]);
  if (version < 1 || version > 3 || minor != 0)
    fail("its version is " + std::to_string(version) + "." + std::to_string(minor) + ", must be 1.0, 2.0 or 3.0");
  const std::size_t begin = prefix_of(prefix);
  Index length = 0;  // little-endian, from the 9th byte on
  for (std::size_t k = begin; k-- > magic.size() + 2;) length = length << 8 | static_cast<unsigned char>(prefix[k]);
  if (length > max_header_bytes) fail("it has more than 10,000 bytes, which NumPy does not read");
  return static_cast<Index>(begin) + length;
}

NpyHeader parse_npy_header(std::string_view header) {
  const Index bytes = npy_header_bytes(header.substr(0, as_size(npy_prefix_bytes)));
  if (std::ssize(header) < bytes) fail("the file ends within it");
  Literal literal(header.substr(prefix_of(header), as_size(bytes) - prefix_of(header)), header[magic.size()]);
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<Index>> shape;
  literal.demand('{');
  while (!literal.take('}')) {
    const std::string key = literal.quoted();
    literal.demand(':');
    if (key == "descr")
      descr = literal.descr();
    else if (key == "fortran_order")
      fortran_order = literal.boolean();
    else if (key == "shape")
      shape = literal.tuple();
    else
      fail("it has the unknown key '" + key.substr(0, 40) + "'");
    if (!literal.take(',')) {
      literal.demand('}');
      break;
    }
  }
  literal.end();
  if (!descr || !fortran_order || !shape) fail("descr, fortran_order or shape is missing");
  if (shape->size() > as_size(max_dims)) throw FileError(too_many_dimensions(std::ssize(*shape), max_dims));
  if (too_large(*shape)) fail("the array has 2^59 elements or more");
  return {std::move(*descr), *fortran_order, std::move(*shape), bytes};
}

std::string too_many_dimensions(Index dims, int most) {
  return "has an array with " + std::to_string(dims) + " dimensions, must have at most " + std::to_string(most);
}

std::string npy_header(std::string_view descr, bool fortran_order, std::span<const Index> shape) {
  std::string dictionary = "{'descr': '";
  dictionary.append(descr).append("', 'fortran_order': ").append(fortran_order ? "True" : "False");
  dictionary += ", 'shape': (";
  for (const Index n : shape) dictionary += std::to_string(n) + ", ";
  if (shape.size() > 1) dictionary.pop_back();
  if (!shape.empty()) dictionary.pop_back();
  dictionary += "), }";
  // NumPy leaves room for a longer size of the slowest axis, along which an array may grow in place.
  if (!shape.empty()) dictionary.append(21 - std::to_string(fortran_order ? shape.back() : shape.front()).size(), ' ');
  const std::size_t begin = 10, used = begin + dictionary.size() + 1;
  dictionary.append(alignment - used % alignment, ' ').push_back('\n');
  std::string header(magic);
  header.append({'\1', '\0', static_cast<char>(dictionary.size() & 0xff), static_cast<char>(dictionary.size() >> 8)});
  return header + dictionary;
}

}  // namespace xredist::files
