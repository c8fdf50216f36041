// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include <gtest/gtest.h>
#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "allocations.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

namespace xredist::testing {

// A collective operation that some processes have entered.
struct Collective {
  enum class Kind { reduction, broadcast } kind;
  int entered = 0;
  bool ready = false;  // the result is there
  std::vector<std::byte> result{};
};

struct SimulatedComm {
  int number;
  std::set<int> freed_by{};
  std::deque<Collective> collectives{};
  std::map<int, std::size_t> entered{};  // by rank: the number of collective operations
  std::map<int, void*> attributes{};     // by keyval
};

struct SimulatedRequest {
  enum class Kind { send, receive } kind;
  int process, peer, tag;
  MPI_Comm comm;
  std::byte* data = nullptr;  // of a receive
  int bytes = 0;
  bool complete = false;
  MPI_Status status{};
};

namespace {

constexpr std::size_t stack_bytes = 256 << 10;
// Turns without an event after which no process can continue.
constexpr int idle_turns = 3000;

struct Message {
  int from, to, tag;
  MPI_Comm comm;
  const std::byte* data;  // of the sender, unless the message is stored
  std::vector<std::byte> stored;
  int bytes;
  MPI_Request send;  // that completes when the message is received, or nullptr

  bool same_way(const Message& other) const {
    return from == other.from && to == other.to && tag == other.tag && comm == other.comm;
  }
};

// A process: a context of its own on a stack of its own.
struct Fiber {
  std::unique_ptr<std::byte[]> stack{new std::byte[stack_bytes]};
  ucontext_t context{};
  bool ended = true;
  std::deque<Message> arrived{};        // that no receive has matched
  std::vector<MPI_Request> receives{};  // posted, in this order
};

}  // namespace

struct Simulation::State {
  Network network;
  std::mt19937 engine;
  std::vector<Fiber> fibers{};
  std::vector<std::unique_ptr<SimulatedComm>> comms{};
  std::deque<Message> under_way{};
  const std::function<void(int)>* program = nullptr;
  ucontext_t scheduler{};
  int current = 0, idle = 0, max_stored = 0, sent = 0;

  int below(std::size_t n) { return static_cast<int>(engine() % n); }
  bool happens(double probability) { return static_cast<double>(engine() % 1024) < 1024 * probability; }
  Fiber& own() { return fibers.at(static_cast<std::size_t>(current)); }

