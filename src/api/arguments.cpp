// SPDX-License-Identifier: BSD-3-Clause
#include "api/arguments.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <numeric>
#include <span>

#include "api/failure.hpp"
#include "layout/digest.hpp"
#include "layout/partition.hpp"

namespace xredist::core {
namespace {

std::span<const Index> bounds_of(const xredist_partition& partition) {
  return {partition.bounds, as_size(partition.count) + 1};
}

std::span<const int> owners_of(const xredist_partition& partition) {
  return partition.owners == nullptr ? std::span<const int>() : std::span(partition.owners, as_size(partition.count));
}

std::span<const Index> places_of(const xredist_partition& partition) {
  return partition.places == nullptr ? std::span<const Index>() : std::span(partition.places, as_size(partition.count));
}

thread_local Face face_of_thread = Face::c;

// Returns the name in module xredist, whose lists are arguments, or entries of a layout.
std::string fortran_text_of(const ArgumentRef& name) {
  std::string argument(name.argument);
  std::string_view member = name.detail;
  const std::string number = std::to_string(name.entry + 1), bracketed = "(" + number + ")";
  if (member == ".axes[].procs") return argument + ".grid" + bracketed;
  if (member == ".axes[].source") return argument + ".source" + bracketed;
  if (member.starts_with(".axes[]")) return argument + ", axis " + number;
  const bool of_entry = member.ends_with("[]");
  if (of_entry) member.remove_suffix(2);
  if (member == ".ranks" || member == ".rows" || member == ".cols") {
    argument = std::string(member.substr(1)) + (argument.size() == 1 ? "_" + argument : "");
    member = {};
  }
  if (argument == "file" && member == ".name") member = {};
  if (!member.empty() && argument == "operation") {
    const bool of_matrix = member.starts_with(".rows_") || member.starts_with(".cols_");
    argument = of_matrix ? "list_" : "";  // rows_a is a partition
    member.remove_prefix(1);
  }
  argument += member;
  return of_entry ? argument + bracketed : argument;
}

}  // namespace

MaybeError first_of(std::initializer_list<MaybeError> errors) {
  for (const MaybeError& error : errors)
    if (error) return error;
  return {};
}

std::string text_of(const ArgumentRef& name, Face face) {
  if (face == Face::fortran) return fortran_text_of(name);
  std::string text(name.detail);
  if (const std::size_t brackets = text.find("[]"); brackets != text.npos)
    text.insert(brackets + 1, std::to_string(name.entry));
  return text.insert(0, name.argument);
}

std::string text_of(const ArgumentRef& name) { return text_of(name, face_of_thread); }

bool names_are_of_fortran() noexcept { return face_of_thread == Face::fortran; }

InFortran::InFortran() noexcept { face_of_thread = Face::fortran; }
InFortran::~InFortran() { face_of_thread = Face::c; }

void demand(const MaybeError& error) {
  if (error) throw InvalidArgument(text_of(error->argument) + error->reason);
}

MaybeError value_error(const ArgumentRef& argument, Index value, const std::string& rest) {
  return ArgumentError{argument, " is " + std::to_string(value) + rest};
}

MaybeError least_error(const ArgumentRef& argument, Index value, const Least& min) {
  if (value >= min.value) return {};
  return value_error(argument, value,
                     ", must be at least " + (min.text != nullptr ? min.text : std::to_string(min.value)));
}

MaybeError bounds_error(const ArgumentRef& argument, Index value, const Least& min, Index max) {
  if (MaybeError error = least_error(argument, value, min)) return error;
  if (value > max) return value_error(argument, value, ", must be at most " + std::to_string(max));
  return {};
}

MaybeError range_error(const ArgumentRef& argument, Index value, Index count, const char* range) {
  if (value >= 0 && value < count) return {};
  const std::string all = ", must be in 0 .. " + std::to_string(count - 1);
  return value_error(argument, value, range != nullptr ? all + ", " + range : all);
}

MaybeError letter_error(std::string_view letters, const char* list, const ArgumentRef& argument, char letter) {
  if (letters.find(letter) != letters.npos) return {};
  const bool prints = std::isprint(static_cast<unsigned char>(letter)) != 0;
  const std::string text = prints ? std::string("'") + letter + "'" : "character " + std::to_string(letter);
  return ArgumentError{argument, " is " + text + ", must be " + list};
}

MaybeError null_error(const ArgumentRef& argument, const void* pointer) {
  return pointer != nullptr ? MaybeError() : ArgumentError{argument, " is NULL"};
}

MaybeError reserved_error(const ArgumentRef& argument, std::span<const std::int64_t> reserved) {
  if (are_zero(reserved)) return {};
  return ArgumentError{argument, " is not 0: set members by name, or make all bytes of the struct 0 first"};
}

MaybeError partition_error(const ArgumentRef& argument, const xredist_partition* partition, Index procs) {
  if (partition == nullptr) return {};
  const auto error = [&](const std::string& reason) { return ArgumentError{argument, ": " + reason}; };
  if (partition->count < 0 || partition->count > max_intervals)
    return error("count is " + std::to_string(partition->count) + ", must be in 0 .. 2^31 - 2");
  if (partition->bounds == nullptr) return error("bounds is NULL");
  const auto wrong = Partition::error_in(bounds_of(*partition), owners_of(*partition), procs, places_of(*partition));
  if (!wrong) return {};
  const auto entry = [&](int number) { return text_of({wrong->list, number, number < 0 ? "" : "[]"}); };
  return error(entry(wrong->entry) + wrong->reason + (wrong->other < 0 ? "" : entry(wrong->other)));
}

MaybeError last_bound_error(const ArgumentRef& argument, const xredist_partition* partition, std::string_view size_name,
                            Index size) {
  if (partition == nullptr) return {};
  const Index last = partition->bounds[partition->count];
  if (last == size) return {};
  return ArgumentError{argument, (": the last of bounds is " + std::to_string(last) + ", must be ").append(size_name) +
                                     " = " + std::to_string(size)};
}

MaybeError end_error(std::string_view first_name, Index first, const ArgumentRef& count_name, Index count,
                     std::string_view whole, Index end) {
  if (ends_within(first, count, end)) return {};
  return value_error(count_name, count,
                     (std::string(": with ").append(first_name) + " = " + std::to_string(first) + " it reaches beyond ")
                             .append(whole) +
                         std::to_string(end));
}

MaybeError beyond_error(const Named& count, const xredist_partition* partition) {
  if (partition == nullptr || count.value <= partition->bounds[partition->count]) return {};
  return value_error(count.name, count.value,
                     ": the partition ends at " + std::to_string(partition->bounds[partition->count]));
}

MaybeError axis_error(const AxisArguments& axis) {
  if (axis.partition != nullptr) return partition_error(axis.partition_name, axis.partition, axis.procs);
  if (MaybeError error = bounds_error(axis.block_name, axis.block, axis.least_block)) return error;
  return range_error(axis.source_name, axis.source, axis.even ? 1 : axis.procs, axis.range);
}

MaybeError mpi_error(const ArgumentRef& argument) {
  int running = 0, over = 0;
  MPI_Initialized(&running);
  MPI_Finalized(&over);
  if (running == 0) return ArgumentError{argument, ": MPI is not initialised"};
  return over == 0 ? MaybeError() : ArgumentError{argument, ": MPI is finalized"};
}

MaybeError communicator_error(MPI_Comm comm) {
  if (MaybeError error = mpi_error({"comm"})) return error;
  if (comm == MPI_COMM_NULL) return ArgumentError{{"comm"}, " is MPI_COMM_NULL"};
  int inter = 0;
  MPI_Comm_test_inter(comm, &inter);
  return inter == 0 ? MaybeError() : ArgumentError{{"comm"}, " is an intercommunicator"};
}

std::string in_brackets(Index entry) {
  const std::string number = std::to_string(entry + first_number());
  return names_are_of_fortran() ? "(" + number + ")" : "[" + number + "]";
}

MaybeError entries_error(const ListArguments& list, Index count, const std::string& axis, Index end) {
  if (count > max_intervals)
    return ArgumentError{list.name, " has " + std::to_string(count) + " entries, must have at most 2^31 - 2"};
  const std::span entries(list.entries, as_size(count));
  const auto wrong = std::ranges::find_if(entries, [end](Index entry) { return entry < 1 || entry > end; });
  if (wrong == entries.end()) return {};
  const std::string value = in_brackets(wrong - entries.begin()) + " is " + std::to_string(*wrong);
  if (*wrong < 1) return ArgumentError{list.name, value + ", must be at least 1"};
  return ArgumentError{list.name, value + ": beyond " + axis + ", which ends at " + std::to_string(end)};
}

char capital(char letter) { return static_cast<char>(std::toupper(static_cast<unsigned char>(letter))); }

std::vector<int> given_or_ascending(const int given[], Index count) {
  std::vector<int> numbers(as_size(count));
  if (given != nullptr)
    std::copy_n(given, numbers.size(), numbers.begin());
  else
    std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::vector<int> ranks_of(const xredist_layout& layout) {
  return given_or_ascending(layout.ranks, Index{layout.nprow} * layout.npcol);
}

// A block that exceeds the limit contains all elements, however long it is.
Axis make_axis(const xredist_partition* partition, Index block, Index procs, Index source, Index first) {
  if (partition == nullptr) return {std::min(block, max_elements), procs, source, first};
  return {std::make_shared<const Partition>(bounds_of(*partition), owners_of(*partition), procs, places_of(*partition)),
          first};
}

Layout layout_of(const xredist_layout& layout, Index i, Index j) {
  return {make_axis(layout.rows, layout.mb, layout.nprow, layout.rsrc, i - 1),
          make_axis(layout.cols, layout.nb, layout.npcol, layout.csrc, j - 1)};
}

Index fingerprint(const xredist_partition* partition) {
  if (partition == nullptr) return 0;
  Digest digest;
  digest.add(partition->count);
  if (partition->bounds != nullptr && partition->count >= 0 && partition->count <= max_intervals) {
    const auto owners = owners_of(*partition);
    for (const Index bound : bounds_of(*partition)) digest.add(bound);
    digest.add(std::ssize(owners));  // otherwise the places would stand for owners
    for (const int owner : owners) digest.add(Index{owner});
    for (const Index place : places_of(*partition)) digest.add(place);
  }
  return digest.number();
}

Index fingerprint(const std::int64_t list[], Index count) {
  if (list == nullptr) return 0;
  Digest digest;
  for (Index k = 0; k < count; ++k) digest.add(list[k]);
  return digest.number();
}

Index fingerprint(const int ranks[], Index positions) {
  Digest digest;
  for (Index k = 0; k < positions; ++k) digest.add(ranks != nullptr ? Index{ranks[k]} : k);
  return digest.number();
}

std::string trimmed(const char* text, std::size_t length) {
  const std::string_view padded(text, length);
  return std::string(padded.substr(0, padded.find_last_not_of(' ') + 1));
}

}  // namespace xredist::core
