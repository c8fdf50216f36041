// SPDX-License-Identifier: BSD-3-Clause
#include "api/operation.hpp"

#include <optional>
#include <string_view>

namespace xredist::core {
namespace {

std::optional<Type> type_of(char letter) {
  switch (letter) {
    case 'I': return Type::integer;
    case 'S': return Type::real;
    case 'D': return Type::real64;
    case 'C': return Type::complex;
    case 'Z': return Type::complex64;
    default: return std::nullopt;
  }
}

bool one_of(std::string_view letters, char letter) { return letters.find(letter) != letters.npos; }

bool is_complex(Type type) { return type == Type::complex || type == Type::complex64; }

}  // namespace

std::vector<RegionOperation> parts_of(const xredist_operation& operation, Index m, Index n) {
  const auto& [type_a, type_b, trans, uplo, diag, mirror] = operation;
  const auto a = type_of(type_a), b = type_of(type_b);
  if (!a || !b || !convertible(*a, *b)) return {};
  if (!one_of("NTCR", trans) || !one_of("AUL", uplo) || !one_of("NU", diag) || !one_of("NSH", mirror)) return {};
  const bool conjugates = is_complex(*a) && is_complex(*b);
  const Operation given{*a, *b, one_of("TC", trans), one_of("CR", trans) && conjugates};
  const Region region = uplo == 'A' ? Region{} : trapezoid(uplo, diag, m, n);
  if (mirror == 'N') return {{region, given}};
  if (uplo == 'A' || diag != 'N' || trans != 'N' || m != n) return {};
  return {{region, given},
          {trapezoid(uplo == 'U' ? 'L' : 'U', 'U', m, n), {*a, *b, true, mirror == 'H' && conjugates}}};
}

std::complex<double> scalar_from(Type type, const void* value) {
  std::complex<double> scalar;
  convert(type, Type::complex64, static_cast<const std::byte*>(value), reinterpret_cast<std::byte*>(&scalar), 1);
  return scalar;
}

}  // namespace xredist::core
