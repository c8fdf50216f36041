// SPDX-License-Identifier: BSD-3-Clause
// operations: times transposes, the completion of a triangle, and alpha and beta, beside the routines and the loop that
// a program would use instead. All elements are checked after each call.
#include "drivers/program.hpp"
#include "drivers/stage.hpp"
#include "support/symbols.hpp"

extern "C" {
xredist::testing::TrC Cpdtrmr2d;
void pdtran_(const int* m, const int* n, const double* alpha, const double* a, const int* ia, const int* ja,
             const int* desca, const double* beta, double* c, const int* ic, const int* jc, const int* descc);
}

namespace {

using cases::Index, drivers::Stage, runs::Call;
using Value = std::function<double(Index i, Index j)>;

double value_of_a(Index i, Index j) { return static_cast<double>(i * (Index{1} << 26) + j); }
constexpr double blank_b = -1, alpha = 2, beta = 0.5;

double* doubles(const cases::Local& x) { return reinterpret_cast<double*>(x.data.get()); }

xredist_layout described(const cases::Matrix& x) {
  return {.nprow = x.nprow, .npcol = x.npcol, .mb = x.mb, .nb = x.nb};
}

Call xredist_call(const cases::Case& c, const Stage& stage, xredist_operation operation, bool scales) {
  const xredist_layout a = described(c.a), b = described(c.b);
  operation.m = c.m, operation.n = c.n, operation.type = 'D';
  xredist_plan* made = nullptr;
  xredist::check(xredist_plan_create(stage.comm(), &a, &b, &operation, &made));
  return [&stage, scales, plan = runs::Plan(made, xredist_plan_destroy)] {
    const xredist_job job{.plan = plan.get(),
                          .a = stage.a.data.get(),
                          .b = stage.b.data.get(),
                          .alpha = scales ? &alpha : nullptr,
                          .beta = scales ? &beta : nullptr};
    xredist::check(xredist_execute(&job));
  };
}

void transpose(const cases::Case& c, const Stage& stage) {
  const int n = static_cast<int>(c.n), first = 1;
  const double one = 1, zero = 0;
  std::array<int, 9> desc_b = stage.desc_b;
  desc_b[1] = stage.desc_a[1];  // PBLAS takes one context
  pdtran_(&n, &n, &one, doubles(stage.a), &first, &first, stage.desc_a.data(), &zero, doubles(stage.b), &first, &first,
          desc_b.data());
}

void copy_triangle(const cases::Case& c, const Stage& stage) {
  const int n = static_cast<int>(c.n);
  Cpdtrmr2d("L", "N", n, n, stage.a.data.get(), 1, 1, stage.desc_a.data(), stage.b.data.get(), 1, 1,
            stage.desc_b.data(), stage.context().handle());
}

void add(const Stage& stage) {
  const double* const a = doubles(stage.a);
  double* const b = doubles(stage.b);
  for (Index k = 0; k < stage.b.elements(); ++k) b[k] = beta * b[k] + alpha * a[k];
}

struct Contender {
  std::string name;
  Call call;
  Value expected;
  std::vector<double> seconds = {};
};

bool right(const Stage& stage, const Value& expected) {
  for (std::size_t l = 0; l < stage.b.cols.size(); ++l)
    for (std::size_t k = 0; k < stage.b.rows.size(); ++k)
      if (doubles(stage.b)[runs::as_size(stage.b.ld) * l + k] != expected(stage.b.rows[k], stage.b.cols[l]))
        return false;
  return true;
}

// Records the median of each contender and its ratio to the first one's, over `rounds` rounds.
bool compare(const std::string& operation, const cases::Case& c, Stage& stage, std::vector<Contender> all, int rounds) {
  bool passed = true;
  for (int round = 0; round <= rounds; ++round)
    for (Contender& contender : all) {
      stage.element.blank_b(stage.b);
      contender.seconds.push_back(runs::seconds_of(contender.call, stage.comm()));
      passed = right(stage, contender.expected) && passed;
      if (round == 0) contender.seconds.clear();
    }
  const double first = runs::summary_of(all[0].seconds).median;
  for (const Contender& contender : all) {
    const double median = runs::summary_of(contender.seconds).median;
    runs::record(operation, runs::size_of_world(), grid_text(c.a), block_text(c.a), block_text(c.b), contender.name,
                 median, first / median);
  }
  return passed;
}

bool measure(Index n, int rounds) {
  const int size = runs::size_of_world(), nprow = size % 2 == 0 && size > 2 ? 2 : 1, npcol = size / nprow;
  const auto matrix = [&](Index block) {
    return cases::Matrix{.M = n, .N = n, .nprow = nprow, .npcol = npcol, .mb = block, .nb = block};
  };
  runs::record("operation", "processes", "grid", "block_a", "block_b", "by", "median_s", "xredist_to");
  const Value transposed = [](Index i, Index j) { return value_of_a(j, i); };
  const Value mirrored = [](Index i, Index j) { return value_of_a(std::max(i, j), std::min(i, j)); };
  const Value sum = [](Index i, Index j) { return alpha * value_of_a(i, j) + beta * blank_b; };
  bool passed = true;
  for (const Index block : {48, 64}) {
    const cases::Case c{n, n, matrix(64), matrix(block)};
    Stage stage(c, cases::element_of('d'));
    const auto tran = [&] { transpose(c, stage); };
    const auto both = [&] { transpose(c, stage), copy_triangle(c, stage); };
    passed &= compare(
        "transpose", c, stage,
        {{"xredist", xredist_call(c, stage, {.trans = 'T'}, false), transposed}, {"PDTRAN", tran, transposed}}, rounds);
    passed &= compare("complete", c, stage,
                      {{"xredist", xredist_call(c, stage, {.uplo = 'L', .mirror = 'S'}, false), mirrored},
                       {"PDTRAN + PDTRMR2D", both, mirrored}},
                      rounds);
    if (block != 64) continue;
    passed &= compare("alpha and beta", c, stage,
                      {{"xredist", xredist_call(c, stage, {}, true), sum},
                       {"copy by xredist", xredist_call(c, stage, {}, false), value_of_a},
                       {"loop", [&] { add(stage); }, sum}},
                      rounds);
  }
  return passed;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times operations of xredist beside those of ScaLAPACK.", "operations");
  Index n = 4000;
  runs::Repeated repeated(9);
  app.add_option("--n", n, "order of the matrices")->check(cases::positive())->capture_default_str();
  repeated.add_to(app);
  return runs::run_and_tell(app, argc, argv, [&] { return measure(n, repeated.repetitions); });
}
