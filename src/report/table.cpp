// SPDX-License-Identifier: BSD-3-Clause
#include "report/table.hpp"

#include <algorithm>
#include <functional>

#include "settings/decimals.hpp"

namespace xredist::core {
namespace {

std::string blocks(Index size) {
  if (size == 0) return "axes";
  return size < 0 ? std::to_string(-size) + " cuts" : std::to_string(size);
}

std::string shape_text(const Shape& shape) {
  return blocks(shape.mb) + " x " + blocks(shape.nb) + " on " + std::to_string(shape.nprow) + " x " +
         std::to_string(shape.npcol);
}

std::string megabytes(Index bytes) { return bytes < 0 ? "-" : with_decimals(1e-6 * static_cast<double>(bytes), 1); }

using Cells = std::vector<std::string>;

Cells headings(TableColumns columns) {
  Cells cells{"routine", "m x n", "blocks and grid of A", "of B", "calls", "MB"};
  if (columns == TableColumns::compared) {
    for (const char* heading : {"own s", "xredist s", "ratio", "own +MB", "xredist +MB", "different"})
      cells.emplace_back(heading);
  } else {
    cells.emplace_back("seconds");
    cells.emplace_back("GB/s");
    if (columns == TableColumns::xredist_with_memory) cells.emplace_back("+MB");
  }
  return cells;
}

Cells cells_of(const Row& row, TableColumns columns, bool total) {
  Cells cells{row.key.routine};
  if (total)
    cells.resize(4);
  else
    cells.insert(cells.end(), {std::to_string(row.key.m) + " x " + std::to_string(row.key.n), shape_text(row.key.a),
                               shape_text(row.key.b)});
  cells.push_back(std::to_string(row.calls));
  cells.push_back(megabytes(row.bytes));
  const double seconds = row.xredist.seconds;
  if (columns == TableColumns::compared) {
    cells.push_back(with_decimals(row.own.seconds, 6));
    cells.push_back(with_decimals(seconds, 6));
    cells.push_back(row.own.seconds > 0 ? with_decimals(seconds / row.own.seconds, 3) : "-");
    cells.push_back(megabytes(row.own.memory));
    cells.push_back(megabytes(row.xredist.memory));
    cells.push_back(std::to_string(row.different));
  } else {
    cells.push_back(with_decimals(seconds, 6));
    cells.push_back(seconds > 0 ? with_digits(1e-9 * static_cast<double>(row.bytes) / seconds, 3) : "-");
    if (columns == TableColumns::xredist_with_memory) cells.push_back(megabytes(row.xredist.memory));
  }
  return cells;
}

// Aligns texts to the left and numbers to the right.
std::vector<std::string> aligned(const std::vector<Cells>& table) {
  constexpr std::size_t texts = 4;
  std::vector<std::size_t> widths(table.front().size(), 0);
  for (const Cells& cells : table)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  std::vector<std::string> lines;
  for (const Cells& cells : table) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string blanks(widths[i] - cells[i].size(), ' ');
      if (i > 0) line.append("  ");
      line.append(i < texts ? cells[i] + blanks : blanks + cells[i]);
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

Case case_of(std::string_view routine, Index m, Index n, const Shape& a, const Shape& b) {
  Case key{.routine = {}, .m = m, .n = n, .a = a, .b = b};
  routine.copy(key.routine, sizeof key.routine - 1);
  return key;
}

void add(Row& row, const Row& call) {
  const Cost own = row.own, xredist = row.xredist;
  merge(row, call);
  row.own.seconds = own.seconds + call.own.seconds;
  row.xredist.seconds = xredist.seconds + call.xredist.seconds;
}

void merge(Row& row, const Row& other) {
  row.calls += other.calls;
  row.bytes += other.bytes;
  row.different += other.different;
  row.passed_on += other.passed_on;
  for (Cost Row::*cost : {&Row::own, &Row::xredist}) {
    (row.*cost).seconds = std::max((row.*cost).seconds, (other.*cost).seconds);
    (row.*cost).memory = std::max((row.*cost).memory, (other.*cost).memory);
  }
}

Rows::Rows() { (*this)[case_of("total", 0, 0, {}, {})]; }

Rows::Rows(std::span<const Row> of_all) : Rows() {
  for (const Row& row : of_all) merge((*this)[row.key], row);
}

Row& Rows::operator[](const Case& key) {
  const auto [place, made] = places_.try_emplace(key, rows_.size());
  if (made) rows_.push_back({.key = key});
  return rows_[place->second];
}

void Rows::add(const Row& call) {
  core::add((*this)[call.key], call);
  core::add(rows_.front(), call);
}

Index elements_of(const Region& region, Index m, Index n) {
  if (region.kind == Region::Kind::all) return m * n;
  Index elements = 0;
  for (Index j = 0; j < n; ++j) elements += rows_of(region, j, m).length();
  return elements;
}

std::vector<std::string> lines_of(const Rows& rows, TableColumns columns, double run_seconds) {
  constexpr std::size_t max_rows = 40;
  std::vector<Row> called;
  for (const Row& row : rows.all())
    if (row.calls > 0 && &row != &rows.total()) called.push_back(row);
  std::ranges::stable_sort(called, std::greater(),
                           [](const Row& row) { return row.own.seconds + row.xredist.seconds; });
  std::vector<Cells> table{headings(columns)};
  for (std::size_t i = 0; i < std::min(called.size(), max_rows); ++i)
    table.push_back(cells_of(called[i], columns, false));
  if (called.size() > max_rows)
    table.push_back({std::string("(").append(std::to_string(called.size() - max_rows)).append(" more rows)")});
  table.push_back(cells_of(rows.total(), columns, true));
  std::vector<std::string> lines = aligned(table);
  const auto share = [&](const Cost& cost) { return with_decimals(100 * cost.seconds / run_seconds, 1) + " %"; };
  std::string shares = "share of the program's " + with_decimals(run_seconds, 3) + " s: ";
  if (columns == TableColumns::compared) shares += "own routines " + share(rows.total().own) + ", ";
  lines.push_back(shares + "xredist " + share(rows.total().xredist));
  return lines;
}

}  // namespace xredist::core