  void switch_to(ucontext_t& from, ucontext_t& to, [[maybe_unused]] Fiber* fiber);
  void deliver_some();
  void arrive(Message message);
  void receive(const Message& message, MPI_Request request);
  void send(const void* data, int bytes, int to, int tag, MPI_Comm comm, MPI_Request* request, bool synchronous,
            bool eager);
  bool find_completed(MPI_Request& request, MPI_Status* status);
  Collective& enter(MPI_Comm comm, Collective::Kind kind);
};

namespace {

Simulation::State* simulation = nullptr;

void run_program() {
  simulation->own().ended = false;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
  (*simulation->program)(simulation->current);
  simulation->own().ended = true;
  simulation->idle = 0;
  for (;;) yield();
}

}  // namespace

// AddressSanitizer has to know the stack of the context that continues.
void Simulation::State::switch_to(ucontext_t& from, ucontext_t& to, [[maybe_unused]] Fiber* fiber) {
#ifdef __SANITIZE_ADDRESS__
  static const void* bottom = nullptr;  // of the scheduler's stack
  static std::size_t size = 0;
  void* fake = nullptr;
  if (fiber != nullptr)
    __sanitizer_start_switch_fiber(&fake, fiber->stack.get(), stack_bytes);
  else
    __sanitizer_start_switch_fiber(&fake, bottom, size);
  swapcontext(&from, &to);
  if (fiber == nullptr)
    __sanitizer_finish_switch_fiber(fake, &bottom, &size);
  else
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#else
  swapcontext(&from, &to);
#endif
}

// Delivers messages that were sent at any time, but not before earlier ones of their way.
void Simulation::State::deliver_some() {
  while (!under_way.empty() && happens(network.delivered)) {
    const Message& any = under_way.at(static_cast<std::size_t>(below(under_way.size())));
    const auto first = std::ranges::find_if(under_way, [&](const Message& other) { return other.same_way(any); });
    Message message = std::move(*first);
    under_way.erase(first);
    idle = 0;
    arrive(std::move(message));
  }
}

void Simulation::State::arrive(Message message) {
  Fiber& at = fibers.at(static_cast<std::size_t>(message.to));
  const auto matching = std::ranges::find_if(at.receives, [&](MPI_Request request) {
    return request->comm == message.comm && request->tag == message.tag &&
           (request->peer == message.from || request->peer == MPI_ANY_SOURCE);
  });
  if (matching == at.receives.end()) {
    at.arrived.push_back(std::move(message));
    max_stored = std::max(max_stored, static_cast<int>(at.arrived.size()));
    return;
  }
  MPI_Request const request = *matching;
  at.receives.erase(matching);
  receive(message, request);
}

void Simulation::State::receive(const Message& message, MPI_Request request) {
  const int bytes = std::min(message.bytes, request->bytes);
  if (bytes > 0) std::memcpy(request->data, message.data, static_cast<std::size_t>(bytes));
  request->status = {message.from, message.tag, bytes < message.bytes ? MPI_ERR_TRUNCATE : MPI_SUCCESS, bytes};
  request->complete = true;
  if (message.send != nullptr) message.send->complete = true;
}

void Simulation::State::send(const void* data, int bytes, int to, int tag, MPI_Comm comm, MPI_Request* request,
                             bool synchronous, bool eager) {
  const Uncounted uncounted;
  idle = 0;
  ++sent;
  Message message{current, to, tag, comm, static_cast<const std::byte*>(data), {}, bytes, nullptr};
  if (request != nullptr) {
    EXPECT_EQ(*request, MPI_REQUEST_NULL) << "the request is in use";
    *request = new SimulatedRequest{SimulatedRequest::Kind::send, current, to, tag, comm};
    if (synchronous || !eager) message.send = *request;
    (*request)->complete = message.send == nullptr;
  }
  if (message.send == nullptr && bytes > 0) {
    message.stored.assign(message.data, message.data + bytes);
    message.data = message.stored.data();  // stays where it is when the message moves
  }
  under_way.push_back(std::move(message));
}

// Returns whether a request is complete; frees it then.
bool Simulation::State::find_completed(MPI_Request& request, MPI_Status* status) {
  EXPECT_EQ(request->process, current) << "a request of another process";
  if (!request->complete) return false;
  if (status != nullptr) *status = request->status;
  delete request;
  request = MPI_REQUEST_NULL;
  idle = 0;
  return true;
}

// Returns the collective operation that this process reaches next. All processes reach the same ones in the same order.
Collective& Simulation::State::enter(MPI_Comm comm, Collective::Kind kind) {
  idle = 0;
  const std::size_t number = comm->entered[current]++;
  if (number == comm->collectives.size()) comm->collectives.push_back({kind});
  Collective& collective = comm->collectives.at(number);
  EXPECT_TRUE(collective.kind == kind) << "processes are in different collective operations";
  ++collective.entered;
  return collective;
}

Simulation::Simulation(int processes, unsigned seed, Network network) : state_(new State{network, std::mt19937(seed)}) {
  state_->fibers.resize(static_cast<std::size_t>(processes));
  simulation = state_.get();
}

Simulation::~Simulation() { simulation = nullptr; }

int Simulation::size() const { return static_cast<int>(state_->fibers.size()); }
int Simulation::max_stored() const { return state_->max_stored; }
int Simulation::sent() const { return state_->sent; }

int Simulation::unreceived() const {
  std::size_t count = state_->under_way.size();
  for (const Fiber& fiber : state_->fibers) count += fiber.arrived.size();
  return static_cast<int>(count);
}

MPI_Comm Simulation::communicator() {
  const int number = static_cast<int>(state_->comms.size());
  return state_->comms.emplace_back(new SimulatedComm{number}).get();
}

// Some processes get many turns in a row, others none for a long time.
bool Simulation::run(const std::function<void(int)>& program) {
  const Uncounted uncounted;  // the ends of the programs do not come back
  State& state = *state_;
  state.program = &program;
  for (Fiber& fiber : state.fibers) {
    fiber.ended = false;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stack_bytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, run_program, 0);
  }
  const auto running = [](const Fiber& fiber) { return !fiber.ended; };
  for (state.idle = 0; state.idle < idle_turns * size(); ++state.idle) {
    if (std::ranges::none_of(state.fibers, running)) return true;
    state.deliver_some();
    if (state.idle >= size() || state.happens(0.7)) state.current = state.below(state.fibers.size());
    if (state.own().ended) continue;
    state.switch_to(state.scheduler, state.own().context, &state.own());
  }
  return false;
}

