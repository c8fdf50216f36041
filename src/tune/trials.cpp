// SPDX-License-Identifier: BSD-3-Clause
#include "tune/trials.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xredist::core {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Ratios of times: the model's choice stays unless another way takes less than this part of its time.
constexpr double min_gain = 0.99;

// Ratios to the least time, by pass: slower ways are tried no more.
constexpr double limits[] = {infinite, 1.3, 1.1, 1.0};

}  // namespace

Trials::Trials(std::size_t ways, std::size_t overlap) : found_(ways), overlap_(overlap) { candidates_.reserve(ways); }

void Trials::settle(std::span<const double> agreed) {
  if (pass_ == 0)
    choose_candidates(static_cast<std::size_t>(agreed[0]));
  else
    drop_slow_candidates(agreed);
  ++pass_;
  next_ = 0;
  times_.fill(infinite);
}

// A way that is known is the only candidate.
void Trials::choose_candidates(std::size_t known) {
  const bool is_known = known > 0 && known <= found_.size();
  best_ = is_known ? known - 1 : 0;
  candidates_.resize(is_known ? 1 : found_.size());
  std::iota(candidates_.begin(), candidates_.end(), best_);
}

void Trials::drop_slow_candidates(std::span<const double> times) {
  for (std::size_t k = 0; k < trials_of_pass(); ++k) {
    Found& way = found_[candidates_[k % candidates_.size()]];
    way.seconds = std::min(way.seconds, times[k]);
    ++way.trials;
  }
  best_ = static_cast<std::size_t>(std::ranges::min_element(found_, {}, &Found::seconds) - found_.begin());
  if (found_[best_].seconds > min_gain * found_[0].seconds || std::isinf(found_[best_].seconds)) best_ = 0;
  const double limit = limits[pass_] * found_[best_].seconds;
  std::erase_if(candidates_, [&](std::size_t way) { return !(found_[way].seconds <= limit); });
}

std::optional<Trials::Turn> Trials::take() {
  const std::size_t number = next_++;
  if (number >= trials_of_pass()) return std::nullopt;
  return Turn{candidates_[number % candidates_.size()], pass_, number};
}

void Trials::record(const Turn& turn, double seconds) {
  if (turn.pass == pass_) times_[turn.number] = seconds;
}

int Trials::trials() const {
  return std::accumulate(found_.begin(), found_.end(), 0, [](int sum, const Found& way) { return sum + way.trials; });
}

}  // namespace xredist::core
