// SPDX-License-Identifier: BSD-3-Clause
#include "api/operation.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>

namespace xredist::core {
namespace {

bool one_of(std::string_view letters, char letter) { return letters.find(letter) != letters.npos; }

template <class T>
T read(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

bool is_complex(Type type) { return type == Type::complex || type == Type::complex64; }

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

Checked operation_error(const ArgumentRef& argument, const xredist_operation& operation, Index m, Index n,
                        Type integer) {
  const auto& [type_a, type_b, trans, uplo, diag, mirror] = operation;
  const auto a = type_of(type_a, integer), b = type_of(type_b, integer);
  const auto error = [&](const char* field) {
    return ArgumentError{argument, std::string(": ") + field + " is wrong"};
  };
  if (!a) return error("type_a");
  if (!b || !convertible(*a, *b)) return error("type_b");
  if (!one_of("NTCR", trans)) return error("trans");
  if (!one_of("AUL", uplo)) return error("uplo");
  if (!one_of("NU", diag)) return error("diag");
  const bool mirrors = uplo != 'A' && diag == 'N' && trans == 'N' && m == n && one_of("SH", mirror);
  return mirror == 'N' || mirrors ? Checked() : error("mirror");
}

std::vector<RegionOperation> parts_of(const xredist_operation& operation, Index m, Index n, Type integer) {
  const auto& [type_a, type_b, trans, uplo, diag, mirror] = operation;
  const Type a = *type_of(type_a, integer), b = *type_of(type_b, integer);
  const bool conjugates = is_complex(a) && is_complex(b);
  const Operation given{a, b, transposes(operation), one_of("CR", trans) && conjugates};
  const Region region = uplo == 'A' ? Region{} : trapezoid(uplo, diag, m, n);
  if (mirror == 'N') return {{region, given}};
  return {{region, given}, {trapezoid(uplo == 'U' ? 'L' : 'U', 'U', m, n), {a, b, true, mirror == 'H' && conjugates}}};
}

Scalar scalar_from(Type type, const void* value) {
  if (type == Type::integer) return read<std::int32_t>(value);
  if (type == Type::integer64) return read<std::int64_t>(value);
  std::complex<double> scalar;
  convert(type, Type::complex64, static_cast<const std::byte*>(value), reinterpret_cast<std::byte*>(&scalar), 1);
  return scalar;
}

}  // namespace xredist::core
