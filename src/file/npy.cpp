// SPDX-License-Identifier: BSD-3-Clause
#include "file/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <utility>
#include <vector>

#include "file/error.hpp"
#include "layout/layout.hpp"

namespace xredist::core {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr Index max_header_bytes = Index{1} << 20;  // NumPy itself refuses headers beyond 10,000 bytes
constexpr std::size_t alignment = 64;               // of the first element
constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';

[[noreturn]] void fail(const std::string& reason) { throw FileError("its header is not one of NumPy: " + reason); }

// Reads the literal of Python in a header from left to right.
class Literal {
 public:
  explicit Literal(std::string_view text) : rest_(text) {}

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n\r"), rest_.size())); }

  // Skips blanks, and a character if it is the next one.
  bool take(char wanted) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void demand(char wanted) {
    if (!take(wanted)) fail(std::string("'") + wanted + "' is missing");
  }

  std::string quoted() {
    const char quote = take('\'') ? '\'' : '"';
    if (quote == '"' && !take('"')) fail("a string is missing; types with several members cannot be read");
    const std::size_t end = rest_.find(quote);
    if (end == rest_.npos) fail("a string has no end");
    std::string text(rest_.substr(0, end));
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

  // The sizes in a tuple.
  std::vector<Index> tuple() {
    std::vector<Index> sizes;
    demand('(');
    while (!take(')')) {
      Index size = -1;
      const auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (failed != std::errc{} || size < 0 || size > max_elements) fail("shape is not a tuple of sizes up to 2^40");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      sizes.push_back(size);
      take('L');  // of Python 2
      if (!take(',')) {
        demand(')');
        break;
      }
    }
    return sizes;
  }

 private:
  std::string_view rest_;
};

// Bytes of the magic string, the version and the length of the rest.
std::size_t prefix_of(std::string_view header) { return header[magic.size()] == 1 ? 10 : 12; }

}  // namespace

Index npy_header_bytes(std::string_view prefix) {
  if (!prefix.starts_with(magic)) throw FileError("is not a file of NumPy");
  if (prefix.size() < as_size(npy_prefix_bytes)) fail("the file ends within it");
  const int version = static_cast<unsigned char>(prefix[magic.size()]);
  if (version < 1 || version > 3) fail("its version is " + std::to_string(version) + ", must be 1, 2 or 3");
  const std::size_t begin = prefix_of(prefix);
  Index length = 0;  // little-endian, from the 9th byte on
  for (std::size_t k = begin; k-- > magic.size() + 2;) length = length << 8 | static_cast<unsigned char>(prefix[k]);
  if (length > max_header_bytes) fail("it is longer than 1 MB");
  return static_cast<Index>(begin) + length;
}

NpyHeader parse_npy_header(std::string_view header) {
  const Index bytes = npy_header_bytes(header.substr(0, as_size(npy_prefix_bytes)));
  if (std::ssize(header) < bytes) fail("the file ends within it");
  Literal literal(header.substr(prefix_of(header), as_size(bytes) - prefix_of(header)));
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<Index>> shape;
  literal.demand('{');
  while (!literal.take('}')) {
    const std::string key = literal.quoted();
    literal.demand(':');
    if (key == "descr")
      descr = literal.quoted();
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
  if (!descr || !fortran_order || !shape) fail("descr, fortran_order or shape is missing");
  if (shape->size() > 2)
    throw FileError("has an array with " + std::to_string(shape->size()) + " dimensions, must have at most 2");
  shape->resize(2, 1);
  if (too_large((*shape)[0], (*shape)[1])) fail("the array has 2^59 elements or more");
  return {std::move(*descr), *fortran_order, (*shape)[0], (*shape)[1], bytes};
}

std::string npy_header(std::string_view descr, bool fortran_order, Index rows, Index cols) {
  std::string dictionary = "{'descr': '";
  dictionary.append(descr).append("', 'fortran_order': ").append(fortran_order ? "True" : "False");
  dictionary += ", 'shape': (" + std::to_string(rows) + ", " + std::to_string(cols) + "), }";
  const std::size_t begin = 10;
  // NumPy leaves room for a longer first size, if the array grows in place.
  const std::size_t growth = 21 - std::to_string(fortran_order ? cols : rows).size();
  dictionary.append(growth, ' ');
  const std::size_t used = begin + dictionary.size() + 1;
  dictionary.append(alignment - used % alignment, ' ').push_back('\n');
  std::string header(magic);
  header.append({'\1', '\0', static_cast<char>(dictionary.size() & 0xff), static_cast<char>(dictionary.size() >> 8)});
  return header + dictionary;
}

namespace {

struct TypeName {
  Type type;
  std::string_view name;
};
constexpr std::array<TypeName, 6> type_names{{{Type::integer, "i4"},
                                              {Type::integer64, "i8"},
                                              {Type::real, "f4"},
                                              {Type::real64, "f8"},
                                              {Type::complex, "c8"},
                                              {Type::complex64, "c16"}}};

}  // namespace

std::optional<FileElement> element_of(std::string_view descr) {
  char order = native_order;
  if (!descr.empty() && std::string_view("<>=|").find(descr.front()) != descr.npos) {
    if (descr.front() != '=') order = descr.front();
    descr.remove_prefix(1);
  }
  for (const auto& [type, name] : type_names)
    if (descr == name && order == native_order) return FileElement{type, bytes_of(type, 0)};
  if (descr.empty() || std::string_view("?biufcmMSUV").find(descr.front()) == descr.npos) return std::nullopt;
  const bool characters = descr.front() == 'U', dated = descr.front() == 'm' || descr.front() == 'M';
  Index size = 0;
  const char* const end = descr.data() + descr.size();
  const auto [stop, failed] = std::from_chars(descr.data() + 1, end, size);
  if (failed != std::errc{} || size < 1 || size > Index{1} << 20) return std::nullopt;
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));  // "[ns]"
  if (!unit.empty() && !(dated && unit.front() == '[' && unit.find_first_of("'\"\\") == unit.npos)) return std::nullopt;
  return FileElement{Type::bits, characters ? 4 * size : size};
}

std::string descr_of(Type type, Index bits) {
  for (const auto& [named, name] : type_names)
    if (named == type) return std::string(1, native_order).append(name);
  return "|V" + std::to_string(bits);
}

}  // namespace xredist::core
