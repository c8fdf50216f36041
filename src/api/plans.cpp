// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h.
#include <initializer_list>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "api/codes.hpp"
#include "api/operation.hpp"
#include "api/plan.hpp"
#include "exchange/channels.hpp"
#include "exchange/collectives.hpp"
#include "plan/description.hpp"
#include "settings/log.hpp"
#include "xredist/xredist.h"

struct xredist_request {
  int members;
  std::vector<std::shared_ptr<const std::vector<xredist::core::Plan>>> plans;  // the program may destroy its handles
  std::shared_ptr<xredist::core::Exchange> exchange;                           // nullptr if this process takes no part
};

using namespace xredist::core;

namespace {

bool has_intervals(const xredist_layout* layout) {
  return layout != nullptr && (layout->rows != nullptr || layout->cols != nullptr);
}

Index fingerprint_of(const xredist_layout* layout) {
  return layout == nullptr ? 0 : fingerprint(layout->rows) ^ fingerprint(layout->cols) / 2;
}

// Returns the code of an error that any process has found, or of the layout whose intervals differ between processes.
int agreed(int code, const Submatrices& matrices, const Channel& channel, LibraryLock& lock) {
  constexpr Index none = std::numeric_limits<Index>::min();
  struct Ballot {
    Index code, a, minus_a, b, minus_b;
  };
  static_assert(sizeof(Ballot) == 5 * sizeof(Index));
  const Index a = fingerprint_of(matrices.a), b = fingerprint_of(matrices.b);
  Ballot ballot{code == 0 ? none : code, a, -a, b, -b};
  reduce(&ballot, sizeof(Ballot) / sizeof(Index), MPI_INT64_T, MPI_MAX, channel.comm(), lock);
  if (ballot.code != none) return static_cast<int>(ballot.code);
  if (ballot.a != -ballot.minus_a) return -5;
  return ballot.b == -ballot.minus_b ? 0 : -8;
}

// Makes the plan of `parts()` unless the caller has found an error. `arguments` are the names of the function's
// arguments.
template <class Parts>
int create(const char* routine, std::initializer_list<std::string_view> arguments, MPI_Comm comm, Checked error,
           Index m, Index n, const Submatrices& matrices, xredist_plan** plan, bool transposed, Index bytes,
           Parts parts) {
  if (plan != nullptr) *plan = nullptr;
  if (!usable(comm)) return -1;
  LibraryLock lock;
  Channel& channel = channel_of(comm, lock);
  channel.explore(lock);
  if (!error) error = submatrix_error(matrices, m, n, transposed, channel.size());
  if (!error && plan == nullptr) error = ArgumentError{{"plan"}, {}};
  int code = code_of(error, arguments);
  if (error && !error->reason.empty() && channel.options().verbose >= 1)
    write_log("%s: argument %d%s%s", routine, -code, error->argument.detail, error->reason.c_str());
  if (channel.options().check != 0 && (has_intervals(matrices.a) || has_intervals(matrices.b)))
    code = agreed(code, matrices, channel, lock);
  if (code != 0) return code;
  const Layout a = layout_of(*matrices.a, matrices.ia, matrices.ja);
  const Layout b = layout_of(*matrices.b, matrices.ib, matrices.jb);
  const std::vector<int> ranks_a = ranks_of(*matrices.a), ranks_b = ranks_of(*matrices.b);
  auto made = std::make_unique<xredist_plan>(channel);
  for (const auto& [region, operation] : parts())
    made->add(make_plan(routine, channel, redistribution_of(a, b, m, n, region, bytes, operation), ranks_a, ranks_b),
              lock.process().queue);
  *plan = made.release();
  return 0;
}

// Returns the code of the first argument of xredist_start_batch that is wrong, or 0.
int batch_code(const BatchArguments& batch) {
  if (batch.count < 1) return -1;
  if (batch.plans == nullptr) return -2;
  if (batch.a == nullptr) return -3;
  if (batch.b == nullptr) return -5;
  for (int i = 0; i < batch.count; ++i) {
    const xredist_plan* const member = batch.plans[i];
    if (member == nullptr || !member->usable() || &member->channel != &batch.plans[0]->channel) return -2;
    for (const Plan& plan : *member->parts) {
      if (plan.a.accessed && batch.a[i] == nullptr) return -3;
      if (plan.a.accessed && batch.ld_a(i) < plan.a.min_ld) return -4;
      if (plan.b.accessed && batch.b[i] == nullptr) return -5;
      if (plan.b.accessed && batch.ld_b(i) < plan.b.min_ld) return -6;
    }
  }
  return 0;
}

}  // namespace

Plan xredist::core::make_plan(const char* routine, const Channel& channel, const Redistribution& redistribution,
                              std::span<const int> ranks_a, std::span<const int> ranks_b) {
  Plan plan = make_plan(redistribution, ranks_a, ranks_b, channel.rank(), channel.options(), channel.links());
  if (channel.rank() == 0 && channel.options().verbose >= 1)
    write_log("%s plans %s", routine, description_of(plan).c_str());
  return plan;
}

