// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h.
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "api/codes.hpp"
#include "api/operation.hpp"
#include "api/plan.hpp"
#include "exchange/collectives.hpp"
#include "exchange/process.hpp"
#include "plan/description.hpp"
#include "plan/log.hpp"
#include "xredist/xredist.h"

struct xredist_request {
  int members;
  std::vector<std::shared_ptr<const std::vector<xredist::core::Plan>>> plans;  // the program may destroy its own
  std::shared_ptr<xredist::core::Exchange> exchange;  // nullptr if this process has nothing to do
};

using namespace xredist::core;

namespace {

bool has_cuts(const xredist_layout* layout) {
  return layout != nullptr && (layout->rows != nullptr || layout->cols != nullptr);
}

// In both functions that make a plan, the submatrices are arguments 5 to 10, and the plan is argument 11.
constexpr int first_place = 5;

// Returns the number of a layout whose intervals are wrong, or 0.
int wrong_intervals(const char* routine, const Submatrices& its, const Channel& channel) {
  for (const auto& [layout, number] : {std::pair{its.a, 5}, {its.b, 8}}) {
    const std::string text = wrong_cuts(*layout);
    if (text.empty()) continue;
    if (channel.options().verbose >= 1) write_log("%s: argument %d, %s", routine, number, text.c_str());
    return -number;
  }
  return 0;
}

// The first error that a process has found, or the layout whose intervals differ between processes.
int agreed(int error, const Submatrices& its, const Channel& channel, Turn& turn) {
  constexpr Index none = std::numeric_limits<Index>::min();
  const auto both = [](const xredist_layout* x) {
    return x == nullptr ? 0 : fingerprint(x->rows) ^ fingerprint(x->cols) / 2;
  };
  const Index of_a = both(its.a), of_b = both(its.b);
  Index votes[] = {error == 0 ? none : error, of_a, -of_a, of_b, -of_b};
  reduce(votes, 5, MPI_INT64_T, MPI_MAX, channel.comm(), turn);
  if (votes[0] != none) return static_cast<int>(votes[0]);
  if (votes[1] != -votes[2]) return -5;
  return votes[3] == -votes[4] ? 0 : -8;
}

bool wrong_m(int64_t m) { return m < 0 || m > most_elements; }
bool wrong_n(int64_t m, int64_t n) { return n < 0 || n > most_elements || too_large(m, n); }

// What is told of the elements: bytes of each, whether A is transposed, the number of a wrong argument among those that
// say it, with M and N, or 0; and what becomes of them, if nothing is wrong.
struct Elements {
  Index bytes;
  bool transposed;
  int wrong;
  std::function<std::vector<RegionOperation>()> parts;
};

// Both functions that make a plan: they differ in the elements.
int create(const char* routine, MPI_Comm comm, int64_t m, int64_t n, const Submatrices& its, xredist_plan** plan,
           const Elements& elements) {
  return coded([&] {
    if (plan != nullptr) *plan = nullptr;
    if (!usable(comm)) return -1;
    Turn turn;
    Channel& channel = channel_of(comm, turn);
    const Links& links = channel.explore(turn);
    int error = elements.wrong;
    if (error == 0) error = wrong_places(its, channel.size(), first_place);
    if (error == 0) error = wrong_intervals(routine, its, channel);
    Layout a{}, b{};
    if (error == 0) {
      a = layout_of(*its.a, its.ia, its.ja), b = layout_of(*its.b, its.ib, its.jb);
      error = wrong_ends(a, b, m, n, elements.transposed, first_place);
    }
    if (error == 0 && plan == nullptr) error = -11;
    if (channel.options().check != 0 && (has_cuts(its.a) || has_cuts(its.b))) error = agreed(error, its, channel, turn);
    if (error != 0) return error;
    auto made = std::make_unique<xredist_plan>(channel);
    const std::vector<int> ranks_a = ranks_of(*its.a), ranks_b = ranks_of(*its.b);
    for (const auto& [region, operation] : elements.parts())
      made->add(planned(routine, channel, links, redistribution_of(a, b, m, n, region, elements.bytes, operation),
                        ranks_a, ranks_b),
                turn.process().queue);
    *plan = made.release();
    return 0;
  });
}

}  // namespace

Plan xredist::core::planned(const char* routine, const Channel& channel, const Links& links,
                            const Redistribution& redistribution, std::span<const int> ranks_a,
                            std::span<const int> ranks_b) {
  Plan plan = make_plan(redistribution, ranks_a, ranks_b, channel.rank(), channel.options(), links);
  if (channel.rank() == 0 && channel.options().verbose >= 1) write_log("%s plans %s", routine, described(plan).c_str());
  return plan;
}

