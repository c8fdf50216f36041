#include "exchange/queue.hpp"

#include <utility>

#include "exchange/attribute.hpp"

namespace xredist {

std::shared_ptr<Exchange> Queue::start(std::span<const Job> jobs, Channel& channel) {
  auto exchange = last_ && last_.use_count() == 1 ? std::move(last_) : std::make_shared<Exchange>();
  exchange->prepare(jobs, channel);
  exchanges_.push_back(exchange);
  if (exchanges_.size() == 1) exchange->begin(space_);
  return exchange;
}

void Queue::progress(bool wait) {
  exchanges_.front()->progress(wait);
  if (!exchanges_.front()->done()) return;
  last_ = std::move(exchanges_.front());
  exchanges_.erase(exchanges_.begin());
  if (!exchanges_.empty()) exchanges_.front()->begin(space_);
}

bool Queue::test(const Exchange& exchange) {
  if (!exchange.done()) progress(false);
  return exchange.done();
}

void Queue::wait(const Exchange& exchange) {
  while (!exchange.done()) progress(true);
}

Queue& queue() {
  if (Queue* known = attached<Queue>(MPI_COMM_SELF)) return *known;
  return attach(MPI_COMM_SELF, std::make_unique<Queue>());
}

}  // namespace xredist