int xredist_plan_create(MPI_Comm comm, int64_t m, int64_t n, int bytes, const xredist_layout* a, int64_t ia, int64_t ja,
                        const xredist_layout* b, int64_t ib, int64_t jb, xredist_plan** plan) {
  return coded([&] {
    Checked error = size_error(m, n);
    if (!error && bytes != 4 && bytes != 8 && bytes != 16) error = ArgumentError{{"bytes"}, {}};
    return create("xredist_plan_create", {"comm", "m", "n", "bytes", "a", "ia", "ja", "b", "ib", "jb", "plan"}, comm,
                  error, m, n, {a, ia, ja, b, ib, jb}, plan, false, bytes,
                  [] { return std::vector{RegionOperation{}}; });
  });
}

int xredist_plan_operation(MPI_Comm comm, const xredist_operation* operation, int64_t m, int64_t n,
                           const xredist_layout* a, int64_t ia, int64_t ja, const xredist_layout* b, int64_t ib,
                           int64_t jb, xredist_plan** plan) {
  return coded([&] {
    Checked error = operation == nullptr ? ArgumentError{{"operation"}, {}} : size_error(m, n);
    if (!error) error = operation_error({"operation"}, *operation, m, n);
    return create("xredist_plan_operation", {"comm", "operation", "m", "n", "a", "ia", "ja", "b", "ib", "jb", "plan"},
                  comm, error, m, n, {a, ia, ja, b, ib, jb}, plan, !error && transposes(*operation), 0,
                  [&] { return parts_of(*operation, m, n); });
  });
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
    LibraryLock lock;
    Options& options = channel_of(comm, lock).options();
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
  const int error = start_batch({1, &plan, &a, &lda, &b, &ldb}, request);
  return error < 0 ? error + 1 : error;  // start_batch has the argument `count` before these
}

int xredist_start_batch(int count, const xredist_plan* const plans[], const void* const a[], const int64_t lda[],
                        void* const b[], const int64_t ldb[], xredist_request** request) {
  if (request != nullptr) *request = nullptr;
  if (count >= 1 && plans != nullptr && a != nullptr && lda == nullptr) return -4;
  if (count >= 1 && plans != nullptr && a != nullptr && b != nullptr && ldb == nullptr) return -6;
  return start_batch({count, plans, a, lda, b, ldb}, request);
}

int xredist::core::start_batch(const BatchArguments& batch, xredist_request** request) {
  return coded([&] {
    if (request != nullptr) *request = nullptr;
    if (const int error = batch_code(batch)) return error;
    if (request == nullptr) return -7;
    LibraryLock lock;
    Channel& channel = batch.plans[0]->channel;
    std::unique_ptr<xredist_request> made;
    try {
      made.reset(new xredist_request{batch.count, {}, nullptr});
      std::vector<Job> jobs;
      for (int i = 0; i < batch.count; ++i) {
        made->plans.push_back(batch.plans[i]->parts);
        const ConstArray a{static_cast<const std::byte*>(batch.a[i]), batch.ld_a(i)};
        const Array b{static_cast<std::byte*>(batch.b[i]), batch.ld_b(i)};
        for (const Plan& plan : *batch.plans[i]->parts) jobs.push_back({&plan, a, b, batch.plans[i]->scalars, i});
      }
      made->exchange = lock.process().queue.start(jobs, channel, lock.lane());
    } catch (...) {
      withdraw_batch(batch.count, batch.plans);
      throw;
    }
    if (made->exchange && made->exchange->over()) made->exchange->check();  // it failed when it began
    *request = made.release();
    return 0;
  });
}

void xredist::core::withdraw_batch(int count, const xredist_plan* const plans[]) noexcept {
  const auto part = [&](int i) -> const Plan& {
    const auto& parts = *plans[i / 2]->parts;
    return i % 2 == 0 ? parts.front() : parts.back();
  };
  withdraw(2 * count, part, plans[0]->channel);
}

// A failed exchange has ended, too, so the request is freed.
int xredist_test(xredist_request** request, int* done) {
  return coded([&] {
    if (request == nullptr) return -1;
    if (done == nullptr) return -2;
    *done = 1;
    if (*request == nullptr) return 0;
    LibraryLock lock;
    std::unique_ptr<xredist_request> held(std::exchange(*request, nullptr));
    if (!held->exchange || lock.process().queue.test(*held->exchange)) return 0;
    *done = 0;
    *request = held.release();
    return 0;
  });
}

int xredist_wait(xredist_request** request) {
  return coded([&] {
    if (request == nullptr) return -1;
    if (*request == nullptr) return 0;
    LibraryLock lock;
    const std::unique_ptr<xredist_request> held(std::exchange(*request, nullptr));
    if (held->exchange) lock.process().queue.wait(*held->exchange, lock);
    return 0;
  });
}

// The request of a failed exchange keeps its error.
int xredist_test_member(xredist_request* request, int member, int* done) {
  return coded([&] {
    if (member < 0 || (request != nullptr && member >= request->members)) return -2;
    if (done == nullptr) return -3;
    *done = 1;
    if (request == nullptr || !request->exchange) return 0;
    LibraryLock lock;
    *done = lock.process().queue.test(*request->exchange, member) ? 1 : 0;
    return 0;
  });
}

int xredist_wait_member(xredist_request* request, int member) {
  return coded([&] {
    if (member < 0 || (request != nullptr && member >= request->members)) return -2;
    if (request == nullptr || !request->exchange) return 0;
    LibraryLock lock;
    lock.process().queue.wait(*request->exchange, lock, member);
    return 0;
  });
}

void xredist_plan_destroy(xredist_plan* plan) { delete plan; }