int own_rank() { return simulation->current; }

void yield() {
  const Uncounted uncounted;
  simulation->switch_to(simulation->own().context, simulation->scheduler, nullptr);
}

MPI_Comm new_communicator() {
  const Uncounted uncounted;
  return new SimulatedComm{-1};
}

int collective_operations(MPI_Comm comm) { return static_cast<int>(comm->entered[own_rank()]); }

void all_reduce(MPI_Comm comm, void* values, std::size_t bytes, void (*combine)(void*, const void*, std::size_t)) {
  const Uncounted uncounted;
  Collective& collective = simulation->enter(comm, Collective::Kind::reduction);
  auto* const mine = static_cast<std::byte*>(values);
  if (collective.entered == 1)
    collective.result.assign(mine, mine + bytes);
  else
    combine(collective.result.data(), mine, bytes);
  while (collective.entered < static_cast<int>(simulation->fibers.size())) yield();
  std::ranges::copy(collective.result, mine);
}

void broadcast_from(MPI_Comm comm, void* values, std::size_t bytes, int root) {
  const Uncounted uncounted;
  Collective& collective = simulation->enter(comm, Collective::Kind::broadcast);
  auto* const mine = static_cast<std::byte*>(values);
  if (own_rank() == root) {
    collective.result.assign(mine, mine + bytes);
    collective.ready = true;
    return;
  }
  while (!collective.ready) yield();
  std::ranges::copy(collective.result, mine);
}

bool is_freed(MPI_Comm comm) { return comm->freed_by.contains(own_rank()); }

namespace {

// Ends the turn until `done` returns true.
template <class Done>
void wait_for(Done done) {
  while (!done()) yield();
}

int some(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[], double probability) {
  const Uncounted uncounted;
  *done = 0;
  bool active = false;
  int code = MPI_SUCCESS;
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    active = true;
    if (!simulation->happens(probability)) continue;
    MPI_Status status{};
    if (!simulation->find_completed(requests[i], &status)) continue;
    indices[*done] = i;
    if (status.MPI_ERROR != MPI_SUCCESS) code = MPI_ERR_IN_STATUS;
    statuses[(*done)++] = status;
  }
  if (!active) *done = MPI_UNDEFINED;
  return code;
}

}  // namespace
}  // namespace xredist::testing

using namespace xredist::testing;

static xredist::testing::SimulatedComm world{};
const MPI_Comm MPI_COMM_WORLD = &world;

int MPI_Comm_rank(MPI_Comm, int* rank) {
  *rank = own_rank();
  return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm, int* size) {
  *size = static_cast<int>(simulation->fibers.size());
  return MPI_SUCCESS;
}

int MPI_Initialized(int* initialized) {
  *initialized = 1;
  return MPI_SUCCESS;
}

int MPI_Finalized(int* finalized) {
  *finalized = 0;
  return MPI_SUCCESS;
}

int MPI_Comm_test_inter(MPI_Comm, int* inter) {
  *inter = 0;
  return MPI_SUCCESS;
}

namespace {

struct Keyval {
  MPI_Comm_delete* destroy;
  void* extra;
};
std::vector<Keyval> keyvals;
constexpr int first_keyval = 100;

}  // namespace

int MPI_Comm_create_keyval(MPI_Comm_copy*, MPI_Comm_delete* destroy, int* keyval, void* extra) {
  const Uncounted uncounted;
  *keyval = first_keyval + static_cast<int>(keyvals.size());
  keyvals.push_back({destroy, extra});
  return MPI_SUCCESS;
}

