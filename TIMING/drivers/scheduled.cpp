// SPDX-License-Identifier: BSD-3-Clause
// The contenders that exchange packed messages in the order of a schedule.
#include "drivers/scheduled.hpp"

#include <algorithm>

#include "drivers/times.hpp"
#include "papers/papers.hpp"
#include "papers/walker_otto.hpp"

namespace drivers {
namespace {

constexpr const char* rectangles_only = "its messages are rectangles";

// Adds the parts of one direction. Parts of a message follow each other in the buffer.
void put(Steps& steps, const std::vector<core::Message>& messages, const Side& side, int me,
         std::vector<Part> Step::*place) {
  std::vector<int> next = side.begins, number(next.size(), 0);
  for (const core::Message& message : messages) {
    const int peer = side.other.rank_at(message.peer.row, message.peer.col),
              count = static_cast<int>(message.elements());
    if (peer == me) continue;
    (steps[message.step].*place).push_back({peer, at(next, peer), count, at(number, peer)++});
    at(next, peer) += count;
  }
}

void receive(const Packed& x, const Part& part) {
  MPI_Recv(x.in.at(part.begin), part.count, x.type, part.peer, part.number, x.comm, MPI_STATUS_IGNORE);
}

MPI_Request send(const Packed& x, const Part& part) { return x.send(part.peer, part.begin, part.count, part.number); }

// Runs the order of ScaLAPACK's routine. A round of the reference schedule is two steps; the lower of a pair sends in
// the first. All sends complete at the end, because the routine sends packed copies.
void exchange_as_scalapack(const Packed& x, const Steps& steps) {
  std::vector<MPI_Request> requests;
  for (const auto& [number, step] : steps) {
    for (const Part& part : step.received) receive(x, part);
    for (const Part& part : step.sent) requests.push_back(send(x, part));
  }
  x.copy_own();
  wait_for(requests);
}

// What a process sends, in order, and what it receives from any process at any time: a message has its sender and, as
// tag, the number of its part, so its place is known when it has arrived. (In Walker & Otto 1996 each message begins
// with the index of its block.) It arrives in a buffer of its own or, with one receive at a time, in the only one.
struct AnyOrder {
  std::vector<Part> sent;
  std::map<std::pair<int, int>, Part> received;
  int longest = 0;
  std::unique_ptr<std::byte[]> buffers;
  std::vector<MPI_Request> arrivals;

  AnyOrder(const Packed& x, const Steps& steps, bool all_at_once) {
    for (const auto& [number, step] : steps) {
      sent.insert(sent.end(), step.sent.begin(), step.sent.end());
      for (const Part& part : step.received) {
        received.emplace(std::pair(part.peer, part.number), part);
        longest = std::max(longest, part.count);
      }
    }
    arrivals.resize(all_at_once ? received.size() : std::min<std::size_t>(received.size(), 1), MPI_REQUEST_NULL);
    buffers = std::make_unique_for_overwrite<std::byte[]>(arrivals.size() * as_size(Index{longest} * x.in.bytes));
  }

  std::byte* buffer(const Packed& x, std::size_t k) const {
    return buffers.get() + static_cast<Index>(k) * longest * x.in.bytes;
  }
  void post(const Packed& x, std::size_t k) {
    MPI_Irecv(buffer(x, k), longest, x.type, MPI_ANY_SOURCE, MPI_ANY_TAG, x.comm, &arrivals[k]);
  }
  // Waits for a message and copies it to its place.
  void take_one(const Packed& x) {
    int k = 0;
    MPI_Status status;
    MPI_Waitany(static_cast<int>(arrivals.size()), arrivals.data(), &k, &status);
    const Part& part = received.at({status.MPI_SOURCE, status.MPI_TAG});
    std::memcpy(x.in.at(part.begin), buffer(x, as_size(k)), as_size(Index{part.count} * x.in.bytes));
  }
};

// Walker & Otto 1996, figure 4 (synchronised): posts a receive, sends a message, waits for the receive, as often as
// there are messages. A process with more sends than receives begins with sends alone. Then there is no deadlock: a
// process that waits has sent at least 1 + sends - receives more messages than it has received, others at least sends -
// receives; the sum of sends - receives is 0, so a message is on its way to a process that waits for any.
void exchange_with_one_receive(const Packed& x, const std::shared_ptr<AnyOrder>& order) {
  std::vector<MPI_Request> requests;
  const std::size_t sends = order->sent.size(), receives = order->received.size(), rounds = std::max(sends, receives);
  for (std::size_t k = 0; k < rounds; ++k) {
    const bool receiving = k >= rounds - receives;
    if (receiving) order->post(x, 0);
    if (k < sends) requests.push_back(send(x, order->sent[k]));
    if (receiving) order->take_one(x);
  }
  x.copy_own();
  wait_for(requests);
}

// Walker & Otto 1996, figure 5 (unsynchronised): posts all receives, sends all messages, waits for any receive.
void exchange_with_all_receives(const Packed& x, const std::shared_ptr<AnyOrder>& order) {
  std::vector<MPI_Request> requests;
  for (std::size_t k = 0; k < order->arrivals.size(); ++k) order->post(x, k);
  for (const Part& part : order->sent) requests.push_back(send(x, part));
  for (std::size_t k = 0; k < order->arrivals.size(); ++k) order->take_one(x);
  x.copy_own();
  wait_for(requests);
}

Contender in_steps(const Stage& stage, const std::string& name, const core::Schedule& schedule) {
  const auto steps = [&stage, schedule](const Packed& x) { return steps_of(stage.c, x, schedule); };
  return packed(name, stage, steps, exchange_in_steps);
}

template <bool all_at_once>
Contender from_any(const Stage& stage, const std::string& name, const core::Schedule& schedule) {
  const auto order = [&stage, schedule](const Packed& x) {
    return std::make_shared<AnyOrder>(x, steps_of(stage.c, x, schedule), all_at_once);
  };
  return packed(name, stage, order, all_at_once ? exchange_with_all_receives : exchange_with_one_receive);
}

constexpr struct {
  std::string_view prefix;
  Contender (*make)(const Stage&, const std::string&, const core::Schedule&);
} exchanges[] = {
    {"steps:", in_steps},
    {"one-receive:", from_any<false>},
    {"all-receives:", from_any<true>},
    {"pipelined:", pipelined},
};

// One redistribution after the other, over matrices between A and B.
struct Relay {
  std::vector<Case> cases;
  std::vector<Local> between;
  std::vector<std::unique_ptr<Packed>> packed;
  std::vector<Steps> steps;

