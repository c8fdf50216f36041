// SPDX-License-Identifier: BSD-3-Clause
// operations: times transposes, the completion of a triangle, and alpha and beta, beside the routines or the loop that
// a program would use instead; and copies to other blocks beside LU factorisations. Checks all elements after each
// call.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>

#include "drivers/contender.hpp"
#include "drivers/times.hpp"
#include "schedules/classic_locale.hpp"
#include "support/symbols.hpp"

extern "C" {
xredist::testing::TrC Cpdtrmr2d;
void pdtran_(const int* m, const int* n, const double* alpha, const double* a, const int* ia, const int* ja,
             const int* desca, const double* beta, double* c, const int* ic, const int* jc, const int* descc);
void pdgetrf_(const int* m, const int* n, double* a, const int* ia, const int* ja, const int* desca, int* pivots,
              int* info);
}

namespace {

using cases::Case, cases::Index, drivers::Stage;
using Call = std::function<void()>;

constexpr double alpha = 2, beta = 0.5, blank_b = -1;
double value_of_a(Index i, Index j) { return static_cast<double>(i * (Index{1} << 26) + j); }
double transposed(Index i, Index j) { return value_of_a(j, i); }
double mirrored(Index i, Index j) { return value_of_a(std::max(i, j), std::min(i, j)); }
double sum(Index i, Index j) { return alpha * value_of_a(i, j) + beta * blank_b; }

double* doubles(const cases::Local& x) { return reinterpret_cast<double*>(x.data.get()); }

Call xredist_call(const Case& c, const Stage& stage, xredist_operation operation, bool scales = false) {
  const auto layout = [](const cases::Matrix& x) {
    return xredist_layout{.nprow = x.nprow, .npcol = x.npcol, .mb = x.mb, .nb = x.nb};
  };
  const xredist_layout a = layout(c.a), b = layout(c.b);
  operation.m = c.m, operation.n = c.n, operation.type = 'D';
  xredist_plan* made = nullptr;
  xredist::check(xredist_plan_create(stage.comm(), &a, &b, &operation, &made));
  return [&stage, scales, plan = drivers::Plan(made, xredist_plan_destroy)] {
    const xredist_job job{.plan = plan.get(),
                          .a = stage.a.data.get(),
                          .b = stage.b.data.get(),
                          .alpha = scales ? &alpha : nullptr,
                          .beta = scales ? &beta : nullptr};
    xredist::check(xredist_execute(&job));
  };
}

void transpose(const Case& c, const Stage& stage) {
  const int n = static_cast<int>(c.n), first = 1;
  const double one = 1, zero = 0;
  std::array<int, 9> desc_b = stage.desc_b;
  desc_b[1] = stage.desc_a[1];  // PBLAS takes one context
  pdtran_(&n, &n, &one, doubles(stage.a), &first, &first, stage.desc_a.data(), &zero, doubles(stage.b), &first, &first,
          desc_b.data());
}

void copy_triangle(const Case& c, const Stage& stage) {
  const int n = static_cast<int>(c.n);
  Cpdtrmr2d("L", "N", n, n, stage.a.data.get(), 1, 1, stage.desc_a.data(), stage.b.data.get(), 1, 1,
            stage.desc_b.data(), stage.context.handle());
}

void add(const Stage& stage) {
  const double* const a = doubles(stage.a);
  double* const b = doubles(stage.b);
  for (Index k = 0; k < stage.b.elements(); ++k) b[k] = beta * b[k] + alpha * a[k];
}

struct Contender {
  std::string name;
  Call call;
  double (*expected)(Index i, Index j);
  std::vector<double> seconds = {};
};

bool right(const Stage& stage, double (*expected)(Index i, Index j)) {
  for (std::size_t l = 0; l < stage.b.cols.size(); ++l)
    for (std::size_t k = 0; k < stage.b.rows.size(); ++k)
      if (doubles(stage.b)[drivers::as_size(stage.b.ld) * l + k] != expected(stage.b.rows[k], stage.b.cols[l]))
        return false;
  return true;
}

struct Timed {
  std::string name;
  double seconds;
  bool right;
};

// Times all contenders in each round, and records the medians of the first one and of each other, and of what was timed
// before. Returns whether all elements are right.
bool compare(const std::string& operation, const Case& c, Stage& stage, int rounds, std::vector<Contender> all,
             const std::optional<Timed>& before = {}) {
  bool passed = !before || before->right;
  for (int round = 0; round <= rounds; ++round)
    for (Contender& contender : all) {
      stage.element.blank_b(stage.b);
      const double seconds = drivers::seconds_of(contender.call, stage.comm());
      if (round > 0) contender.seconds.push_back(seconds);
      passed = right(stage, contender.expected) && passed;
    }
  MPI_Allreduce(MPI_IN_PLACE, &passed, 1, MPI_CXX_BOOL, MPI_LAND, stage.comm());
  const double ours = drivers::summary_of(all[0].seconds).median;
  const auto record = [&](const std::string& beside, double theirs) {
    if (drivers::rank_in_world() == 0)
      std::printf("%s,%ld,%s,%s,%s,%g,%s,%g,%s\n", operation.c_str(), c.n, grid_text(c.a).c_str(),
                  block_text(c.a).c_str(), block_text(c.b).c_str(), ours, beside.c_str(), theirs,
                  passed ? "passed" : "failed");
  };
  for (std::size_t k = 1; k < all.size(); ++k) record(all[k].name, drivers::summary_of(all[k].seconds).median);
  if (before) record(before->name, before->seconds);
  return passed;
}

// Times the redistribution of A, with the planning, beside an LU factorisation of a random matrix with the layout of A:
// figure 4 (left) of Prylli & Tourancheau 1996.
bool beside_lu(const Case& c, Stage& stage, int rounds) {
  std::vector<double> matrix(drivers::as_size(stage.a.elements())), seconds;
  std::mt19937 random(static_cast<unsigned>(drivers::rank_in_world() + 1));
  for (double& x : matrix) x = std::uniform_real_distribution<>(-1, 1)(random);
  std::vector<int> pivots(drivers::as_size(stage.a.ld + c.a.mb));
  bool passed = true;
  for (int round = 0; round <= rounds; ++round) {
    std::vector<double> factored = matrix;
    const int n = static_cast<int>(c.n), first = 1;
    int info = 0;
    const double time = drivers::seconds_of(
        [&] { pdgetrf_(&n, &n, factored.data(), &first, &first, stage.desc_a.data(), pivots.data(), &info); },
        stage.comm());
    passed = passed && info == 0;
    if (round > 0) seconds.push_back(time);
  }
  return compare("redistribute", c, stage, rounds, {{"xredist", [&] { xredist_call(c, stage, {})(); }, value_of_a}},
                 Timed{"PDGETRF", drivers::summary_of(seconds).median, passed});
}

bool measure(Index n, int rounds) {
  const int size = drivers::size_of_world(), nprow = size % 2 == 0 && size > 2 ? 2 : 1;
  const auto matrix = [&](Index block) {
    return cases::Matrix{.M = n, .N = n, .nprow = nprow, .npcol = size / nprow, .mb = block, .nb = block};
  };
  if (drivers::rank_in_world() == 0) std::puts("operation,n,grid,block_a,block_b,xredist_s,beside,beside_s,check");
  bool passed = true;
  for (const Index block : {48, 64}) {
    const Case c{n, n, matrix(64), matrix(block)};
    Stage stage(c, cases::element_of('d'));
    passed &= compare("transpose", c, stage, rounds,
                      {{"xredist", xredist_call(c, stage, {.trans = 'T'}), transposed},
                       {"PDTRAN", [&] { transpose(c, stage); }, transposed}});
    passed &= compare("complete a triangle", c, stage, rounds,
                      {{"xredist", xredist_call(c, stage, {.uplo = 'L', .mirror = 'S'}), mirrored},
                       {"PDTRAN and PDTRMR2D", [&] { transpose(c, stage), copy_triangle(c, stage); }, mirrored}});
    if (block == 64)
      passed &= compare("alpha and beta", c, stage, rounds,
                        {{"xredist", xredist_call(c, stage, {}, true), sum},
                         {"copy by xredist", xredist_call(c, stage, {}), value_of_a},
                         {"loop", [&] { add(stage); }, sum}});
  }
  for (const Index side : {200, 400, 600, 800, 1000}) {
    if (side > n) break;
    Case c{side, side, matrix(64), matrix(48)};
    for (cases::Matrix* x : {&c.a, &c.b}) x->M = x->N = side;
    Stage stage(c, cases::element_of('d'));
    passed &= beside_lu(c, stage, rounds);
  }
  return passed;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  cases::use_classic_locale();
  const bool passed = measure(argc > 1 ? std::atol(argv[1]) : 4000, argc > 2 ? std::atoi(argv[2]) : 9);
  MPI_Finalize();
  return passed ? 0 : 1;
}
