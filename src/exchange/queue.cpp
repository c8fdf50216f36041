#include "exchange/queue.hpp"

#include <algorithm>
#include <utility>

#include "exchange/process.hpp"

namespace xredist {
namespace {

// So many exchanges at once, tests begin another out of turn: each has a little memory.
constexpr std::ptrdiff_t most_tested = 4;

}  // namespace

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

// Where requests of a failed exchange are under way still, its memory stays as it is until they are completed: until
// MPI_Finalize, where a message is one that nobody receives any more.
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
    if (Channel* channel = space->wire.channel) {
      channel->hear();
      space->outbox.forget_withdrawn();
    }
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
  return (*behind)->prepared() &&
         std::none_of(exchanges_.begin(), behind,
                      [&](const auto& other) { return !other->over() && (*behind)->follows(*other); });
}

std::ptrdiff_t Queue::under_way() const {
  return std::ranges::count_if(exchanges_, [](const auto& exchange) { return exchange->under_way(); });
}

void Queue::begin() {
  for (std::size_t place = 0; place < exchanges_.size(); ++place)
    if (may_begin(place)) begin(*exchanges_[place], false);
  retire();
}

void Queue::begin(Exchange& exchange, bool overtaking) {
  try {
    exchange.begin(idle_workspace(), overtaking);
  } catch (...) {
    exchange.fail(std::current_exception());
  }
}

// Waits inside MPI only where nothing but one exchange is under way.
void Queue::advance(bool wait) {
  if (draining_) drain();
  wait = wait && under_way() == 1;
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

bool Queue::test(Exchange& exchange) {
  if (exchange.prepared() && under_way() < most_tested) begin(exchange, true);
  if (!exchange.under_way()) retire();
  if (!exchange.over()) advance(false);
  if (!exchange.over()) return false;
  exchange.check();
  return true;
}

void Queue::wait(Exchange& exchange, Turn& turn) {
  if (exchange.prepared()) begin(exchange, true);
  if (!exchange.under_way()) retire();
  while (!exchange.over()) {
    advance(!turn.process().many_threads);
    turn.pause();
  }
  exchange.check();
}

void Queue::leave(const Channel& channel) {
  while (std::ranges::any_of(exchanges_, [&](const auto& exchange) { return exchange->uses(channel); })) advance(false);
  for (Workspace* space = draining_.get(); space != nullptr; space = space->next.get())
    if (space->wire.channel == &channel) space->wire.channel = nullptr;
}

}  // namespace xredist
