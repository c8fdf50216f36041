// SPDX-License-Identifier: BSD-3-Clause
#include "api/matrix_operation.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "api/array_layout.hpp"
#include "api/failure.hpp"
#include "api/layout_arguments.hpp"
#include "layout/digest.hpp"

namespace xredist::core {
namespace {

bool one_of(std::string_view letters, char letter) { return letters.find(letter) != letters.npos; }

template <class T>
T read(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

constexpr Index max_bytes = Index{64} << 10;  // of an element without a type

}  // namespace

std::optional<Type> type_of(char letter, Type integer) {
  switch (letter) {
    case 'I': return integer;
    case 'S': return Type::real;
    case 'D': return Type::real64;
    case 'C': return Type::complex;
    case 'Z': return Type::complex64;
    default: return std::nullopt;
  }
}

xredist_operation with_defaults(xredist_operation operation) {
  for (std::int64_t* first : {&operation.ia, &operation.ja, &operation.ib, &operation.jb})
    if (*first == 0) *first = 1;
  const auto letter = [](char& given, char otherwise) { given = given == 0 ? otherwise : capital(given); };
  letter(operation.type, 0);
  letter(operation.type_b, operation.type);
  letter(operation.trans, 'N');
  letter(operation.uplo, 'A');
  letter(operation.diag, 'N');
  letter(operation.mirror, 'N');
  return operation;
}

namespace {

// Returns the pieces in which an element is copied.
Index units_of(const xredist_operation& operation) {
  return operation.type != 0 || operation.bytes < 1 ? 1 : operation.bytes / unit_bytes(operation.bytes);
}

Lists lists_of(const char* rows, const std::int64_t* of_rows, const char* cols, const std::int64_t* of_cols) {
  return {{{{"operation", -1, rows}, of_rows}, {{"operation", -1, cols}, of_cols}}};
}

}  // namespace

Lists lists_of_a(const xredist_operation& operation) {
  return lists_of(".rows_a", operation.rows_a, ".cols_a", operation.cols_a);
}

Lists lists_of_b(const xredist_operation& operation) {
  return lists_of(".rows_b", operation.rows_b, ".cols_b", operation.cols_b);
}

MaybeError lists_error(const xredist_operation& operation) {
  const std::array<Index, 2> count_a = count_in_a(operation), count_b{operation.m, operation.n};
  const Index longest = max_elements / units_of(operation);
  const Lists lists_a = lists_of_a(operation), lists_b = lists_of_b(operation);
  for (const auto& [lists, count] : {std::pair{&lists_a, &count_a}, {&lists_b, &count_b}})
    for (int k = 0; k < 2; ++k)
      if (const ListArguments& list = at(*lists, k); list.entries != nullptr)
        if (MaybeError error = entries_error(list, at(*count, k), "the longest axis", longest)) return error;
  return repeated_error(lists_b, std::array<Named, 2>{{{{"m"}, operation.m}, {{"n"}, operation.n}}});
}

std::pair<Layout, Layout> with_lists(std::pair<Layout, Layout> whole, const xredist_operation& operation) {
  const auto listed = [](Layout layout, const Lists& lists, const std::array<Index, 2>& count, bool distinct) {
    return Layout{with_list(std::move(layout.rows), lists[0].entries, count[0], distinct),
                  with_list(std::move(layout.cols), lists[1].entries, count[1], distinct)};
  };
  return {listed(std::move(whole.first), lists_of_a(operation), count_in_a(operation), false),
          listed(std::move(whole.second), lists_of_b(operation), {operation.m, operation.n}, true)};
}

std::array<Index, 2> count_in_a(const xredist_operation& operation) {
  if (transposes(operation)) return {operation.n, operation.m};
  return {operation.m, operation.n};
}

std::array<Index, 2> end_of_a(const xredist_operation& operation) {
  const auto [rows, cols] = count_in_a(operation);
  return {end_of(operation.rows_a, operation.ia - 1, rows), end_of(operation.cols_a, operation.ja - 1, cols)};
}

std::array<Index, 2> end_of_b(const xredist_operation& operation) {
  return {end_of(operation.rows_b, operation.ib - 1, operation.m),
          end_of(operation.cols_b, operation.jb - 1, operation.n)};
}

MaybeError submatrix_error(const xredist_layout* a, const xredist_layout* b, const xredist_operation& operation,
                           int size) {
  const auto& [m, n, ia, ja, ib, jb] =
      std::tie(operation.m, operation.n, operation.ia, operation.ja, operation.ib, operation.jb);
  const std::array<Named, 2> count{{{{"m"}, m}, {{"n"}, n}}}, swapped{{count[1], count[0]}};
  const std::array<Named, 2> first_a{{{{"ia"}, ia}, {{"ja"}, ja}}}, first_b{{{{"ib"}, ib}, {{"jb"}, jb}}};
  if (MaybeError error = shape_error(count)) return error;
  for (const auto& first : {first_a, first_b})
    for (const auto& [name, index] : first)
      if (MaybeError error = bounds_error(name, index, 1)) return error;
  for (const auto& [name, layout] : {std::pair{"a", a}, {"b", b}})
    if (MaybeError error = unreadable_error(name, layout)) return error;
  const LayoutArguments of_a = arguments_of("a", *a), of_b = arguments_of("b", *b);
  if (MaybeError error =
          first_of({layout_error(of_a, AsArray(*a).get(), size), layout_error(of_b, AsArray(*b).get(), size)}))
    return error;
  const Lists lists_a = lists_of_a(operation), lists_b = lists_of_b(operation);
  const Index longest = max_elements / units_of(operation);
  const auto within = [&](const LayoutArguments& layout, std::span<const Named> first, std::span<const Named> counts,
                          const Lists& lists) {
    const bool listed = lists[0].entries != nullptr || lists[1].entries != nullptr;
    return within_error(layout, first, counts, nullptr, listed ? longest : max_elements, lists);
  };
  if (MaybeError error = first_of({within(of_a, first_a, transposes(operation) ? swapped : count, lists_a),
                                   within(of_b, first_b, count, lists_b)}))
    return error;
  return repeated_error(lists_b, count);
}

namespace {

// Checks that the units in which elements without a type are copied stay below the limits of sizes.
MaybeError units_error(const xredist_operation& operation) {
  const Index unit = unit_bytes(operation.bytes), units = operation.bytes / unit, m = operation.m;
  const Index first_of_a = transposes(operation) ? operation.ja : operation.ia;
  const bool right = units == 1 || m < 0 ||
                     (m <= max_elements / units && first_of_a - 1 <= max_elements / units - m &&
                      operation.ib - 1 <= max_elements / units - m && !too_large(m * units, operation.n));
  if (right) return {};
  return value_error({"m"}, m,
                     Text() << ": the submatrix has, or ends beyond, more than 2^40 pieces of " << unit << " bytes");
}

}  // namespace

MaybeError elements_error(const xredist_operation& operation, Type integer) {
  const auto& [m, n, ia, ja, ib, jb, type, type_b, trans, uplo, diag, mirror, bytes, options, rows_a, cols_a, rows_b,
               cols_b, reserved] = operation;
  if (MaybeError error = reserved_error({"reserved"}, reserved)) return error;
  const char* types = "I, S, D, C or Z";
  if (type != 0) {
    if (MaybeError error =
            first_of({letter_error("ISDCZ", types, {"type"}, type), letter_error("ISDCZ", types, {"type_b"}, type_b)}))
      return error;
    if (!convertible(*type_of(type, integer), *type_of(type_b, integer)))
      return ArgumentError{
          {"type_b"},
          Text() << " is '" << type_b << "', must include all values of type = '" << type << "', or be included in it"};
  }
  if (MaybeError error = first_of(
          {letter_error("NTCR", "N, T, C or R", {"trans"}, trans), letter_error("AUL", "A, U or L", {"uplo"}, uplo),
           letter_error("NU", "N or U", {"diag"}, diag), letter_error("NSH", "N, S or H", {"mirror"}, mirror)}))
    return error;
  if (mirror != 'N' && (uplo == 'A' || diag != 'N' || trans != 'N' || m != n))
    return ArgumentError{{"mirror"},
                         Text() << " is '" << mirror << "', which needs uplo U or L, diag N, trans N and m = n"};
  if (type != 0) {
    const Index size = bytes_of(*type_of(type, integer), 0);
    if (bytes == 0 || bytes == size) return {};
    return value_error({"bytes"}, bytes, Text() << ", must be 0 or " << size << " for type = '" << type << "'");
  }
  if (bytes == 0) return ArgumentError{{"type"}, " and bytes are 0, one of them must be set"};
  if (bytes < 1 || bytes > max_bytes)
    return value_error({"bytes"}, bytes, Text() << ", must be in 1 .. " << max_bytes << " if type is 0");
  if (uplo != 'A' && unit_bytes(bytes) != bytes)
    return value_error({"bytes"}, bytes, ", must be 1, 2, 4, 8 or 16 for a trapezoid");
  if (MaybeError error = units_error(operation)) return error;
  if (type_b != 0) return ArgumentError{{"type_b"}, ": type is 0"};
  for (const auto& [name, letter] : {std::pair{"trans", trans}, {"mirror", mirror}})
    if (one_of("CRH", letter))
      return ArgumentError{{name}, Text() << " is '" << letter << "': without a type, elements cannot be conjugated"};
  return {};
}

MaybeError operation_error(const xredist_layout* a, const xredist_layout* b, const xredist_operation& operation,
                           Type integer, int size) {
  if (MaybeError error = elements_error(operation, integer)) return error;
  return submatrix_error(a, b, operation, size);
}

Options options_of(const char* of_plan, Options of_communicator) {
  if (of_plan == nullptr) return of_communicator;
  if (const std::string wrong = set_plan_options(of_communicator, of_plan); !wrong.empty())
    throw InvalidArgument(Text() << "options: " << wrong);
  return of_communicator;
}

Region region_of(const xredist_operation& operation) {
  if (operation.uplo == 'A') return {};
  return trapezoid(operation.uplo, operation.diag, operation.m, operation.n);
}

Operation operation_of(const xredist_operation& operation, Type integer) {
  if (operation.type == 0) return {.transposed = transposes(operation)};
  const Type a = *type_of(operation.type, integer), b = *type_of(operation.type_b, integer);
  const bool complex = is_complex(a) && is_complex(b);
  return {a, b, transposes(operation), one_of("CR", operation.trans) && complex, operation.mirror == 'H' && complex};
}

Index signature_of(const xredist_operation& operation) {
  Index number = operation.bytes;
  for (const char letter :
       {operation.type, operation.type_b, operation.trans, operation.uplo, operation.diag, operation.mirror})
    number = (number << 8 ^ number >> 55) ^ static_cast<unsigned char>(letter);
  if (operation.options != nullptr) {
    Digest digest;
    digest.add(operation.options);
    number ^= digest.number();
  }
  return number & std::numeric_limits<Index>::max();
}

std::vector<RegionOperation> parts_of(const xredist_operation& operation, Type integer) {
  const RegionOperation given{region_of(operation), operation_of(operation, integer)};
  if (operation.mirror == 'N') return {given};
  Operation mirrored = given.operation;
  mirrored.transposed = true;
  mirrored.conjugated = std::exchange(mirrored.real_diagonal, false);
  return {given, {trapezoid(operation.uplo == 'U' ? 'L' : 'U', 'U', operation.m, operation.n), mirrored}};
}

Scalar scalar_from(Type type, const void* value) {
  if (type == Type::integer) return read<std::int32_t>(value);
  if (type == Type::integer64) return read<std::int64_t>(value);
  std::complex<double> scalar;
  convert(type, Type::complex64, static_cast<const std::byte*>(value), reinterpret_cast<std::byte*>(&scalar), 1);
  return scalar;
}

}  // namespace xredist::core
