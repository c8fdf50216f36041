// SPDX-License-Identifier: BSD-3-Clause
#include "route/links.hpp"

#include <utility>

#include "layout/grouped.hpp"

namespace xredist::core {

Nodes::Nodes(std::vector<int> of_ranks) {
  if (of_ranks.empty()) return;
  count_ = std::ranges::max(of_ranks) + 1;
  max_processes_ = std::ranges::max(count_each(count_, of_ranks));
  of_ = std::make_shared<const std::vector<int>>(std::move(of_ranks));
}

}  // namespace xredist::core