int MPI_Comm_free_keyval(int* keyval) {
  *keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

int MPI_Comm_set_attr(MPI_Comm comm, int keyval, void* value) {
  const Uncounted uncounted;
  comm->attributes[keyval] = value;
  return MPI_SUCCESS;
}

int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* found) {
  if (keyval == MPI_TAG_UB) {
    *static_cast<int**>(value) = &tag_bound;
    *found = comm == MPI_COMM_WORLD;
    return MPI_SUCCESS;
  }
  const auto attribute = comm->attributes.find(keyval);
  *found = attribute != comm->attributes.end();
  if (*found != 0) *static_cast<void**>(value) = attribute->second;
  return MPI_SUCCESS;
}

int MPI_Comm_delete_attr(MPI_Comm comm, int keyval) {
  const Uncounted uncounted;
  const auto attribute = comm->attributes.extract(keyval);
  const Keyval& of = keyvals.at(static_cast<std::size_t>(keyval - first_keyval));
  return of.destroy(comm, keyval, attribute.mapped(), of.extra);
}

int MPI_Comm_free(MPI_Comm* comm) {
  const Uncounted uncounted;
  (*comm)->freed_by.insert(own_rank());
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

// A truncated message does not end the program: Channel's handler.
int MPI_Comm_call_errhandler(MPI_Comm, int code) {
  EXPECT_EQ(code, MPI_ERR_TRUNCATE);
  return MPI_SUCCESS;
}

// Short messages are stored.
int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  simulation->send(data, count * type, to, tag, comm, nullptr, false, true);
  return MPI_SUCCESS;
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  const bool eager = simulation->happens(simulation->network.eager);
  simulation->send(data, count * type, to, tag, comm, request, false, eager);
  return MPI_SUCCESS;
}

int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  simulation->send(data, count * type, to, tag, comm, request, true, false);
  return MPI_SUCCESS;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  const Uncounted uncounted;
  simulation->idle = 0;
  EXPECT_EQ(*request, MPI_REQUEST_NULL) << "the request is in use";
  *request = new SimulatedRequest{SimulatedRequest::Kind::receive, own_rank(),  from, tag, comm,
                                  static_cast<std::byte*>(data),   count * type};
  auto& arrived = simulation->own().arrived;
  const auto first = std::ranges::find_if(arrived, [&](const Message& message) {
    return message.comm == comm && message.tag == tag && (from == message.from || from == MPI_ANY_SOURCE);
  });
  if (first == arrived.end()) {
    simulation->own().receives.push_back(*request);
    return MPI_SUCCESS;
  }
  simulation->receive(*first, *request);
  arrived.erase(first);
  return MPI_SUCCESS;
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* found, MPI_Status* status) {
  EXPECT_EQ(status, MPI_STATUS_IGNORE);
  *found = simulation->happens(simulation->network.delivered) &&
           std::ranges::any_of(simulation->own().arrived, [&](const Message& message) {
             return message.comm == comm && message.tag == tag && (from == message.from || from == MPI_ANY_SOURCE);
           });
  return MPI_SUCCESS;
}

int MPI_Cancel(MPI_Request* request) {
  const Uncounted uncounted;
  EXPECT_TRUE((*request)->kind == SimulatedRequest::Kind::receive) << "MPI does not cancel sends";
  if (std::erase(simulation->own().receives, *request) > 0) (*request)->complete = true;
  return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const Uncounted uncounted;
  wait_for([&] { return simulation->find_completed(*request, status); });
  return MPI_SUCCESS;
}

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  const Uncounted uncounted;
  *done = simulation->happens(simulation->network.delivered) && simulation->find_completed(*request, status);
  return MPI_SUCCESS;
}

int MPI_Testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  if (simulation->happens(0.1)) yield();
  return some(count, requests, done, indices, statuses, simulation->network.delivered);
}

int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  const Uncounted uncounted;
  int code = MPI_SUCCESS;
  wait_for([&] {
    code = some(count, requests, done, indices, statuses, simulation->network.delivered);
    return *done != 0;
  });
  return code;
}

int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
  *count = status->bytes / type;
  return MPI_SUCCESS;
}
