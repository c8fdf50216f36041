// SPDX-License-Identifier: BSD-3-Clause
#include "api/arguments.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace xredist::core {

bool valid(const xredist_layout* layout, int size) {
  if (layout == nullptr || layout->nprow < 1 || layout->npcol < 1 || layout->mb < 1 || layout->nb < 1) return false;
  if (layout->mb > most_elements || layout->nb > most_elements) return false;
  if (layout->rsrc < 0 || layout->rsrc >= layout->nprow || layout->csrc < 0 || layout->csrc >= layout->npcol)
    return false;
  const Index processes = Index{layout->nprow} * layout->npcol;
  if (processes > size) return false;
  if (layout->ranks == nullptr) return true;
  std::vector<bool> seen(static_cast<std::size_t>(size), false);
  return std::all_of(layout->ranks, layout->ranks + processes, [&](int rank) {
    if (rank < 0 || rank >= size || seen[static_cast<std::size_t>(rank)]) return false;
    seen[static_cast<std::size_t>(rank)] = true;
    return true;
  });
}

std::vector<int> ranks_of(const xredist_layout& layout) {
  std::vector<int> ranks(static_cast<std::size_t>(layout.nprow) * static_cast<std::size_t>(layout.npcol));
  if (layout.ranks != nullptr)
    std::copy_n(layout.ranks, ranks.size(), ranks.begin());
  else
    std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

Layout layout_of(const xredist_layout& layout, Index i, Index j) {
  return {{layout.mb, layout.nprow, layout.rsrc, i - 1}, {layout.nb, layout.npcol, layout.csrc, j - 1}};
}

std::string trimmed(const char* text, std::size_t length) {
  const std::string_view padded(text, length);
  return std::string(padded.substr(0, padded.find_last_not_of(' ') + 1));
}

}  // namespace xredist::core
