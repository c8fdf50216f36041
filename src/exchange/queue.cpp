// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/queue.hpp"

#include <algorithm>
#include <utility>

#include "exchange/process.hpp"

namespace xredist::core {
// Memory of requests that are still under way is never freed, because MPI_Finalize may access it.
Queue::~Queue() {
  while (idle_) idle_ = std::move(idle_->next);
  while (draining_) draining_.reset(draining_.release()->next.release());
}

// Takes the smallest workspace that is large enough, or else the largest.
std::unique_ptr<Workspace> Queue::workspace(Index bytes) {
  std::unique_ptr<Workspace>* best = nullptr;
  for (auto* space = &idle_; *space; space = &(*space)->next)
    if (best == nullptr || ((*best)->size() < bytes ? (*space)->size() > (*best)->size()
                                                    : (*space)->size() >= bytes && (*space)->size() < (*best)->size()))
      best = space;
  if (best == nullptr) return std::make_unique<Workspace>();
  auto space = std::move(*best);
  *best = std::move(space->next);
  return space;
}

void Queue::reserve(const Cut& cut) {
  auto space = workspace(Workspace::bytes_of(cut));
  space->reserve(cut);
  keep(std::move(space));
}

// If requests of a failed exchange are still under way, its memory stays as it is until they are completed. A message
// that nobody receives any more keeps it until MPI_Finalize.
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
  return (*behind)->prepared() && std::none_of(exchanges_.begin(), behind, [&](const auto& other) {
           return !other->over() && (*behind)->follows(*other);
         });
}

std::ptrdiff_t Queue::under_way() const {
  return std::ranges::count_if(exchanges_, [](const auto& exchange) { return exchange->under_way(); });
}

void Queue::begin() {
  for (std::size_t place = 0; place < exchanges_.size(); ++place)
    if (may_begin(place)) begin(*exchanges_[place], false);
  retire();
}

namespace {

// An error ends the exchange, and is thrown where that is waited for.
void attempt(Exchange& exchange, auto step) {
  try {
    step();
  } catch (...) {
    exchange.fail(std::current_exception());
  }
}

}  // namespace

void Queue::begin(Exchange& exchange, bool overtaking) {
  attempt(exchange, [&] {
    const Cut cut = exchange.cut(overtaking);
    exchange.begin(workspace(Workspace::bytes_of(cut)), cut);
  });
}

// No process waits for ever: consider, among the processes that wait inside the library, one that waits for the
// earliest exchange in the common order. The processes that it needs wait for this exchange or for later ones, so they
// have begun it too.
void Queue::begin_through(std::size_t last) {
  for (std::size_t place = 0; place <= last && place < exchanges_.size(); ++place)
    if (exchanges_[place]->prepared()) begin(*exchanges_[place], !may_begin(place));
  retire();
}

std::size_t Queue::place_of(const Exchange& exchange) const {
  const auto found = std::ranges::find(exchanges_, &exchange, [](const auto& other) { return other.get(); });
  return static_cast<std::size_t>(found - exchanges_.begin());
}

// Waits inside MPI only if a single exchange is under way.
void Queue::advance(bool wait) {
  if (draining_) drain();
  wait = wait && under_way() == 1;
  for (const auto& exchange : exchanges_) {
    if (!exchange->under_way()) continue;
    attempt(*exchange, [&] { exchange->progress(wait); });
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

bool Queue::test_until(const Exchange& exchange, auto done) {
  if (exchange.prepared()) begin_through(place_of(exchange));
  if (!done()) advance(false);
  if (!done()) return false;
  exchange.check();
  return true;
}

void Queue::wait_until(const Exchange& exchange, auto done, Turn& turn) {
  if (exchange.prepared()) begin_through(place_of(exchange));
  while (!done()) {
    advance(!turn.process().many_threads);
    turn.pause();
  }
  exchange.check();
}

void Queue::hand_over(const Exchange& exchange) {
  if (!exchange.under_way()) return;
  Exchange& its = *exchanges_[place_of(exchange)];
  attempt(its, [&] { its.hand_over(); });
  retire();
  exchange.check();
}

namespace {

auto over(const Exchange& exchange) {
  return [&] { return exchange.over(); };
}

auto completed(const Exchange& exchange, int member) {
  return [&exchange, member] { return exchange.over() || exchange.completed(member); };
}

}  // namespace

bool Queue::test(const Exchange& exchange) { return test_until(exchange, over(exchange)); }

void Queue::wait(const Exchange& exchange, Turn& turn) { wait_until(exchange, over(exchange), turn); }

bool Queue::test(const Exchange& exchange, int member) {
  const bool done = test_until(exchange, completed(exchange, member));
  if (done) hand_over(exchange);
  return done;
}

void Queue::wait(const Exchange& exchange, int member, Turn& turn) {
  wait_until(exchange, completed(exchange, member), turn);
  hand_over(exchange);
}

void Queue::wait(MPI_Request& request, Turn& turn) {
  begin_through(exchanges_.size());
  for (;;) {
    int completed = 0;
    MPI_Test(&request, &completed, MPI_STATUS_IGNORE);
    if (completed) return;
    advance(false);
    turn.pause();
  }
}

void Queue::leave(const Channel& channel, Turn& turn) {
  const auto uses = [&](const auto& exchange) { return exchange->uses(channel); };
  while (std::ranges::any_of(exchanges_, uses)) {
    begin_through(exchanges_.size());
    advance(false);
    turn.pause();
  }
  for (Workspace* space = draining_.get(); space != nullptr; space = space->next.get())
    if (space->wire.channel == &channel) space->wire.channel = nullptr;
}

}  // namespace xredist::core
