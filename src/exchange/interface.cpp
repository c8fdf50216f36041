// xredist.h.
#include "xredist/xredist.h"

#include <memory>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "exchange/arguments.hpp"
#include "exchange/channel.hpp"
#include "exchange/queue.hpp"
#include "exchange/plan.hpp"

struct xredist_plan {
  xredist::Channel& channel;
  xredist::Plan plan;
};

struct xredist_request {
  std::shared_ptr<xredist::Exchange> exchange;  // none where the process has nothing to do
};

using namespace xredist;

int xredist_plan_create(MPI_Comm comm, int64_t m, int64_t n, int bytes, const xredist_layout* a, int64_t ia,
                        int64_t ja, const xredist_layout* b, int64_t ib, int64_t jb, xredist_plan** plan) try {
  if (comm == MPI_COMM_NULL) return -1;
  Channel& channel = channel_of(comm);
  if (m < 0 || m > most_elements) return -2;
  if (n < 0 || n > most_elements) return -3;
  if (bytes != 4 && bytes != 8 && bytes != 16) return -4;
  if (!valid(a, channel.size())) return -5;
  if (ia < 1 || ia > most_elements) return -6;
  if (ja < 1 || ja > most_elements) return -7;
  if (!valid(b, channel.size())) return -8;
  if (ib < 1 || ib > most_elements) return -9;
  if (jb < 1 || jb > most_elements) return -10;
  if (plan == nullptr) return -11;

  if (m == 0 || n == 0) {
    *plan = new xredist_plan{channel, Plan{}};
    return 0;
  }
  const Matter matter = matter_of(layout_of(*a, ia, ja), layout_of(*b, ib, jb), m, n, Region{}, bytes);
  *plan = new xredist_plan{channel, make_plan(matter, ranks_of(*a), ranks_of(*b), channel)};
  return 0;
} catch (const std::bad_alloc&) {
  return XREDIST_NO_MEMORY;
} catch (const std::invalid_argument&) {
  return XREDIST_BAD_OPTION;
}

int xredist_set_option(MPI_Comm comm, const char* name, const char* value) try {
  if (comm == MPI_COMM_NULL) return -1;
  if (name == nullptr) return -2;
  if (value == nullptr) return -3;
  Options& options = channel_of(comm).options();
  Options changed = options;
  if (!is_option(name)) return -2;
  if (!set_option(changed, name, value).empty()) return -3;
  options = changed;
  return 0;
} catch (const std::bad_alloc&) {
  return XREDIST_NO_MEMORY;
} catch (const std::invalid_argument&) {
  return XREDIST_BAD_OPTION;
}

int xredist_execute(const xredist_plan* plan, const void* a, int64_t lda, void* b, int64_t ldb) {
  xredist_request* request = nullptr;
  const int error = xredist_start(plan, a, lda, b, ldb, &request);
  return error != 0 ? error : xredist_wait(&request);
}

int xredist_start(const xredist_plan* plan, const void* a, int64_t lda, void* b, int64_t ldb,
                  xredist_request** request) {
  const int error = xredist_start_batch(1, &plan, &a, &lda, &b, &ldb, request);
  return error < 0 ? error + 1 : error;  // the batch has `count` before these arguments
}

int xredist_start_batch(int count, const xredist_plan* const plans[], const void* const a[], const int64_t lda[],
                        void* const b[], const int64_t ldb[], xredist_request** request) try {
  if (count < 1) return -1;
  if (plans == nullptr || plans[0] == nullptr) return -2;
  if (a == nullptr) return -3;
  if (lda == nullptr) return -4;
  if (b == nullptr) return -5;
  if (ldb == nullptr) return -6;
  if (request == nullptr) return -7;
  std::vector<Job> jobs;
  for (int i = 0; i < count; ++i) {
    if (plans[i] == nullptr || &plans[i]->channel != &plans[0]->channel) return -2;
    const Plan& plan = plans[i]->plan;
    if (a[i] == nullptr && plan.reads_a()) return -3;
    if (b[i] == nullptr && plan.writes_b()) return -5;
    if (plan.reads_a() || plan.writes_b())
      jobs.push_back({&plan, {static_cast<const std::byte*>(a[i]), lda[i]}, {static_cast<std::byte*>(b[i]), ldb[i]}});
  }
  auto made = std::make_unique<xredist_request>();
  if (!jobs.empty()) made->exchange = queue().start(jobs, plans[0]->channel);
  *request = made.release();
  return 0;
} catch (const Disagreement&) {
  return XREDIST_DISAGREEMENT;
} catch (const std::bad_alloc&) {
  return XREDIST_NO_MEMORY;
}

int xredist_test(xredist_request** request, int* done) try {
  if (request == nullptr) return -1;
  if (done == nullptr) return -2;
  *done = *request == nullptr || !(*request)->exchange || queue().test(*(*request)->exchange);
  if (*done) delete std::exchange(*request, nullptr);
  return 0;
} catch (const Disagreement&) {
  return XREDIST_DISAGREEMENT;
} catch (const std::bad_alloc&) {
  return XREDIST_NO_MEMORY;
}

int xredist_wait(xredist_request** request) try {
  if (request == nullptr) return -1;
  if (*request != nullptr && (*request)->exchange) queue().wait(*(*request)->exchange);
  delete std::exchange(*request, nullptr);
  return 0;
} catch (const Disagreement&) {
  return XREDIST_DISAGREEMENT;
} catch (const std::bad_alloc&) {
  return XREDIST_NO_MEMORY;
}

void xredist_plan_destroy(xredist_plan* plan) { delete plan; }
