// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/local_copy.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "layout/index.hpp"
#include "plan/memory_overlap.hpp"

namespace xredist::core {

bool LocalCopy::overlaps(const Transfer& copy) const {
  const Job& job = at(batch_.jobs, copy.job);
  return overlap_in_memory(*job.plan, job.a, job.b);
}

// Nothing has been received in the round when overlapping arrays are copied.
void LocalCopy::open(std::span<const Transfer> copies) {
  if (copies.empty()) return;
  finish();
  if (std::ranges::none_of(copies, [this](const Transfer& copy) { return overlaps(copy); }))
    return packets_.open(batch_, copies, TransferList::copies);
  for (std::size_t k = 0; k < copies.size(); ++k) {
    if (overlaps(copies[k])) {
      copy_aside(copies[k]);
    } else {
      packets_.open(batch_, copies.subspan(k, 1), TransferList::copies);
      finish();
    }
  }
}

void LocalCopy::step() {
  for (const Chunk& chunk : packets_.current().chunks) {
    const Job& job = at(batch_.jobs, chunk.job);
    packer_.copy(job.plan->redistribution, chunk, job.a, job.b, job.scalars);
  }
  packets_.advance();
}

void LocalCopy::copy_aside(const Transfer& transfer) {
  const Job& job = at(batch_.jobs, transfer.job);
  const Redistribution& redistribution = job.plan->redistribution;
  std::vector<std::byte> copy(as_size(transfer.elements() * redistribution.bytes));
  std::byte* at = copy.data();
  const auto for_chunks = [&](auto visit) {
    for (packets_.open(batch_, std::span(&transfer, 1), TransferList::copies); !done(); packets_.advance())
      for (const Chunk& chunk : packets_.current().chunks) visit(chunk);
  };
  for_chunks([&](const Chunk& chunk) { at += packer_.pack(redistribution, chunk, job.a, at); });
  at = copy.data();
  for_chunks([&](const Chunk& chunk) {
    at += packer_.unpack(redistribution, chunk, at, copy.data() + copy.size() - at, job.b, job.scalars).value();
  });
}

}  // namespace xredist::core
