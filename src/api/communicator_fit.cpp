// SPDX-License-Identifier: BSD-3-Clause
// The functions of fit.h that need no BLACS.
#include "api/communicator_fit.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "api/compare.hpp"
#include "api/failure.hpp"
#include "api/layout_arguments.hpp"
#include "api/same_call.hpp"
#include "exchange/channels.hpp"
#include "exchange/communicator.hpp"

namespace xredist::core {
namespace {

ArgumentRef member(std::string_view name, const char* of) { return {name, -1, of}; }

// Checks that a rule is not negative, nor larger than a size may be.
MaybeError number_error(const ArgumentRef& rule, Index value) { return bounds_error(rule, value, 0); }

// Checks that `value` is at least `least`; 0: there is no rule.
MaybeError order_error(const ArgumentRef& rule, Index value, const char* least_name, Index least) {
  if (value == 0 || value >= least) return {};
  return value_error(rule, value, std::string(", must be at least ") + least_name + " = " + std::to_string(least));
}

char letter_or(char given, char if_none) { return given == 0 ? if_none : capital(given); }

// Checks an m x n matrix with the layout `a`.
MaybeError whole_matrix_error(const xredist_layout* a, Index m, Index n, int size) {
  const std::array<Named, 2> shape{{{{"m"}, m}, {{"n"}, n}}};
  if (MaybeError error = first_of({shape_error(shape), layout_error("a", a, size)})) return error;
  return first_of({last_bound_error(member("a", ".rows"), a->rows, "m", m),
                   last_bound_error(member("a", ".cols"), a->cols, "n", n)});
}

}  // namespace

MaybeError rules_error(std::string_view name, const xredist_rules& rules, Index size) {
  const auto& [processes, per_node, multiple, share, block, min_block, max_block, blocks, flat, grid, power, columns,
               reserved] = rules;
  if (processes > size)
    return value_error(member(name, ".processes"), processes,
                       ", must be at most " + std::to_string(size) + ", the processes there are");
  return first_of({
      reserved_error(member(name, ".reserved"), reserved),
      number_error(member(name, ".processes"), processes),
      number_error(member(name, ".per_node"), per_node),
      number_error(member(name, ".multiple"), multiple),
      number_error(member(name, ".share"), share),
      number_error(member(name, ".block"), block),
      number_error(member(name, ".min_block"), min_block),
      number_error(member(name, ".max_block"), max_block),
      number_error(member(name, ".blocks"), blocks),
      number_error(member(name, ".flat"), flat),
      number_error(member(name, ".columns"), columns),
      order_error(member(name, ".max_block"), max_block, "min_block", min_block),
      order_error(member(name, ".block"), block, "min_block", min_block),
      max_block == 0 ? MaybeError() : order_error(member(name, ".max_block"), max_block, "block", block),
      letter_error("QSA", "Q, S or A", member(name, ".grid"), letter_or(grid, 'Q')),
      letter_error("NY", "N or Y", member(name, ".power"), letter_or(power, 'N')),
  });
}

Rules rules_from(const xredist_rules* passed) {
  if (passed == nullptr) return *rules_of_solver("scalapack");
  const char shape = letter_or(passed->grid, 'Q');
  Rules rules{.processes = passed->processes,
              .per_node = passed->per_node,
              .multiple = std::max(passed->multiple, 1),
              .share = passed->share,
              .columns = passed->columns,
              .min_block = std::max<Index>(passed->min_block, 1),
              .max_block = passed->max_block == 0 ? max_elements : passed->max_block,
              .blocks = passed->blocks,
              .flat = passed->flat,
              .shape = shape == 'S'   ? GridShape::square
                       : shape == 'A' ? GridShape::any
                                      : GridShape::nearly_square,
              .power = letter_or(passed->power, 'N') == 'Y'};
  rules.block = std::clamp(passed->block == 0 ? rules.block : passed->block, rules.min_block, rules.max_block);
  return rules;
}

ArgumentError unmet_error(std::string_view name, const Unmet& unmet) {
  return {{name}, std::string(".") + unmet.rule + unmet.reason};
}

std::vector<int> node_of_each(const Channel& channel) {
  const Nodes& nodes = channel.links().nodes;
  std::vector<int> of(as_size(channel.size()), 0);
  for (int rank = 0; rank < channel.size() && !nodes.empty(); ++rank) at(of, rank) = nodes[rank];
  return of;
}

void tell(MPI_Comm comm, int root, void* data, Index bytes, Progress& progress) {
  constexpr Index most = Index{1} << 30;  // MPI counts with int
  for (Index done = 0; done < bytes; done += most)
    broadcast(static_cast<std::byte*>(data) + done, static_cast<int>(std::min(most, bytes - done)), MPI_BYTE, comm,
              progress, root);
}

xredist_rules rules_for(const char* solver) {
  demand(null_error({"solver"}, solver));
  std::string name(solver);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  const auto known = rules_of_solver(name);
  if (!known) throw InvalidArgument("solver is \"" + std::string(solver) + "\", must be one of " + solver_names());
  const auto if_limit = [](Index value, Index none) { return value == none ? 0 : value; };
  return {.processes = static_cast<int>(known->processes),
          .per_node = static_cast<int>(known->per_node),
          .multiple = static_cast<int>(if_limit(known->multiple, 1)),
          .share = known->share,
          .block = known->block,
          .min_block = if_limit(known->min_block, 1),
          .max_block = if_limit(known->max_block, max_elements),
          .blocks = static_cast<int>(known->blocks),
          .flat = static_cast<int>(known->flat),
          .grid = known->shape == GridShape::square ? 'S'
                  : known->shape == GridShape::any  ? 'A'
                                                    : 'Q',
          .power = known->power ? 'Y' : 'N',
          .columns = known->columns};
}

namespace {

// Fits a layout, as xredist_fit does. `nodes`: the node of each process; empty if the rules do not ask for nodes.
void fit_among(std::span<const int> nodes, int size, Index m, Index n, const xredist_layout* a,
               const xredist_rules* passed, const Failure* callers, xredist_layout* b, int ranks[]) {
  if (callers != nullptr) throw *callers;
  demand(first_of({whole_matrix_error(a, m, n, size),
                   passed == nullptr ? MaybeError() : rules_error("rules", *passed, size), null_error({"b"}, b),
                   null_error({"ranks"}, ranks)}));
  const Layout layout = layout_of(*a, 1, 1);
  const std::vector<int> ranks_a = ranks_of(*a);
  const auto found = fitted_layout({layout, ranks_a, m, n}, rules_from(passed), size, nodes);
  if (const auto* unmet = std::get_if<Unmet>(&found)) demand(unmet_error("rules", *unmet));
  const Fitted& fitted = std::get<Fitted>(found);
  std::ranges::copy(fitted.ranks, ranks);
  *b = {.nprow = static_cast<int>(fitted.choice.nprow),
        .npcol = static_cast<int>(fitted.choice.npcol),
        .mb = fitted.choice.block,
        .nb = fitted.choice.block,
        .rsrc = 0,
        .csrc = 0,
        .ranks = ranks,
        .rows = nullptr,
        .cols = nullptr};
}

}  // namespace

void fit_on_communicator(MPI_Comm comm, Index m, Index n, const xredist_layout* a, const xredist_rules* passed,
                         const Failure* callers, xredist_layout* b, int ranks[]) {
  constexpr const char* function = "xredist_fit";
  const InCall call(function);
  demand(communicator_error(comm));
  const int size = size_of(comm);
  if (passed == nullptr || passed->per_node <= 0) return fit_among({}, size, m, n, a, passed, callers, b, ranks);
  LibraryLock lock;  // the others wait
  Channel& channel = channel_of(comm, lock);
  channel.explore(lock->progress);
  const auto fit = [&] { fit_among(node_of_each(channel), size, m, n, a, passed, callers, b, ranks); };
  if (channel.options().check == Options::Check::local) return fit();
  demand_same_function(function, channel.comm(), lock->progress);
  everywhere(fit, channel.comm(), lock->progress);
}

void tell_on_communicator(MPI_Comm comm, const xredist_layout* b, void* data, Index bytes, const Failure* callers) {
  const InCall call("xredist_tell");
  demand(communicator_error(comm));
  const int size = size_of(comm);
  auto arguments = attempt([&] {
    if (callers != nullptr) throw *callers;
    demand(first_of({layout_error("b", b, size), bounds_error({"bytes"}, bytes, 0),
                     bytes == 0 ? MaybeError() : null_error({"data"}, data)}));
    return std::array{Compared{{"bytes"}, bytes},
                      Compared{member("b", ".ranks"), b->ranks == nullptr ? 0 : b->ranks[0], differs}};
  });
  LibraryLock lock;
  const Index root = agreed_values(std::move(arguments), comm, lock->progress)[1];
  tell(comm, static_cast<int>(root), data, bytes, lock->progress);
}

}  // namespace xredist::core

using namespace xredist::core;

int xredist_rules_for(const char* solver, xredist_rules* rules) {
  return coded([&] {
    demand(null_error({"rules"}, rules));
    *rules = rules_for(solver);
  });
}

int xredist_fit(MPI_Comm comm, int64_t m, int64_t n, const xredist_layout* a, const xredist_rules* rules,
                xredist_layout* b, int ranks[]) {
  return coded([&] { fit_on_communicator(comm, m, n, a, rules, nullptr, b, ranks); });
}

int xredist_tell(MPI_Comm comm, const xredist_layout* b, void* data, int64_t bytes) {
  return coded([&] { tell_on_communicator(comm, b, data, bytes, nullptr); });
}
