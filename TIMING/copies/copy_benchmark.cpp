// SPDX-License-Identifier: BSD-3-Clause
// Times the copies of one message, chunk by chunk: from array to array, or into a buffer. Takes the options of Google
// Benchmark. Each row is named after a constant of src/copy: with twice the value, the row takes longer
// (testing/mutation).
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "copy/packer.hpp"
#include "schedules/command_line.hpp"

namespace {

using namespace xredist::core;

enum class Way { copy, pack };

// A row: the message from the first process of A to the first process of B.
struct Row {
  const char *constant, *distributions;
  Index m, n;
  Way way;
  Operation operation{Type::real64, Type::real64};
  Scalars scalars{};
};

constexpr Operation transpose{Type::real64, Type::real64, true};
const Scalars sum{1, 1};

const Row table[] = {
    {"min_tile_rows", "1x1/64x64:1x1/64x64", 2000, 2000, Way::pack, transpose},
    {"min_streamed_part", "1x1/64x64:1x1/32x32", 1250, 1250, Way::copy},
    {"min_stream_bytes", "2x1/36x64:2x1/72x64", 4800, 2400, Way::copy},
    {"chunk_elements", "1x1/64x64:1x1/64x64", 1000, 1000, Way::copy, {Type::real, Type::complex64}, sum},
};

cases::Case case_of(const Row& row) {
  cases::Case c{row.m, row.n};
  if (!lexical_cast(row.distributions, c)) std::abort();  // a constant of this file is wrong
  return c;
}

// The arrays of the message, and the buffer for its packed elements.
class Message {
 public:
  explicit Message(const Row& row)
      : way_(row.way),
        scalars_(row.scalars),
        redistribution_(redistribution(row)),
        tables_{{redistribution_.traffic.rows, 0, true}, {redistribution_.traffic.cols, 0, true}} {
    const auto& [traffic, region, bytes, operation, units] = redistribution_;
    const Index rows_a = local_count(traffic.rows.a, 0, traffic.rows.n),
                cols_a = local_count(traffic.cols.a, 0, traffic.cols.n);
    rows_b_ = local_count(traffic.rows.b, 0, traffic.rows.n);
    ld_a_ = operation.transposed ? cols_a : rows_a;
    const Index cols_b = local_count(traffic.cols.b, 0, traffic.cols.n);
    a_.resize(as_size(rows_a * cols_a * redistribution_.bytes_a()));
    b_.resize(as_size(rows_b_ * cols_b * redistribution_.bytes_b()));
    buffer_.resize(as_size(max_bytes()));
  }

  // Moves all chunks. Returns the number of elements.
  Index move() {
    const Interval rows = all_shared(redistribution_.traffic.rows), cols = all_shared(redistribution_.traffic.cols);
    ChunkCursor at(redistribution_, {0, 0}, {0, 0}, rows, cols, max_bytes(), &tables_, true);
    for (; !at.done(); at.advance()) move(at.current());
    return rows.length() * cols.length();
  }

 private:
  static Redistribution redistribution(const Row& row) {
    const cases::Case c = case_of(row);
    const Type type = row.operation.a;
    return redistribution_of(layout_of(c.a), layout_of(c.b), row.m, row.n, {}, bytes_of(type, 8), row.operation);
  }
  Index max_bytes() const { return Index{way_ == Way::copy ? 1024 : 64} << 10; }
  static Interval all_shared(const Overlap& o) { return {0, partners(o, 0).front().length}; }

  void move(const Chunk& chunk) {
    const ConstArray a{a_.data(), ld_a_};
    const Array b{b_.data(), rows_b_};
    if (way_ == Way::copy)
      packer_.copy(redistribution_, chunk, a, b, scalars_);
    else
      packer_.pack(redistribution_, chunk, a, buffer_.data());
  }

  Way way_;
  Scalars scalars_;
  Redistribution redistribution_;
  RunTables tables_;
  Index rows_b_, ld_a_;
  std::vector<std::byte> a_, b_, buffer_;
  Packer packer_;
};

void move(benchmark::State& state, const Row& row) {
  Message message(row);
  Index elements = message.move();
  for (auto _ : state) elements += message.move();
  state.SetItemsProcessed(state.iterations() * message.move());
  benchmark::DoNotOptimize(elements);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const Row& row : table) benchmark::RegisterBenchmark(row.constant, move, row)->Unit(benchmark::kMicrosecond);
  benchmark::RunSpecifiedBenchmarks();
}
