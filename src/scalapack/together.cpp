// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/together.hpp"

#include <array>
#include <new>
#include <span>
#include <string_view>

#include "exchange/errors.hpp"
#include "exchange/progress.hpp"

namespace xredist::core {
namespace {

// Writes the sentence of an error. Without memory for it, the sentence names no argument.
void write_sentence(const Routine& routine, const ArgumentError& error, std::span<char> text) try {
  (name_of(routine, error.argument) + error.reason).copy(text.data(), text.size() - 1);
} catch (const std::bad_alloc&) {
  std::string_view("an argument is invalid").copy(text.data(), text.size() - 1);
}

// Reports the error with the lowest number, `first`, on any process: throws the same sentence on all processes.
[[noreturn]] void fail_together(const Routine& routine, const MaybeError& error, Index first, const Channel& channel,
                                Progress& progress) {
  std::array<char, 256> text{};
  int speaker = error && number_of(routine, error->argument) == first ? channel.rank() : channel.size();
  const int rank = speaker;
  reduce(&speaker, 1, MPI_INT, MPI_MIN, channel.comm(), progress);
  if (rank == speaker) write_sentence(routine, *error, text);
  reduce(text.data(), static_cast<int>(text.size()), MPI_UNSIGNED_CHAR, MPI_MAX, channel.comm(), progress);
  throw InvalidArgument(text.data());
}

}  // namespace

CallValues agree_together(const Routine& routine, const MatrixMove& move, const CallView& view, Finding finding,
                          Context& context, Progress& progress) {
  if (finding.nothing()) finding = finding_of([&] { return arguments_error(routine, move, view.a.grid, view.b.grid); });
  const auto& [error, lacks_memory] = finding;
  const Index mine = lacks_memory ? no_memory : error ? number_of(routine, error->argument) : unknown;
  const Outcome outcome = compare({mine, view.passed.values}, context.channel().comm(), progress);
  if (outcome.min.error == no_memory) throw OutOfMemorySomewhere();
  if (outcome.max.error != unknown) fail_together(routine, error, outcome.min.error, context.channel(), progress);
  return demanded(routine, agreement_of(routine, view, outcome, context, progress));
}

int common_code(int mine, int highest, Context& context) {
  if (highest != 0) context.rosters.forget();
  if (highest == mine) return mine;
  const bool invalid = highest == XREDIST_INVALID_ARGUMENT;
  return failure(static_cast<xredist_code>(highest),
                 invalid ? "an argument is invalid on another process" : "out of memory on another process");
}

}  // namespace xredist::core
