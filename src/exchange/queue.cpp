// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/queue.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "watch/watched.hpp"

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

// Returns the buffers of an exchange that begins early: one slot in each direction.
BufferSize early_size(const Exchange& exchange) {
  BufferSize size = exchange.buffers();
  size.slots = std::min(size.slots, 1);
  return size;
}

}  // namespace

void Queue::reserve(const BufferSize& size) { pool_.reserve(size); }

std::shared_ptr<Exchange> Queue::start(std::span<const Job> jobs, Channel& channel, std::thread::id lane) {
  if (spare_.empty()) spare_.emplace_back();
  Entry& entry = spare_.front();
  if (entry.exchange.use_count() != 1) entry.exchange = std::make_shared<Exchange>();
  std::shared_ptr<Exchange> exchange = entry.exchange;
  exchange->prepare(jobs, channel);
  if (exchange->empty()) return nullptr;
  order_.add(entry, &channel, lane);
  exchange->assign_numbers(++started_);
  entry.self = spare_.begin();
  prepared_.splice(prepared_.end(), spare_);
  if (StartOrder::may_begin(entry)) begin(entry, false);
  if (exchange->over()) retire();
  return exchange;
}

void Queue::begin(Entry& entry, bool early) {
  under_way_.splice(under_way_.end(), prepared_, entry.self);
  const BufferSize size = early ? early_size(*entry.exchange) : entry.exchange->buffers();
  entry.early_bytes = early ? size.bytes() : 0;
  attempt(*entry.exchange, [&] { entry.exchange->begin(pool_, size); });
}

Index Queue::early_bytes() const {
  return std::accumulate(under_way_.begin(), under_way_.end(), Index{0},
                         [](Index sum, const Entry& entry) { return sum + entry.early_bytes; });
}

// No process waits for ever. Consider, on a channel, the earliest exchange that is not complete everywhere. Each
// process that has a part in it, has started it and waits inside the library has begun it, because it is the first
// unfinished one of its channel there. The exchanges that fit into the buffer begin as well, because a process may
// compute before it comes back to an earlier one.
void Queue::begin_early(Index number) {
  Index bytes = early_bytes();
  for (auto next = prepared_.begin(); next != prepared_.end() && next->exchange->number() <= number;) {
    Entry& entry = *next++;
    bytes += early_size(*entry.exchange).bytes();
    if (bytes > entry.exchange->channel()->options().buffer) break;
    begin(entry, true);
  }
  order_.for_first_of_channels([&](StartOrder::Place& place) {
    const Exchange& exchange = *entry_at(place).exchange;
    if (exchange.prepared() && exchange.number() <= number) begin(entry_at(place), true);
  });
  retire();
}

// Waits inside MPI only if a single exchange is under way, and nothing else.
void Queue::advance(bool wait) {
  pool_.drain();
  wait = wait && under_way_.size() == 1;
  for (const Entry& entry : under_way_)
    if (Exchange& exchange = *entry.exchange; exchange.under_way()) attempt(exchange, [&] { exchange.progress(wait); });
  retire();
}

void Queue::advance() {
  begin_through(std::numeric_limits<Index>::max());
  advance(false);
}

// Removes the exchanges that have ended, and begins those that had to wait for them.
void Queue::retire() {
  for (auto place = under_way_.begin(); place != under_way_.end();) {
    Entry& entry = *place;
    if (!entry.exchange->over()) {
      ++place;
      continue;
    }
    const auto next = StartOrder::remove(entry);
    entry.exchange->release(pool_);
    for (StartOrder::Place* const first : next)
      if (first != nullptr && entry_at(*first).exchange->prepared()) begin(entry_at(*first), false);
    spare_.splice(spare_.begin(), under_way_, place++);
    if (spare_.size() > 1) spare_.pop_back();
  }
}

bool Queue::test(Exchange& exchange, int member) {
  const auto done = [&] { return is_complete(exchange, member); };
  if (!done()) begin_through(exchange.number());
  if (!done()) advance(false);
  if (!done()) return false;
  exchange.check();
  hand_over(exchange);
  return true;
}

// Tells the watch for what this thread waits. Without memory the watch gets no answer.
void Queue::tell_watch(const Exchange& exchange, const InPhase& phase) const try {
  if (exchange.under_way()) return phase.answer(text_of(exchange.waiting()));
  std::string text = "its exchange has not begun, because others have not ended";
  if (!under_way_.empty() && under_way_.front().exchange->under_way())
    text += "; the first one: " + text_of(under_way_.front().exchange->waiting());
  phase.answer(text);
} catch (const std::bad_alloc&) {
}

void Queue::wait(Exchange& exchange, Progress& progress, int member) {
  if (is_watched()) [[unlikely]]
    return wait_watched(exchange, progress, member);
  while (!is_complete(exchange, member)) {
    begin_through(exchange.number());
    if (is_complete(exchange, member)) break;
    advance(!progress.many_threads());
    progress.pause();
  }
  exchange.check();
  hand_over(exchange);
}

// A process that is watched answers the watch while it waits. A function of its own, so that the loop above stays as
// short as it can be.
void Queue::wait_watched(Exchange& exchange, Progress& progress, int member) {
  const InPhase phase(Phase::exchange);
  if (!phase.is_stated() && !exchange.over()) exchange.state_size();
  while (!is_complete(exchange, member)) {
    begin_through(exchange.number());
    if (is_complete(exchange, member)) break;
    if (phase.is_asked()) tell_watch(exchange, phase);
    advance(!progress.many_threads());
    progress.pause();
  }
  exchange.check();
  hand_over(exchange);
}

// Does nothing unless other members of the batch are under way.
void Queue::hand_over(Exchange& exchange) {
  if (!exchange.under_way()) return;
  attempt(exchange, [&] { exchange.hand_over(); });
  retire();
  exchange.check();
}

void Queue::wait(MPI_Request& request, Progress& progress) {
  const auto is_complete = [&] {
    int completed = 0;
    MPI_Test(&request, &completed, MPI_STATUS_IGNORE);
    return completed != 0;
  };
  advance_until(is_complete, progress);
}

void Queue::leave(const Channel& channel, Progress& progress) {
  advance_until([&] { return order_.is_idle(&channel); }, progress);
  order_.forget(&channel);
  pool_.leave(channel);
}

}  // namespace xredist::core
