// SPDX-License-Identifier: BSD-3-Clause
// C descriptors of Fortran arrays, as gfortran passes them. If an array fits a plan, each element that the plan
// accesses must lie on an element that the descriptor describes.
#include "fortran/arrays.hpp"

#include <ISO_Fortran_binding.h>
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "demand.hpp"
#include "file/npy.hpp"

namespace xredist::testing {
namespace {

using namespace core;

constexpr int types[] = {CFI_type_int32_t,       CFI_type_int64_t,        CFI_type_float,       CFI_type_double,
                         CFI_type_float_Complex, CFI_type_double_Complex, CFI_type_struct,      CFI_type_other,
                         CFI_type_int8_t,        CFI_type_char,           CFI_type_long_double, CFI_type_Logical};
constexpr Type plan_types[] = {Type::bits,   Type::integer, Type::integer64, Type::real,
                               Type::real64, Type::complex, Type::complex64};

// Room for a descriptor of at most three dimensions.
using Descriptor = CFI_CDESC_T(3);

// Draws extents of at most 6, and strides near those of contiguous arrays or anywhere, also negative.
void draw(FuzzedDataProvider& input, Descriptor& room, CFI_cdesc_t& desc, double* memory) {
  static_cast<void>(room);
  desc.base_addr = input.ConsumeIntegralInRange(0, 9) == 0 ? nullptr : memory;
  desc.elem_len = std::size_t{1} << input.ConsumeIntegralInRange(0, 4);
  if (input.ConsumeIntegralInRange(0, 9) == 0) desc.elem_len = input.ConsumeIntegralInRange<std::size_t>(0, 40);
  const int compiler = input.ConsumeIntegralInRange(0, 19);
  desc.version = compiler == 0 ? input.ConsumeIntegral<int>() : compiler == 1 ? 0 : CFI_VERSION;
  desc.rank = input.ConsumeIntegralInRange<CFI_rank_t>(0, 3);
  desc.attribute = CFI_attribute_other;
  desc.type = static_cast<CFI_type_t>(input.PickValueInArray(types));
  auto stride = static_cast<CFI_index_t>(desc.elem_len);
  for (int k = 0; k < desc.rank; ++k) {
    desc.dim[k] = {0, input.ConsumeIntegralInRange<CFI_index_t>(0, 6), stride};
    const int kind = input.ConsumeIntegralInRange(0, 3);
    if (kind == 1) desc.dim[k].sm += static_cast<CFI_index_t>(desc.elem_len) * input.ConsumeIntegralInRange(-8, 8);
    if (kind == 2) desc.dim[k].sm += input.ConsumeIntegralInRange(-40, 40);
    stride = desc.dim[k].sm * std::max<CFI_index_t>(desc.dim[k].extent, 1);
  }
  // An assumed-size array: its last extent is unknown.
  if (desc.rank > 0 && input.ConsumeIntegralInRange(0, 9) == 0) desc.dim[desc.rank - 1].extent = -1;
}

// Returns the offsets in bytes of all elements; nothing is known of them without an extent.
std::set<CFI_index_t> offsets_of(const CFI_cdesc_t& desc) {
  std::set<CFI_index_t> offsets{0};
  for (int k = 0; k < desc.rank; ++k) {
    std::set<CFI_index_t> more;
    for (CFI_index_t i = 0; i < desc.dim[k].extent; ++i)
      for (const CFI_index_t offset : offsets) more.insert(offset + i * desc.dim[k].sm);
    offsets = more;
  }
  return offsets;
}

// Returns whether the size is unknown: one element stands for an array, or the array has an assumed size.
bool has_unknown_size(const CFI_cdesc_t& desc) { return desc.rank == 0 || desc.dim[desc.rank - 1].extent < 0; }

// Demands that the elements of the plan are elements of the array.
void check_accepted(const CFI_cdesc_t& desc, const FortranArray& array, const AccessedPart& needed) {
  demand(array.address == desc.base_addr && array.address != nullptr, "an accepted array has an address");
  demand(is_readable(desc) && array.element_bytes == needed.bytes, "its elements are of the plan's size");
  const Index ld = array.storage == Storage::columns ? array.ld : needed.ld;
  demand(ld >= needed.rows, "columns do not overlap");
  if (has_unknown_size(desc)) return;
  const std::set<CFI_index_t> offsets = offsets_of(desc);
  for (Index j = 0; j < needed.cols; ++j)
    for (Index i = 0; i < needed.rows; ++i)
      demand(offsets.contains((i + j * ld) * needed.bytes), "an element of the plan is an element of the array",
             std::to_string(i) + ", " + std::to_string(j));
}

void run(FuzzedDataProvider& input) {
  static double memory[1];
  Descriptor room{};
  auto& desc = reinterpret_cast<CFI_cdesc_t&>(room);
  draw(input, room, desc, memory);
  const AccessedPart needed{.bytes = input.ConsumeBool() ? static_cast<Index>(desc.elem_len) : Index{8},
                            .rows = input.ConsumeIntegralInRange<Index>(0, 8),
                            .cols = input.ConsumeIntegralInRange<Index>(1, 8),
                            .ld = input.ConsumeIntegralInRange<Index>(0, 12),
                            .type = input.PickValueInArray(plan_types)};
  const FortranArray array = array_of(&desc);
  const Text reason = mismatch(array, needed);
  if (reason.empty() && needed.rows > 0) check_accepted(desc, array, needed);

  if (const std::string descr = descr_of(array); !descr.empty())
    demand(files::element_of(descr)->bytes == array.element_bytes, "NumPy's elements have the size of the array's",
           descr);

  // A whole array of the plan's size and type fits.
  const bool whole = desc.base_addr != nullptr && is_readable(desc) && desc.rank == 2 && desc.elem_len > 0 &&
                     desc.elem_len == static_cast<std::size_t>(needed.bytes) && desc.dim[0].extent == needed.rows &&
                     needed.ld == needed.rows && desc.dim[1].extent == needed.cols && desc.dim[0].sm == needed.bytes &&
                     desc.dim[1].sm == needed.rows * needed.bytes && needed.type == Type::bits;
  demand(!whole || reason.empty(), "an array of the right size is accepted", reason);

  double number[4] = {};
  desc.base_addr = number;
  desc.elem_len = std::min(desc.elem_len, sizeof number);
  const FortranScalar scalar = scalar_of(&desc);
  const Text wrong = mismatch(scalar, needed.type);
  if (desc.rank != 0) demand(!wrong.empty(), "an array is no factor");
}

}  // namespace
}  // namespace xredist::testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  xredist::testing::run(input);
  return 0;
}
