// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/queue.hpp"

#include <algorithm>
#include <utility>

namespace xredist::core {
namespace {

// Ends the exchange with the error of a step. The error is thrown where the exchange is waited for.
void attempt(Exchange& exchange, auto step) {
  try {
    step();
  } catch (...) {
    exchange.fail(std::current_exception());
  }
}

// Returns whether an exchange, or a member of it, is complete. No member is complete before the exchange has begun.
bool is_complete(const Exchange& exchange, int member) {
  return exchange.over() || (member != Queue::all && exchange.under_way() && exchange.completed(member));
}

}  // namespace

// The memory of requests that are still under way is never freed, because MPI_Finalize may access it.
Queue::~Queue() {
  for (auto& space : draining_) static_cast<void>(space.release());
}

// Returns the smallest idle workspace that is large enough, or else the largest. Among equal ones it is the last one
// used, which the caches may still have.
std::unique_ptr<Workspace> Queue::workspace(Index bytes) {
  if (idle_.empty()) {
    auto space = std::make_unique<Workspace>();
    idle_.reserve(workspaces_ + 1), draining_.reserve(workspaces_ + 1);  // keep() must not fail
    ++workspaces_;
    return space;
  }
  const auto is_better = [&](const auto& x, const auto& y) {
    const Index of_x = x->capacity(), of_y = y->capacity();
    return of_y < bytes ? of_x > of_y : of_x >= bytes && of_x < of_y;
  };
  std::swap(*std::min_element(idle_.rbegin(), idle_.rend(), is_better), idle_.back());
  auto space = std::move(idle_.back());
  idle_.pop_back();
  return space;
}

void Queue::reserve(const BufferSize& size) {
  auto space = workspace(size.bytes());
  try {
    space->reserve(size);
  } catch (...) {
    keep(std::move(space));
    throw;
  }
  keep(std::move(space));
}

// While requests of a failed exchange are under way, its memory stays as it is. A message that nobody receives any more
// keeps it until MPI_Finalize.
void Queue::keep(std::unique_ptr<Workspace> space) {
  const ExchangeContext& context = space->context;
  if (!context.requests.idle()) {
    draining_.push_back(std::move(space));
    return;
  }
  if (space->shared_memory != nullptr) std::exchange(space->shared_memory, nullptr)->give_back();
  if (context.channel != nullptr && context.channel->ledger().refuses_some())
    for (const auto& [rank, number] : context.peers) context.channel->ledger().forget(rank, number);
  space->context.channel = nullptr;
  idle_.push_back(std::move(space));
}

// Polls one workspace a call, so that calls take no longer after many failures.
void Queue::drain() {
  drained_ = (drained_ + 1) % draining_.size();
  std::swap(draining_[drained_], draining_.back());
  auto space = std::move(draining_.back());
  draining_.pop_back();
  if (Channel* channel = space->context.channel) {
    channel->hear();
    space->sender.forget_withdrawn();
  }
  space->context.requests.poll(false);
  keep(std::move(space));
}

std::shared_ptr<Exchange> Queue::start(std::span<const Job> jobs, Channel& channel, std::thread::id lane) {
  auto exchange = last_ && last_.use_count() == 1 ? std::move(last_) : std::make_shared<Exchange>();
  exchange->prepare(jobs, channel, lane);
  if (exchange->empty()) return nullptr;
  if (exchanges_.size() == exchanges_.capacity()) exchanges_.reserve(2 * exchanges_.size() + 1);
  exchange->assign_sequence_numbers();
  exchanges_.push_back(exchange);
  if (may_begin(exchanges_.size() - 1)) begin(*exchange, false);
  if (exchange->over()) retire();
  return exchange;
}

bool Queue::may_begin(std::size_t place) const {
  const auto at = exchanges_.begin() + static_cast<std::ptrdiff_t>(place);
  return (*at)->prepared() && std::none_of(exchanges_.begin(), at, [&](const auto& earlier) {
           return !earlier->over() && (*at)->follows(*earlier);
         });
}

bool Queue::is_first_of_channel(std::size_t place) const {
  const auto at = exchanges_.begin() + static_cast<std::ptrdiff_t>(place);
  return std::none_of(exchanges_.begin(), at,
                      [&](const auto& earlier) { return !earlier->over() && (*at)->channel() == earlier->channel(); });
}

void Queue::begin_next() {
  for (std::size_t place = 0; place < exchanges_.size(); ++place)
    if (may_begin(place)) begin(*exchanges_[place], false);
  retire();
}

void Queue::begin(Exchange& exchange, bool early) {
  attempt(exchange, [&] { exchange.begin(workspace(exchange.buffer_size(early).bytes()), early); });
}

// No process waits for ever. Consider, on a channel, the earliest exchange that is not complete everywhere. Each
// process that has a part in it, has started it and waits inside the library has begun it, because it is the first
// unfinished one of its channel there. The exchanges that fit into the buffer begin as well, because a process may
// compute before it comes back to an earlier one.
void Queue::begin_through(std::size_t last) {
  Index early_bytes = 0;
  for (const auto& exchange : exchanges_) early_bytes += exchange->early_bytes();
  bool in_budget = true;
  for (std::size_t place = 0; place <= last && place < exchanges_.size(); ++place) {
    Exchange& exchange = *exchanges_[place];
    if (!exchange.prepared()) continue;
    const bool early = !may_begin(place);
    if (early) {
      const Index bytes = exchange.buffer_size(true).bytes();
      in_budget = in_budget && early_bytes + bytes <= exchange.channel()->options().buffer;
      if (!in_budget && !is_first_of_channel(place)) continue;
      early_bytes += bytes;
    }
    begin(exchange, early);
  }
  retire();
}

std::size_t Queue::place_of(const Exchange& exchange) const {
  const auto found = std::ranges::find(exchanges_, &exchange, [](const auto& other) { return other.get(); });
  return as_size(found - exchanges_.begin());
}

// Waits inside MPI only if a single exchange is under way.
void Queue::advance(bool wait) {
  if (!draining_.empty()) drain();
  const auto under_way = [](const auto& exchange) { return exchange->under_way(); };
  wait = wait && std::ranges::count_if(exchanges_, under_way) == 1;
  for (const auto& exchange : exchanges_)
    if (exchange->under_way()) attempt(*exchange, [&] { exchange->progress(wait); });
  retire();
  begin_next();
}

void Queue::advance() {
  begin_through(exchanges_.size());
  advance(false);
}

void Queue::retire() {
  std::erase_if(exchanges_, [&](auto& exchange) {
    if (!exchange->over()) return false;
    if (auto space = exchange->release()) keep(std::move(space));
    last_ = std::move(exchange);
    return true;
  });
}

bool Queue::test(const Exchange& exchange, int member) {
  const auto done = [&] { return is_complete(exchange, member); };
  if (!done()) begin_through(place_of(exchange));
  if (!done()) advance(false);
  if (!done()) return false;
  exchange.check();
  hand_over(exchange);
  return true;
}

void Queue::wait(const Exchange& exchange, Progress& progress, int member) {
  while (!is_complete(exchange, member)) {
    if (exchange.prepared() || exchanges_.size() > 1) begin_through(place_of(exchange));
    if (is_complete(exchange, member)) break;
    advance(!progress.many_threads());
    progress.pause();
  }
  exchange.check();
  hand_over(exchange);
}

// Does nothing unless other members of the batch are under way.
void Queue::hand_over(const Exchange& exchange) {
  if (!exchange.under_way()) return;
  Exchange& batch = *exchanges_[place_of(exchange)];
  attempt(batch, [&] { batch.hand_over(); });
  retire();
  exchange.check();
}

void Queue::wait(MPI_Request& request, Progress& progress) {
  for (;;) {
    int completed = 0;
    MPI_Test(&request, &completed, MPI_STATUS_IGNORE);
    if (completed) return;
    advance();
    progress.pause();
  }
}

void Queue::leave(const Channel& channel, Progress& progress) {
  const auto uses = [&](const auto& exchange) { return exchange->channel() == &channel; };
  while (std::ranges::any_of(exchanges_, uses)) {
    advance();
    progress.pause();
  }
  for (const auto& space : draining_)
    if (space->context.channel == &channel) space->context.channel = nullptr;
}

}  // namespace xredist::core
