// The functions of xredist.h.
#include "api/plans.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "api/codes.hpp"
#include "exchange/process.hpp"
#include "plan/description.hpp"
#include "plan/log.hpp"
#include "xredist/xredist.h"

struct xredist_request {
  int members;
  std::shared_ptr<xredist::core::Exchange> exchange;  // nullptr if this process has nothing to do
};

using namespace xredist::core;

int xredist_plan_create(MPI_Comm comm, int64_t m, int64_t n, int bytes, const xredist_layout* a, int64_t ia, int64_t ja,
                        const xredist_layout* b, int64_t ib, int64_t jb, xredist_plan** plan) {
  return coded([&] {
    if (plan != nullptr) *plan = nullptr;
    if (comm == MPI_COMM_NULL) return -1;
    Turn turn;
    Channel& channel = channel_of(comm, turn);
    const Links& links = channel.explore(turn);
    if (m < 0 || m > most_elements) return -2;
    if (n < 0 || n > most_elements || too_large(m, n)) return -3;
    if (bytes != 4 && bytes != 8 && bytes != 16) return -4;
    if (!valid(a, channel.size())) return -5;
    if (ia < 1 || ia > most_elements) return -6;
    if (ja < 1 || ja > most_elements) return -7;
    if (!valid(b, channel.size())) return -8;
    if (ib < 1 || ib > most_elements) return -9;
    if (jb < 1 || jb > most_elements) return -10;
    if (plan == nullptr) return -11;

    const Redistribution redistribution =
        redistribution_of(layout_of(*a, ia, ja), layout_of(*b, ib, jb), m, n, Region{}, bytes);
    std::unique_ptr<xredist_plan> made(new xredist_plan(
        channel, make_plan(redistribution, ranks_of(*a), ranks_of(*b), channel.rank(), channel.options(), links)));
    if (channel.rank() == 0 && channel.options().verbose >= 1)
      write_log("xredist_plan_create plans %s", described(made->plan).c_str());
    if (!made->plan.peers.empty()) turn.process().queue.reserve(made->plan.cut);
    *plan = made.release();
    return 0;
  });
}

int xredist_set_option(MPI_Comm comm, const char* name, const char* value) {
  return coded([&] {
    if (comm == MPI_COMM_NULL) return -1;
    if (name == nullptr) return -2;
    if (value == nullptr) return -3;
    Turn turn;
    Options& options = channel_of(comm, turn).options();
    Options changed = options;
    if (!is_option(name)) return -2;
    if (!set_option(changed, name, value).empty()) return -3;
    options = changed;
    return 0;
  });
}

int xredist_execute(const xredist_plan* plan, const void* a, int64_t lda, void* b, int64_t ldb) {
  xredist_request* request = nullptr;
  const int error = xredist_start(plan, a, lda, b, ldb, &request);
  return error != 0 ? error : xredist_wait(&request);
}

int xredist_start(const xredist_plan* plan, const void* a, int64_t lda, void* b, int64_t ldb,
                  xredist_request** request) {
  const int error = xredist_start_batch(1, &plan, &a, &lda, &b, &ldb, request);
  return error < 0 ? error + 1 : error;  // start_batch has the argument `count` before these
}

int xredist_start_batch(int count, const xredist_plan* const plans[], const void* const a[], const int64_t lda[],
                        void* const b[], const int64_t ldb[], xredist_request** request) {
  return coded([&] {
    if (request != nullptr) *request = nullptr;
    if (count < 1) return -1;
    if (plans == nullptr) return -2;
    if (a == nullptr) return -3;
    if (lda == nullptr) return -4;
    if (b == nullptr) return -5;
    if (ldb == nullptr) return -6;
    if (request == nullptr) return -7;
    for (int i = 0; i < count; ++i) {
      if (plans[i] == nullptr || !plans[i]->usable() || &plans[i]->channel != &plans[0]->channel) return -2;
      const Plan& plan = plans[i]->plan;
      if (plan.reads_a && a[i] == nullptr) return -3;
      if (plan.reads_a && lda[i] < plan.local_rows_a) return -4;
      if (plan.writes_b && b[i] == nullptr) return -5;
      if (plan.writes_b && ldb[i] < plan.local_rows_b) return -6;
    }

    Turn turn;
    Channel& channel = plans[0]->channel;
    auto made = std::unique_ptr<xredist_request>();
    try {
      made = std::make_unique<xredist_request>(count, nullptr);
      std::vector<Job> jobs;
      jobs.reserve(static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i)
        jobs.push_back(
            {&plans[i]->plan, {static_cast<const std::byte*>(a[i]), lda[i]}, {static_cast<std::byte*>(b[i]), ldb[i]}});
      made->exchange = turn.process().queue.start(jobs, channel, turn);
    } catch (...) {
      withdraw(
          count, [&](int i) -> const Plan& { return plans[i]->plan; }, channel);
      throw;
    }
    if (made->exchange && made->exchange->over()) made->exchange->check();  // it failed when it began
    *request = made.release();
    return 0;
  });
}

// A request is also done when its exchange has failed.
int xredist_test(xredist_request** request, int* done) {
  return coded([&] {
    if (request == nullptr) return -1;
    if (done == nullptr) return -2;
    *done = 1;
    if (*request == nullptr) return 0;
    Turn turn;
    std::unique_ptr<xredist_request> held(std::exchange(*request, nullptr));
    if (!held->exchange || turn.process().queue.test(*held->exchange)) return 0;
    *done = 0;
    *request = held.release();
    return 0;
  });
}

int xredist_wait(xredist_request** request) {
  return coded([&] {
    if (request == nullptr) return -1;
    if (*request == nullptr) return 0;
    Turn turn;
    const std::unique_ptr<xredist_request> held(std::exchange(*request, nullptr));
    if (held->exchange) turn.process().queue.wait(*held->exchange, turn);
    return 0;
  });
}

// The request of an exchange that has failed stays, as does its error.
int xredist_test_member(xredist_request* request, int member, int* done) {
  return coded([&] {
    if (member < 0 || (request != nullptr && member >= request->members)) return -2;
    if (done == nullptr) return -3;
    *done = 1;
    if (request == nullptr || !request->exchange) return 0;
    Turn turn;
    *done = turn.process().queue.test(*request->exchange, member) ? 1 : 0;
    return 0;
  });
}

int xredist_wait_member(xredist_request* request, int member) {
  return coded([&] {
    if (member < 0 || (request != nullptr && member >= request->members)) return -2;
    if (request == nullptr || !request->exchange) return 0;
    Turn turn;
    turn.process().queue.wait(*request->exchange, member, turn);
    return 0;
  });
}

void xredist_plan_destroy(xredist_plan* plan) { delete plan; }