int xredist_plan_create(MPI_Comm comm, int64_t m, int64_t n, int bytes, const xredist_layout* a, int64_t ia, int64_t ja,
                        const xredist_layout* b, int64_t ib, int64_t jb, xredist_plan** plan) {
  const bool size = bytes == 4 || bytes == 8 || bytes == 16;
  const int wrong = wrong_m(m) ? -2 : wrong_n(m, n) ? -3 : size ? 0 : -4;
  const auto parts = [] { return std::vector<RegionOperation>{{Region{}, Operation{}}}; };
  return create("xredist_plan_create", comm, m, n, {a, ia, ja, b, ib, jb}, plan, {bytes, false, wrong, parts});
}

int xredist_plan_operation(MPI_Comm comm, const xredist_operation* operation, int64_t m, int64_t n,
                           const xredist_layout* a, int64_t ia, int64_t ja, const xredist_layout* b, int64_t ib,
                           int64_t jb, xredist_plan** plan) {
  int wrong = operation == nullptr ? -2 : wrong_m(m) ? -3 : wrong_n(m, n) ? -4 : 0;
  if (wrong == 0 && wrong_field(*operation, m, n) != nullptr) wrong = -2;
  const bool transposed = wrong == 0 && transposes(*operation);
  const auto parts = [&] { return parts_of(*operation, m, n); };
  return create("xredist_plan_operation", comm, m, n, {a, ia, ja, b, ib, jb}, plan, {0, transposed, wrong, parts});
}

int xredist_set_scalars(xredist_plan* plan, const void* alpha, const void* beta) {
  if (plan == nullptr) return -1;
  if (alpha == nullptr) return -2;
  if (beta == nullptr) return -3;
  const Type type = plan->parts->front().redistribution.operation.b;
  if (type == Type::bits) return -1;
  plan->scalars = {scalar_from(type, alpha), scalar_from(type, beta)};
  return 0;
}

int xredist_set_option(MPI_Comm comm, const char* name, const char* value) {
  return coded([&] {
    if (!usable(comm)) return -1;
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
  if (request != nullptr) *request = nullptr;
  if (count >= 1 && plans != nullptr && a != nullptr && lda == nullptr) return -4;
  if (count >= 1 && plans != nullptr && a != nullptr && b != nullptr && ldb == nullptr) return -6;
  return start_batch(count, plans, a, lda, b, ldb, request);
}

int xredist::core::start_batch(int count, const xredist_plan* const plans[], const void* const a[],
                               const std::int64_t lda[], void* const b[], const std::int64_t ldb[],
                               xredist_request** request) {
  const auto ld_a = [&](int i) { return lda != nullptr ? lda[i] : plans[i]->lda; };
  const auto ld_b = [&](int i) { return ldb != nullptr ? ldb[i] : plans[i]->ldb; };
  return coded([&] {
    if (request != nullptr) *request = nullptr;
    if (count < 1) return -1;
    if (plans == nullptr) return -2;
    if (a == nullptr) return -3;
    if (b == nullptr) return -5;
    if (request == nullptr) return -7;
    for (int i = 0; i < count; ++i) {
      if (plans[i] == nullptr || !plans[i]->usable() || &plans[i]->channel != &plans[0]->channel) return -2;
      for (const Plan& plan : *plans[i]->parts) {
        if (plan.reads_a && a[i] == nullptr) return -3;
        if (plan.reads_a && ld_a(i) < plan.local_rows_a) return -4;
        if (plan.writes_b && b[i] == nullptr) return -5;
        if (plan.writes_b && ld_b(i) < plan.local_rows_b) return -6;
      }
    }

    Turn turn;
    Channel& channel = plans[0]->channel;
    std::unique_ptr<xredist_request> made;
    try {
      made.reset(new xredist_request{count, {}, nullptr});
      std::vector<Job> jobs;
      for (int i = 0; i < count; ++i) {
        made->plans.push_back(plans[i]->parts);
        for (const Plan& plan : *plans[i]->parts)
          jobs.push_back({&plan,
                          {static_cast<const std::byte*>(a[i]), ld_a(i)},
                          {static_cast<std::byte*>(b[i]), ld_b(i)},
                          plans[i]->scalars,
                          i});
      }
      made->exchange = turn.process().queue.start(jobs, channel, turn);
    } catch (...) {
      const auto part = [&](int i) -> const Plan& {
        const auto& parts = *plans[i / 2]->parts;
        return i % 2 == 0 ? parts.front() : parts.back();
      };
      withdraw(2 * count, part, channel);
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
