// SPDX-License-Identifier: BSD-3-Clause
// list_benchmark: times plans with lists of rows or columns beside what programs do without them: a plan for each line,
// MPI_Alltoallv with packing by hand, MPI_Alltoallw with indexed types, and for permuted rows a copy and PDLAPIV, of
// libxredist_pivots and of ScaLAPACK. Checks all elements after each call.
//
//   mpirun -n 4 list_benchmark [lines [rounds]]
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "drivers/times.hpp"
#include "schedules/classic_locale.hpp"
#include "support/grid.hpp"
#include "support/symbols.hpp"
#include "xredist/xredist.hpp"

namespace {

using drivers::as_size, drivers::at;
using Index = std::int64_t;
using Lines = std::vector<Index>;  // from 0
using Call = std::function<void()>;

// A move of lines, which are rows or columns: line b[k] of B gets line a[k] of A. Whole lines are on one process.
struct Move {
  std::string name;
  bool rows;
  Lines a, b;
  Index lines_a, lines_b, length;  // the number of lines, and the elements of each
  Index block_a, block_b;
};

// The local array of one matrix. Line l begins at l * step, and its elements are `stride` apart.
struct Part {
  Index block, count = 0, step = 1, stride = 1, ld = 1;
  std::vector<double> data;

  Part(const Move& move, Index lines, Index of_block) : block(of_block) {
    for (Index line = 0; line < lines; ++line) count += owner(line) == drivers::rank_in_world();
    ld = std::max<Index>(1, move.rows ? count : move.length);
    step = move.rows ? 1 : ld, stride = move.rows ? ld : 1;
    data.assign(as_size(std::max<Index>(1, count * move.length)), -1.0);
  }
  int owner(Index line) const { return static_cast<int>(line / block % drivers::size_of_world()); }
  Index local(Index line) const { return line / (block * drivers::size_of_world()) * block + line % block; }
  double& element(Index local_line, Index k) { return at(data, local_line * step + k * stride); }
};

// The matrices of a move.
struct Stage {
  const Move& move;
  Part a{move, move.lines_a, move.block_a}, b{move, move.lines_b, move.block_b};

  // Returns element k of a line of A.
  static double value(Index line, Index k) { return static_cast<double>(line * (Index{1} << 20) + k); }
  // Calls visit(line, local line) for the lines of this process.
  template <class Visit>
  static void each(const Part& part, Index lines, Visit visit) {
    for (Index line = 0; line < lines; ++line)
      if (part.owner(line) == drivers::rank_in_world()) visit(line, part.local(line));
  }
  void fill() {
    each(a, move.lines_a, [&](Index line, Index local) {
      for (Index k = 0; k < move.length; ++k) a.element(local, k) = value(line, k);
    });
  }
  void blank() { std::ranges::fill(b.data, -1.0); }
  bool right() {
    Lines from(as_size(move.lines_b), -1);
    for (std::size_t k = 0; k < move.b.size(); ++k) at(from, move.b[k]) = move.a[k];
    bool all = true;
    each(b, move.lines_b, [&](Index line, Index local) {
      const Index source = at(from, line);
      for (Index k = 0; k < move.length; ++k) all &= b.element(local, k) == (source < 0 ? -1.0 : value(source, k));
    });
    return all;
  }
};

xredist_layout layout_of(const Move& move, Index block) {
  const int size = drivers::size_of_world();
  if (move.rows) return {.nprow = size, .npcol = 1, .mb = block, .nb = move.length};
  return {.nprow = 1, .npcol = size, .mb = move.length, .nb = block};
}

using Plan = std::unique_ptr<xredist_plan, void (*)(xredist_plan*)>;

Plan plan_of(const Move& move, xredist_operation operation) {
  const xredist_layout a = layout_of(move, move.block_a), b = layout_of(move, move.block_b);
  operation.type = 'D';
  xredist_plan* made = nullptr;
  xredist::check(xredist_plan_create(MPI_COMM_WORLD, &a, &b, &operation, &made));
  return {made, xredist_plan_destroy};
}

xredist_job job_of(Stage& stage, const Plan& plan) {
  return {.plan = plan.get(), .a = stage.a.data.data(), .lda = stage.a.ld, .b = stage.b.data.data(), .ldb = stage.b.ld};
}

Plan listed(const Move& move) {
  Lines of_a = move.a, of_b = move.b;
  for (Lines* list : {&of_a, &of_b})
    for (Index& line : *list) ++line;
  const auto count = std::ssize(of_a);
  if (move.rows) return plan_of(move, {.m = count, .n = move.length, .rows_a = of_a.data(), .rows_b = of_b.data()});
  return plan_of(move, {.m = move.length, .n = count, .cols_a = of_a.data(), .cols_b = of_b.data()});
}

Call by_lists(Stage& stage) {
  return [&stage, plan = std::make_shared<Plan>(listed(stage.move))] {
    const xredist_job job = job_of(stage, *plan);
    xredist::check(xredist_execute(&job));
  };
}

Call by_lists_planned_each_time(Stage& stage) {
  return [&stage] {
    const Plan plan = listed(stage.move);
    const xredist_job job = job_of(stage, plan);
    xredist::check(xredist_execute(&job));
  };
}

// A plan for each line, and all of them in one batch.
Call by_a_plan_for_each_line(Stage& stage) {
  const Move& move = stage.move;
  auto plans = std::make_shared<std::vector<Plan>>();
  std::vector<xredist_job> jobs;
  for (std::size_t k = 0; k < move.a.size(); ++k) {
    const Index a = move.a[k] + 1, b = move.b[k] + 1;
    plans->push_back(move.rows ? plan_of(move, {.m = 1, .n = move.length, .ia = a, .ib = b})
                               : plan_of(move, {.m = move.length, .n = 1, .ja = a, .jb = b}));
    jobs.push_back(job_of(stage, plans->back()));
  }
  return [plans, jobs] {
    xredist_request* request = nullptr;
    xredist::check(xredist_start(static_cast<int>(jobs.size()), jobs.data(), &request));
    xredist::check(xredist_wait(&request));
  };
}

// The local lines that each process sends to, or gets from, each other one, in the order of the lists.
struct Exchanged {
  std::vector<Lines> to, from;

