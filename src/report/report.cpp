// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <mutex>

#include "layout/partition.hpp"
#include "report/table.hpp"
#include "settings/log.hpp"

namespace xredist::core {
namespace {

using Clock = std::chrono::steady_clock;

// The start of the program, unless the program opened the library itself.
const Clock::time_point loaded = Clock::now();

struct Report {
  std::mutex mutex;
  Rows rows;
  std::vector<std::string> tuned;
  pid_t process = getpid();
};

void print_report();

// Returns the report, which is never destroyed, because a static object of the program may call the library at exit.
Report& instance() {
  static Report* const made = [] {
    std::atexit(print_report);
    return new Report;
  }();
  return *made;
}

void print_report() {
  Report& report = instance();
  if (report.process != getpid()) return;  // a forked process exits
  const std::scoped_lock lock(report.mutex);
  const double seconds = std::chrono::duration<double>(Clock::now() - loaded).count();
  write_log("report of process %ld, which was the first process of these calls", static_cast<long>(getpid()));
  for (const std::string& line : lines_of(report.rows, TableColumns::xredist, seconds)) write_log("%s", line.c_str());
  for (const std::string& line : report.tuned) write_log("%s", line.c_str());
}

// Returns the block size that the table shows of an axis.
Index cut_of(const Axis& axis, Index units) {
  if (std::holds_alternative<ProductOfAxes>(axis.distribution)) return 0;
  return is_cyclic(axis) ? axis.block() / units : -static_cast<Index>(axis.partition()->intervals().size());
}

// A row of B is `units` rows of the axis, and so is a column of a transposed A.
Shape shape_of(const Axis& rows, const Axis& cols, Index units) {
  return {cut_of(rows, units), cut_of(cols, 1), rows.procs, cols.procs};
}
Shape transposed(const Shape& shape) { return {shape.nb, shape.mb, shape.npcol, shape.nprow}; }

}  // namespace

void report(std::string_view routine, const Redistribution& redistribution, Index calls, double seconds) noexcept try {
  const auto& [rows, cols] = redistribution.traffic;
  const Index units = redistribution.units;
  const Shape a = shape_of(rows.a, cols.a, units), b = shape_of(rows.b, cols.b, units);
  Row row{.key = case_of(routine, rows.n / units, cols.n, redistribution.operation.transposed ? transposed(a) : a, b)};
  row.calls = calls;
  if (calls > 0) row.bytes = elements_of(redistribution.region, rows.n, cols.n) * redistribution.bytes_b();
  row.xredist.seconds = seconds;
  Report& report = instance();
  const std::scoped_lock lock(report.mutex);
  report.rows.add(row);
} catch (const std::exception&) {
}

void report_tuning(const std::vector<std::string>& lines) {
  Report& report = instance();
  const std::scoped_lock lock(report.mutex);
  report.tuned.insert(report.tuned.end(), lines.begin(), lines.end());
}

}  // namespace xredist::core
