#include "exchange/queue.hpp"

#include <algorithm>
#include <utility>

#include "exchange/process.hpp"

namespace xredist {

Queue::~Queue() {
  while (idle_) idle_ = std::move(idle_->next);
  while (draining_) draining_ = std::move(draining_->next);
}

std::unique_ptr<Workspace> Queue::idle_workspace() {
  if (!idle_) return std::make_unique<Workspace>();
  auto space = std::move(idle_);
  idle_ = std::move(space->next);
  return space;
}

void Queue::reserve(const Cut& cut) {
  auto space = idle_workspace();
  space->reserve(cut);
  keep(std::move(space));
}

// Where requests of a failed exchange are under way still, its memory stays as it is until they are completed: for
// ever, where another process takes no notice of a message any more.
void Queue::keep(std::unique_ptr<Workspace> space) {
  const bool idle = space->wire.requests.idle();
  if (idle && space->segments != nullptr) std::exchange(space->segments, nullptr)->give_back();
  auto& list = idle ? idle_ : draining_;
  space->next = std::move(list);
  list = std::move(space);
}

void Queue::drain() {
  auto spaces = std::move(draining_);
  while (spaces) {
    auto space = std::move(spaces);
    spaces = std::move(space->next);
    space->wire.requests.poll(false);
    keep(std::move(space));
  }
}

std::shared_ptr<Exchange> Queue::start(std::span<const Job> jobs, Channel& channel, Turn& turn) {
  auto exchange = last_ && last_.use_count() == 1 ? std::move(last_) : std::make_shared<Exchange>();
  exchange->prepare(jobs, channel, turn.lane());
  if (exchange->empty()) return nullptr;
  exchanges_.reserve(exchanges_.size() + 1);
  exchange->count();
  exchanges_.push_back(exchange);
  begin();
  return exchange;
}

bool Queue::may_begin(std::size_t place) const {
  const auto behind = exchanges_.begin() + static_cast<std::ptrdiff_t>(place);
  return !(*behind)->under_way() &&
         std::none_of(exchanges_.begin(), behind, [&](const auto& other) { return (*behind)->follows(*other); });
}

void Queue::begin() {
  for (std::size_t place = 0; place < exchanges_.size(); ++place) {
    if (!may_begin(place)) continue;
    Exchange& exchange = *exchanges_[place];
    try {
      exchange.begin(idle_workspace());
    } catch (...) {
      exchange.fail(std::current_exception());
      retire();
      place = 0;
    }
  }
}

void Queue::advance(bool wait) {
  if (draining_) drain();
  for (const auto& exchange : exchanges_) {
    if (!exchange->under_way()) continue;
    try {
      exchange->progress(wait);
    } catch (...) {
      exchange->fail(std::current_exception());
    }
  }
  retire();
  begin();
}

void Queue::retire() {
  std::erase_if(exchanges_, [&](auto& exchange) {
    if (!exchange->over()) return false;
    if (auto space = exchange->release()) keep(std::move(space));
    last_ = std::move(exchange);
    return true;
  });
}

bool Queue::test(const Exchange& exchange) {
  if (!exchange.over()) advance(false);
  if (!exchange.over()) return false;
  exchange.check();
  return true;
}

void Queue::wait(const Exchange& exchange, Turn& turn) {
  while (!exchange.over()) {
    advance(turn.may_block());
    turn.pause();
  }
  exchange.check();
}

void Queue::finish(Turn& turn) {
  const auto mine = [&](const auto& exchange) { return exchange->in_lane(turn.lane()); };
  while (std::ranges::any_of(exchanges_, mine)) {
    advance(turn.may_block());
    turn.pause();
  }
}

void Queue::leave(const Channel& channel) {
  while (std::ranges::any_of(exchanges_, [&](const auto& exchange) { return exchange->uses(channel); })) advance(false);
}

}  // namespace xredist
