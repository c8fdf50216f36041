// SPDX-License-Identifier: BSD-3-Clause
// NumPy's descriptions of elements, "<f8".
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "file/npy.hpp"

namespace xredist::files {
namespace {

constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';

struct TypeName {
  char letter;
  std::string_view name;
  Index bytes;
};
constexpr std::array<TypeName, 5> type_names{
    {{'I', "i4", 4}, {'S', "f4", 4}, {'D', "f8", 8}, {'C', "c8", 8}, {'Z', "c16", 16}}};

// The parts of a description.
struct Description {
  char order;             // '<' or '>'; the native one where bytes have no order
  char kind;              // one of NumPy's letters
  Index size;             // bytes; of 'U', characters
  std::string_view unit;  // of a time: "[25s]"

  Index bytes() const { return kind == 'U' ? 4 * size : size; }
  friend bool operator==(const Description&, const Description&) = default;
};

// Returns the sizes of a kind, from the least to the greatest, each twice the one before.
std::array<Index, 2> sizes_of(char kind) {
  switch (kind) {
    case 'b': return {1, 1};
    case 'i':
    case 'u': return {1, 8};
    case 'f': return {2, sizeof(long double)};
    case 'c': return {8, 2 * sizeof(long double)};
    case 'm':
    case 'M': return {8, 8};
    case 'S':
    case 'U':
    case 'V': return {1, Index{1} << 20};
    default: return {0, -1};
  }
}

bool has_size(char kind, Index size) {
  const auto [least, greatest] = sizes_of(kind);
  if (size < least || size > greatest) return false;
  return kind == 'S' || kind == 'U' || kind == 'V' || std::has_single_bit(as_size(size));
}

// Reads a number without a sign or leading zeros, and removes its digits.
std::optional<Index> take_number(std::string_view& text) {
  Index number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || text.front() < '1' || text.front() > '9') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Returns whether a text is the unit of a time, "[ns]" or "[25s]".
bool is_unit(std::string_view text) {
  constexpr std::array<std::string_view, 13> names{"Y",  "M",  "W",  "D",  "h",  "m", "s",
                                                   "ms", "us", "ns", "ps", "fs", "as"};
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') return false;
  text = text.substr(1, text.size() - 2);
  if (text.front() >= '0' && text.front() <= '9') {
    const std::optional<Index> count = take_number(text);
    if (!count || *count >= Index{1} << 31) return false;
  }
  return std::ranges::find(names, text) != names.end();
}

std::optional<Description> description_of(std::string_view descr) {
  Description parts{native_order, 0, 0, {}};
  if (!descr.empty() && std::string_view("<>=|").find(descr.front()) != descr.npos) {
    if (descr.front() == '<' || descr.front() == '>') parts.order = descr.front();
    descr.remove_prefix(1);
  }
  if (descr == "?") descr = "b1";
  if (descr.empty()) return std::nullopt;
  parts.kind = descr.front();
  descr.remove_prefix(1);
  const std::optional<Index> size = take_number(descr);
  if (!size || !has_size(parts.kind, *size)) return std::nullopt;
  parts.size = *size, parts.unit = descr;
  const bool timed = parts.kind == 'm' || parts.kind == 'M';
  if (!parts.unit.empty() && !(timed && is_unit(parts.unit))) return std::nullopt;
  if (parts.size == 1 && parts.kind != 'U') parts.order = native_order;
  if (parts.kind == 'S' || parts.kind == 'V') parts.order = native_order;
  return parts;
}

}  // namespace

std::optional<FileElement> element_of(std::string_view descr) {
  const std::optional<Description> parts = description_of(descr);
  if (!parts) return std::nullopt;
  const std::string name = parts->kind + std::to_string(parts->size);
  for (const TypeName& known : type_names)
    if (known.name == name && parts->order == native_order) return FileElement{known.letter, parts->bytes()};
  return FileElement{0, parts->bytes()};
}

bool describe_same_elements(std::string_view descr, std::string_view other) {
  return description_of(descr) == description_of(other);
}

std::string full_descr(std::string_view descr) {
  const Description parts = *description_of(descr);
  const bool ordered = parts.kind == 'U' || (parts.size > 1 && parts.kind != 'S' && parts.kind != 'V');
  std::string text(1, ordered ? parts.order : '|');
  return text.append(1, parts.kind).append(std::to_string(parts.size)).append(parts.unit);
}

Index bytes_of(char letter) {
  const auto* const known = std::ranges::find(type_names, letter, &TypeName::letter);
  return known == type_names.end() ? 0 : known->bytes;
}

std::string descr_of(char letter, Index bytes) {
  for (const TypeName& known : type_names)
    if (known.letter == letter) return std::string(1, native_order).append(known.name);
  return "|V" + std::to_string(bytes);
}

}  // namespace xredist::files
