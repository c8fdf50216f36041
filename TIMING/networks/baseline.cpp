// SPDX-License-Identifier: BSD-3-Clause
#include "networks/baseline.hpp"

#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "drivers/times.hpp"
#include "schedule/algorithm.hpp"

namespace networks {
namespace {

namespace core = xredist::core;

struct Message {
  Index step;
  int peer, bytes, offset;
};

// One direction: the messages to or from other processes, in the order of a schedule.
struct Side {
  std::vector<Message> messages;
  std::vector<std::byte> buffer;

  Side(const std::vector<core::Message>& all, const cases::Matrix& peers, int element) {
    int total = 0;
    for (const core::Message& message : all) {
      const int peer = peers.rank_at(message.peer.row, message.peer.col);
      if (peer == runs::rank_in_world()) continue;
      const int bytes = static_cast<int>(message.elements() * element);
      messages.push_back({message.step, peer, bytes, total});
      total += bytes;
    }
    buffer.resize(static_cast<std::size_t>(total));
  }
  std::byte* at(const Message& m) { return buffer.data() + m.offset; }
};

template <class Of>
std::vector<core::Message> messages_of(Of of, const Case& c, const cases::Matrix& own, const core::Schedule& schedule) {
  const auto coord = coord_of(own, runs::rank_in_world());
  return coord ? of(traffic_of(c), schedule, *coord) : std::vector<core::Message>();
}

struct Exchange {
  Side out, in;

  Exchange(const runs::Matrices& x, const core::Schedule& schedule)
      : out(messages_of(core::sends_of, x.c, x.c.a, schedule), x.c.b, x.element.bytes),
        in(messages_of(core::receives_of, x.c, x.c.b, schedule), x.c.a, x.element.bytes) {}

  MPI_Request send(const Message& m) {
    MPI_Request request;
    MPI_Isend(out.at(m), m.bytes, MPI_BYTE, m.peer, 0, MPI_COMM_WORLD, &request);
    return request;
  }
  void receive(const Message& m) {
    MPI_Recv(in.at(m), m.bytes, MPI_BYTE, m.peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
};

// At most one message in each direction.
struct Step {
  const Message *sent = nullptr, *received = nullptr;
};

std::map<Index, Step> steps_of(const Exchange& x) {
  std::map<Index, Step> steps;
  const auto put = [&](const Side& side, const Message* Step::*place) {
    for (const Message& m : side.messages)
      if (std::exchange(steps[m.step].*place, &m) != nullptr)
        throw std::invalid_argument("no proper schedule: two messages in a step");
  };
  put(x.out, &Step::sent);
  put(x.in, &Step::received);
  return steps;
}

Contender without_packing(const std::string& name, const runs::Call& call) {
  return {name, {}, {}, [call] { return call; }, false};
}

void wait_for(std::vector<MPI_Request>& requests) {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

// Runs the order of ScaLAPACK's routine. A round of the reference schedule is two steps; the lower of a pair sends in
// the first. All sends complete at the end, because the routine sends packed copies.
Contender as_scalapack(const runs::Matrices& matrices) {
  const auto x = std::make_shared<Exchange>(matrices, core::reference_schedule(traffic_of(matrices.c)));
  return without_packing("scalapack", [x, steps = steps_of(*x)] {
    std::vector<MPI_Request> requests;
    for (const auto& [number, step] : steps) {
      if (step.received != nullptr) x->receive(*step.received);
      if (step.sent != nullptr) requests.push_back(x->send(*step.sent));
    }
    wait_for(requests);
  });
}

Contender at_once(const runs::Matrices& matrices) {
  return without_packing("at-once",
                         [x = std::make_shared<Exchange>(matrices, core::rank_schedule(traffic_of(matrices.c)))] {
                           std::vector<MPI_Request> requests(x->in.messages.size());
                           for (std::size_t k = 0; k < requests.size(); ++k) {
                             const Message& m = x->in.messages[k];
                             MPI_Irecv(x->in.at(m), m.bytes, MPI_BYTE, m.peer, 0, MPI_COMM_WORLD, &requests[k]);
                           }
                           for (const Message& m : x->out.messages) requests.push_back(x->send(m));
                           wait_for(requests);
                         });
}

// Arguments of MPI_Alltoallv for one direction.
struct Counts {
  std::vector<int> bytes, offsets;

  explicit Counts(const Side& side) : bytes(static_cast<std::size_t>(runs::size_of_world()), 0), offsets(bytes) {
    for (const Message& m : side.messages) {
      bytes[static_cast<std::size_t>(m.peer)] = m.bytes;
      offsets[static_cast<std::size_t>(m.peer)] = m.offset;
    }
  }
};

Contender alltoallv(const runs::Matrices& matrices) {
  const auto x = std::make_shared<Exchange>(matrices, core::rank_schedule(traffic_of(matrices.c)));
  return without_packing("alltoallv", [x, out = Counts(x->out), in = Counts(x->in)] {
    MPI_Alltoallv(x->out.buffer.data(), out.bytes.data(), out.offsets.data(), MPI_BYTE, x->in.buffer.data(),
                  in.bytes.data(), in.offsets.data(), MPI_BYTE, MPI_COMM_WORLD);
  });
}

constexpr std::string_view in_steps = "steps:";

// Runs one step after the other on each process, without barriers.
Contender step_by_step(const runs::Matrices& matrices, const std::string& algorithm) {
  const auto schedule = core::find_algorithm(algorithm)->make(traffic_of(matrices.c), {2e-6, 8e-10}, {});
  if (!schedule) return {algorithm, "not defined"};
  const auto x = std::make_shared<Exchange>(matrices, *schedule);
  return without_packing("steps:" + algorithm, [x, steps = steps_of(*x)] {
    for (const auto& [number, step] : steps) {
      const auto& [sent, received] = step;
      if (sent != nullptr && received != nullptr)
        MPI_Sendrecv(x->out.at(*sent), sent->bytes, MPI_BYTE, sent->peer, 0, x->in.at(*received), received->bytes,
                     MPI_BYTE, received->peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      else if (sent != nullptr)
        MPI_Send(x->out.at(*sent), sent->bytes, MPI_BYTE, sent->peer, 0, MPI_COMM_WORLD);
      else
        x->receive(*received);
    }
  });
}

Contender baseline(const std::string& name, const runs::Matrices& x) {
  if (name.starts_with(in_steps)) return step_by_step(x, name.substr(in_steps.size()));
  if (name == "scalapack") return as_scalapack(x);
  if (name == "at-once") return at_once(x);
  if (name == "alltoallv") return alltoallv(x);
  throw std::invalid_argument("no such algorithm: " + name);
}

}  // namespace

std::vector<std::string> contenders() {
  std::vector<std::string> names = runs::choices();
  names.insert(names.end(), {"scalapack", "at-once", "alltoallv"});
  for (const core::Algorithm& algorithm : core::algorithms()) names.emplace_back(in_steps).append(algorithm.name);
  return names;
}

Contender contender(const std::string& name, const runs::Matrices& x) {
  const bool known = core::find_algorithm(runs::choice_of(name).algorithm) != nullptr;
  return known ? runs::planned(name, x.c, x.element.bytes, x.a, x.b) : baseline(name, x);
}

}  // namespace networks