  Relay(const Stage& stage, std::vector<Case> passes) : cases(std::move(passes)) {
    for (std::size_t k = 1; k < cases.size(); ++k)
      between.push_back(local_part(cases[k].a, rank_in_world(), stage.element.bytes));
    for (std::size_t k = 0; k < cases.size(); ++k) {
      packed.push_back(std::make_unique<Packed>(stage, cases[k], k == 0 ? stage.a : between[k - 1],
                                                k + 1 == cases.size() ? stage.b : between[k]));
      steps.push_back(steps_of(cases[k], *packed[k], papers::walker_otto(traffic_of(cases[k])).value()));
    }
  }
  void run() const {
    for (std::size_t k = 0; k < cases.size(); ++k) {
      packed[k]->out.pack();
      exchange_in_steps(*packed[k], steps[k]);
      packed[k]->in.unpack();
    }
  }
};

}  // namespace

Steps steps_of(const Case& c, const Packed& x, const core::Schedule& schedule) {
  Steps steps;
  const core::Traffic traffic = traffic_of(c);
  if (const auto p = coord_of(c.a, x.me)) put(steps, sends_of(traffic, schedule, *p), x.out, x.me, &Step::sent);
  if (const auto q = coord_of(c.b, x.me)) put(steps, receives_of(traffic, schedule, *q), x.in, x.me, &Step::received);
  return steps;
}

void exchange_in_steps(const Packed& x, const Steps& steps) {
  std::vector<MPI_Request> requests;
  for (const auto& [number, step] : steps) {
    requests.clear();
    for (const Part& part : step.sent) requests.push_back(send(x, part));
    for (const Part& part : step.received) receive(x, part);
    wait_for(requests);
  }
  x.copy_own();
}

std::optional<core::Schedule> schedule_of(const Case& c, const std::string& algorithm) {
  return papers::find(algorithm)->make(traffic_of(c), {2e-6, 8e-10}, {});
}

Contender scalapack_order(const Stage& stage) {
  if (stage.c.trapezoid) return {"scalapack-order", rectangles_only};
  const auto steps = [&stage](const Packed& x) {
    return steps_of(stage.c, x, reference_schedule(traffic_of(stage.c)));
  };
  return packed("scalapack-order", stage, steps, exchange_as_scalapack);
}

Contender in_passes(const Stage& stage) {
  const std::string name(papers::passes_name);
  if (stage.c.trapezoid) return {name, rectangles_only};
  std::vector<Case> passes = papers::passes(stage.c);
  if (passes.empty()) return {name, std::string(papers::why_no_passes(traffic_of(stage.c)))};
  if (elements_of(stage.c) > std::numeric_limits<int>::max()) return {name, "more elements than an int counts"};
  return {name, {}, [&stage, passes]() -> Call {
            return {[relay = std::make_shared<const Relay>(stage, passes)] { relay->run(); }};
          }};
}

std::vector<std::string> scheduled_names() {
  std::vector<std::string> names;
  for (const auto& exchange : exchanges)
    for (const auto& list : {core::algorithms(), papers::schedules()})
      for (const core::Algorithm& algorithm : list) names.emplace_back(exchange.prefix).append(algorithm.name);
  return names;
}

Contender scheduled(const Stage& stage, const std::string& name) {
  if (stage.c.trapezoid) return {name, rectangles_only};
  const std::string prefix = name.substr(0, name.find(':') + 1), algorithm = name.substr(prefix.size());
  const auto schedule = schedule_of(stage.c, algorithm);
  if (!schedule) return {name, std::string(papers::why_undefined(algorithm, traffic_of(stage.c)))};
  return std::ranges::find(exchanges, prefix, [](const auto& x) { return x.prefix; })->make(stage, name, *schedule);
}

}  // namespace drivers