  explicit Exchanged(const Stage& stage) : to(as_size(drivers::size_of_world())), from(to.size()) {
    const int me = drivers::rank_in_world();
    for (std::size_t k = 0; k < stage.move.a.size(); ++k) {
      const Index a = stage.move.a[k], b = stage.move.b[k];
      if (stage.a.owner(a) == me) at(to, stage.b.owner(b)).push_back(stage.a.local(a));
      if (stage.b.owner(b) == me) at(from, stage.a.owner(a)).push_back(stage.b.local(b));
    }
  }
};

struct Counts {
  std::vector<int> counts, begins;
  std::vector<double> buffer;

  Counts(const std::vector<Lines>& lines, Index length) {
    int total = 0;
    for (const Lines& of_process : lines) {
      counts.push_back(static_cast<int>(std::ssize(of_process) * length)), begins.push_back(total);
      total += counts.back();
    }
    buffer.resize(as_size(std::max(total, 1)));
  }
};

// Calls move(element in the buffer, element of the array), in the order of the array's columns.
template <class Visit>
void each_packed(const std::vector<Lines>& lines, Part& part, bool rows, Index length, Counts& packed, Visit visit) {
  double* next = packed.buffer.data();
  for (const Lines& of_process : lines) {
    if (rows)
      for (Index k = 0; k < length; ++k)
        for (const Index line : of_process) visit(*next++, part.element(line, k));
    else
      for (const Index line : of_process)
        for (Index k = 0; k < length; ++k) visit(*next++, part.element(line, k));
  }
}

Call by_alltoallv(Stage& stage) {
  struct Tables {
    Exchanged lines;
    Counts sent, received;
  };
  const Exchanged lines(stage);
  auto tables = std::make_shared<Tables>(Tables{lines, {lines.to, stage.move.length}, {lines.from, stage.move.length}});
  return [&stage, tables] {
    auto& [exchanged, sent, received] = *tables;
    const auto& [rows, length] = std::pair(stage.move.rows, stage.move.length);
    each_packed(exchanged.to, stage.a, rows, length, sent, [](double& packed, double x) { packed = x; });
    MPI_Alltoallv(sent.buffer.data(), sent.counts.data(), sent.begins.data(), MPI_DOUBLE, received.buffer.data(),
                  received.counts.data(), received.begins.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    each_packed(exchanged.from, stage.b, rows, length, received, [](double packed, double& x) { x = packed; });
  };
}

MPI_Datatype type_of(const Lines& lines, const Part& part, const Move& move) {
  std::vector<int> begins;
  for (const Index line : lines) begins.push_back(static_cast<int>(line * part.step));
  MPI_Datatype listed{}, column{}, all{};
  const int count = static_cast<int>(lines.size()), length = static_cast<int>(move.length);
  MPI_Type_create_indexed_block(count, move.rows ? 1 : length, begins.data(), MPI_DOUBLE, &listed);
  MPI_Type_create_resized(listed, 0, part.stride * static_cast<Index>(sizeof(double)), &column);
  MPI_Type_contiguous(move.rows ? length : 1, column, &all);
  MPI_Type_commit(&all);
  MPI_Type_free(&listed), MPI_Type_free(&column);
  return all;
}

Call by_alltoallw(Stage& stage) {
  struct Types {
    std::vector<int> sent, received, begins;
    std::vector<MPI_Datatype> to, from;
    ~Types() {
      for (auto* types : {&to, &from})
        for (MPI_Datatype& type : *types) MPI_Type_free(&type);
    }
  };
  const Exchanged lines(stage);
  auto types = std::make_shared<Types>();
  types->begins.assign(lines.to.size(), 0);
  for (const Lines& of_process : lines.to)
    types->sent.push_back(of_process.empty() ? 0 : 1), types->to.push_back(type_of(of_process, stage.a, stage.move));
  for (const Lines& of_process : lines.from)
    types->received.push_back(of_process.empty() ? 0 : 1),
        types->from.push_back(type_of(of_process, stage.b, stage.move));
  return [&stage, types] {
    MPI_Alltoallw(stage.a.data.data(), types->sent.data(), types->begins.data(), types->to.data(), stage.b.data.data(),
                  types->received.data(), types->begins.data(), types->from.data(), MPI_COMM_WORLD);
  };
}

using Lapiv = void(const char* direc, const char* rowcol, const char* pivroc, const int* m, const int* n, double* a,
                   const int* ia, const int* ja, const int* desca, const int* pivots, const int* ip, const int* jp,
                   const int* descip, int* iwork);

// Returns the interchanges, in ascending order, that bring line from[k] to place k: line k and line pivots[k], from 1.
std::vector<int> interchanges_of(const Lines& from) {
  Lines line_at(from.size()), place_of(from.size());
  std::iota(line_at.begin(), line_at.end(), 0), std::iota(place_of.begin(), place_of.end(), 0);
  std::vector<int> pivots;
  for (std::size_t k = 0; k < from.size(); ++k) {
    const Index place = at(place_of, from[k]);
    pivots.push_back(static_cast<int>(place + 1));
    std::swap(line_at[k], at(line_at, place));
    at(place_of, at(line_at, place)) = place;
  }
  return pivots;
}

// The matrices have equal blocks, and all rows move.
Call by_a_copy_and_interchanges(Stage& stage, Lapiv* lapiv) {
  const Move& move = stage.move;
  struct Grid {
    xredist::testing::Context context{xredist::testing::row_major(drivers::size_of_world(), 1)};
    std::array<int, 9> desc, descip;
    std::vector<int> pivots;
  };
  auto grid = std::make_shared<Grid>();
  const int handle = grid->context.handle(), n = static_cast<int>(move.lines_a), block = static_cast<int>(move.block_a);
  grid->desc = {1,
                handle,
                n,
                static_cast<int>(move.length),
                block,
                static_cast<int>(move.length),
                0,
                0,
                static_cast<int>(stage.b.ld)};
  const int entries = block * drivers::size_of_world();  // ScaLAPACK's own routine writes a block behind the pivots
  grid->descip = {1, handle, n + entries, 1, block, 1, 0, 0, static_cast<int>(stage.b.ld) + block};
  grid->pivots.resize(as_size(stage.b.ld + block));
  const std::vector<int> pivots = interchanges_of(move.a);
  Stage::each(stage.a, move.lines_a, [&](Index line, Index local) { at(grid->pivots, local) = at(pivots, line); });
  return [&stage, grid, lapiv, n] {
    const int length = static_cast<int>(stage.move.length), one = 1;
    std::ranges::copy(stage.a.data, stage.b.data.begin());
    lapiv("F", "R", "C", &n, &length, stage.b.data.data(), &one, &one, grid->desc.data(), grid->pivots.data(), &one,
          &one, grid->descip.data(), nullptr);
  };
}

struct Contender {
  std::string name;
  Call call;
  std::vector<double> seconds = {}, ratios = {};
};

// Times all contenders in each round. Prints the minimum of each, and the median of the ratios of lists to it.
bool compare(const Move& move, int rounds) {
  Stage stage{move};
  stage.fill();
  std::vector<Contender> all;
  all.push_back({"lists", by_lists(stage)});
  all.push_back({"lists and planning", by_lists_planned_each_time(stage)});
  all.push_back({"a plan for each line", by_a_plan_for_each_line(stage)});
  all.push_back({"MPI_Alltoallv", by_alltoallv(stage)});
  all.push_back({"MPI_Alltoallw", by_alltoallw(stage)});
  if (move.rows && std::ssize(move.a) == move.lines_a && move.block_a == move.block_b && move.lines_a == move.lines_b) {
    using xredist::testing::symbol;
    for (const auto& [name, library] : {std::pair("a copy and PDLAPIV", xredist::testing::opened(XREDIST_PIVOTS)),
                                        std::pair("a copy and ScaLAPACK's PDLAPIV", xredist::testing::scalapack())})
      all.push_back({name, by_a_copy_and_interchanges(stage, symbol<Lapiv>(library, "pdlapiv_"))});
  }
  bool passed = true;
  for (int round = 0; round <= rounds; ++round) {
    for (Contender& contender : all) {
      stage.blank();
      const double seconds = drivers::seconds_of(contender.call, MPI_COMM_WORLD);
      passed = stage.right() && passed;
      if (round > 0) contender.seconds.push_back(seconds);
    }
    if (round > 0)
      for (Contender& contender : all) contender.ratios.push_back(all[0].seconds.back() / contender.seconds.back());
  }
  MPI_Allreduce(MPI_IN_PLACE, &passed, 1, MPI_CXX_BOOL, MPI_LAND, MPI_COMM_WORLD);
  for (const Contender& contender : all)
    if (drivers::rank_in_world() == 0)
      std::printf("%d,%s,%zu,%ld,%s,%.4g,%.3g,%s\n", drivers::size_of_world(), move.name.c_str(), move.a.size(),
                  static_cast<long>(move.length), contender.name.c_str(),
                  1e3 * drivers::summary_of(contender.seconds).min, drivers::summary_of(contender.ratios).median,
                  passed ? "passed" : "failed");
  return passed;
}

Lines numbered(Index count, Index step = 1) {
  Lines lines(as_size(count));
  for (Index k = 0; k < count; ++k) at(lines, k) = k * step;
  return lines;
}

Lines permuted(Index count) {
  Lines lines = numbered(count);
  std::ranges::shuffle(lines, std::mt19937(1));  // equal on all processes
  return lines;
}

// The points of a grid of side^3 that are in a sphere of Fourier vectors.
Lines sphere(Index side) {
  Lines points;
  for (Index point = 0; point < side * side * side; ++point) {
    Index square = 0, rest = point;
    for (int axis = 0; axis < 3; ++axis, rest /= side) {
      const Index k = rest % side, wave = k <= side / 2 ? k : k - side;
      square += wave * wave;
    }
    if (16 * square <= side * side) points.push_back(point);
  }
  return points;
}

bool measure(Index n, int rounds) {
  if (drivers::rank_in_world() == 0) std::puts("processes,case,lines,length,contender,ms,ratio,check");
  const Lines order = permuted(n), third = numbered((n + 2) / 3, 3);
  const Index side = std::max<Index>(4, n / 50), plane = side * side;
  const Lines points = sphere(side);
  const Index slab = (side + drivers::size_of_world() - 1) / drivers::size_of_world() * plane;
  const Move moves[] = {{"sorted columns", false, order, numbered(n), n, n, n, 64, 64},
                        {"permuted rows", true, order, numbered(n), n, n, n, 64, 64},
                        {"every third row", true, third, numbered(std::ssize(third)), n, std::ssize(third), n, 64, 64},
                        {"spheres to slabs", true, numbered(std::ssize(points)), points, std::ssize(points),
                         plane * side, 16, std::max<Index>(1, std::ssize(points) / drivers::size_of_world()), slab}};
  bool passed = true;
  for (const Move& move : moves) passed = compare(move, rounds) && passed;
  return passed;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  cases::use_classic_locale();
  const bool passed = measure(argc > 1 ? std::atol(argv[1]) : 2000, argc > 2 ? std::atoi(argv[2]) : 15);
  MPI_Finalize();
  return passed ? 0 : 1;
}
