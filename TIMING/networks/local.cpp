#include "local.hpp"

#include <algorithm>

namespace networks {
namespace {

// Of n elements in blocks, those of process `place`.
Index held(Index n, Index block, Index processes, Index place) {
  const Index cycle = block * processes;
  return n / cycle * block + std::clamp<Index>(n % cycle - place * block, 0, block);
}

Index global(Index local, Index block, Index processes, Index place) {
  return (local / block * processes + place) * block + local % block;
}

}  // namespace

Local::Local(const Distribution& d, Index m, Index n, Index rank)
    : d_(d), n_(n), grid_row_(rank / d.npcol), grid_col_(rank % d.npcol) {
  if (rank >= d.processes()) return;
  rows_ = held(m, d.mb, d.nprow, grid_row_);
  cols_ = held(n, d.nb, d.npcol, grid_col_);
  elements_.resize(static_cast<std::size_t>(rows_ * cols_));
}

double Local::value(Index row, Index col) const {
  const Index number = global(row, d_.mb, d_.nprow, grid_row_) * n_ + global(col, d_.nb, d_.npcol, grid_col_);
  return static_cast<double>(number + 1);  // 0 is what clear() leaves
}

void Local::number() {
  for (Index col = 0; col < cols_; ++col)
    for (Index row = 0; row < rows_; ++row) elements_[static_cast<std::size_t>(col * rows_ + row)] = value(row, col);
}

void Local::clear() { std::ranges::fill(elements_, 0.0); }

bool Local::numbered() const {
  for (Index col = 0; col < cols_; ++col)
    for (Index row = 0; row < rows_; ++row)
      if (elements_[static_cast<std::size_t>(col * rows_ + row)] != value(row, col)) return false;
  return true;
}

}  // namespace networks
