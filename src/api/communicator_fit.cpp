// SPDX-License-Identifier: BSD-3-Clause
// The functions of fit.h that need no BLACS.
#include "api/communicator_fit.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "api/compare.hpp"
#include "api/failure.hpp"
#include "api/layout_arguments.hpp"
#include "exchange/channels.hpp"
#include "exchange/communicator.hpp"
#include "layout/digest.hpp"

namespace xredist::core {
namespace {

ArgumentRef member(std::string_view name, const char* of) { return {name, -1, of}; }

// A rule that is a number: a member of Rules, and one of xredist_rules, of which 0 stands for the default.
struct NumberRule {
  const char* name;
  Index Rules::*member;
  std::variant<int xredist_rules::*, std::int64_t xredist_rules::*> passed;

  Index in(const xredist_rules& rules) const {
    return std::visit([&](auto each) { return Index{rules.*each}; }, passed);
  }
};
constexpr NumberRule number_rules[] = {
    {".processes", &Rules::processes, &xredist_rules::processes},
    {".per_node", &Rules::per_node, &xredist_rules::per_node},
    {".multiple", &Rules::multiple, &xredist_rules::multiple},
    {".share", &Rules::share, &xredist_rules::share},
    {".block", &Rules::block, &xredist_rules::block},
    {".min_block", &Rules::min_block, &xredist_rules::min_block},
    {".max_block", &Rules::max_block, &xredist_rules::max_block},
    {".blocks", &Rules::blocks, &xredist_rules::blocks},
    {".flat", &Rules::flat, &xredist_rules::flat},
    {".columns", &Rules::columns, &xredist_rules::columns},
};

// Checks that `value` is at least `least`; 0: there is no rule.
MaybeError order_error(const ArgumentRef& rule, Index value, const char* least_name, Index least) {
  if (value == 0 || value >= least) return {};
  return value_error(rule, value, Text() << ", must be at least " << least_name << " = " << least);
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
  if (rules.processes > size)
    return value_error(member(name, ".processes"), rules.processes,
                       Text() << ", must be at most " << size << ", the processes there are");
  if (MaybeError error = reserved_error(member(name, ".reserved"), rules.reserved)) return error;
  for (const NumberRule& rule : number_rules)
    if (MaybeError error = bounds_error(member(name, rule.name), rule.in(rules), 0)) return error;
  return first_of({
      order_error(member(name, ".max_block"), rules.max_block, "min_block", rules.min_block),
      order_error(member(name, ".block"), rules.block, "min_block", rules.min_block),
      order_error(member(name, ".max_block"), rules.max_block, "block", rules.block),
      letter_error("QSA", "Q, S or A", member(name, ".grid"), letter_or(rules.grid, 'Q')),
      letter_error("NY", "N or Y", member(name, ".power"), letter_or(rules.power, 'N')),
  });
}

Rules rules_from(const xredist_rules* passed) {
  if (passed == nullptr) return *rules_of_solver("scalapack");
  const char shape = letter_or(passed->grid, 'Q');
  Rules rules{.shape = shape == 'S'   ? GridShape::square
                       : shape == 'A' ? GridShape::any
                                      : GridShape::nearly_square,
              .power = letter_or(passed->power, 'N') == 'Y'};
  for (const NumberRule& rule : number_rules)
    if (const Index value = rule.in(*passed); value != 0) rules.*rule.member = value;
  rules.block = std::clamp(rules.block, rules.min_block, rules.max_block);
  return rules;
}

Index number_of(const Rules& rules) {
  Digest digest;
  for (const NumberRule& rule : number_rules) digest.add(rules.*rule.member);
  digest.add(static_cast<Index>(rules.shape));
  digest.add(Index{rules.power});
  return digest.number();
}

ArgumentError unmet_error(std::string_view name, const Unmet& unmet) {
  return {{name}, Text() << "." << unmet.rule << unmet.reason};
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
  if (!known) throw InvalidArgument(Text() << "solver is \"" << solver << "\", must be one of " << solver_names());
  xredist_rules rules{.grid = known->shape == GridShape::square ? 'S'
                              : known->shape == GridShape::any  ? 'A'
                                                                : 'Q',
                      .power = known->power ? 'Y' : 'N'};
  for (const NumberRule& rule : number_rules)
    if (const Index value = (*known).*rule.member; value != Rules{}.*rule.member)
      std::visit([&]<class T>(T xredist_rules::*each) { rules.*each = static_cast<T>(value); }, rule.passed);
  rules.block = known->block;
  return rules;
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
