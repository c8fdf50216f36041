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
Text fortran_text_of(const ArgumentRef& name) {
  std::string_view argument = name.argument, member = name.detail;
  const Text bracketed = Text() << "(" << name.entry + 1 << ")";
  if (member == ".axes[].procs") return Text() << argument << ".grid" << bracketed;
  if (member == ".axes[].source") return Text() << argument << ".source" << bracketed;
  if (member.starts_with(".axes[]")) return Text() << argument << ", axis " << name.entry + 1;
  const bool of_entry = member.ends_with("[]");
  if (of_entry) member.remove_suffix(2);
  Text text;
  if (member == ".ranks" || member == ".rows" || member == ".cols") {
    text << member.substr(1);
    if (argument.size() == 1) text << "_" << argument;
    member = {};
  } else if (!member.empty() && argument == "operation") {
    const bool of_matrix = member.starts_with(".rows_") || member.starts_with(".cols_");
    if (of_matrix) text << "list_";  // rows_a is a partition
    member.remove_prefix(1);
  } else {
    text << argument;
  }
  if (argument == "file" && member == ".name") member = {};
  text << member;
  return of_entry ? text << bracketed.view() : text;
}

}  // namespace

MaybeError first_of(std::initializer_list<MaybeError> errors) {
  for (const MaybeError& error : errors)
    if (error) return error;
  return {};
}

Text text_of(const ArgumentRef& name, Face face) {
  if (face == Face::fortran) return fortran_text_of(name);
  const std::string_view detail(name.detail);
  const std::size_t brackets = detail.find("[]");
  if (brackets == detail.npos) return Text() << name.argument << detail;
  return Text() << name.argument << detail.substr(0, brackets + 1) << name.entry << detail.substr(brackets + 1);
}

Text text_of(const ArgumentRef& name) { return text_of(name, face_of_thread); }

bool names_are_of_fortran() noexcept { return face_of_thread == Face::fortran; }

InFortran::InFortran() noexcept { face_of_thread = Face::fortran; }
InFortran::~InFortran() { face_of_thread = Face::c; }

void demand(const MaybeError& error) {
  if (error) throw InvalidArgument(Text() << text_of(error->argument) << error->reason);
}

MaybeError value_error(const ArgumentRef& argument, Index value, std::string_view rest) {
  return ArgumentError{argument, Text() << " is " << value << rest};
}

MaybeError least_error(const ArgumentRef& argument, Index value, const Least& min) {
  if (value >= min.value) return {};
  Text rest(", must be at least ");
  return value_error(argument, value, min.text != nullptr ? rest << min.text : rest << min.value);
}

MaybeError bounds_error(const ArgumentRef& argument, Index value, const Least& min, Index max) {
  if (MaybeError error = least_error(argument, value, min)) return error;
  if (value > max) return value_error(argument, value, Text() << ", must be at most " << max);
  return {};
}

MaybeError range_error(const ArgumentRef& argument, Index value, Index count, const char* range) {
  if (value >= 0 && value < count) return {};
  Text rest(", must be in 0 .. ");
  rest << count - 1;
  return value_error(argument, value, range != nullptr ? rest << ", " << range : rest);
}

MaybeError letter_error(std::string_view letters, const char* list, const ArgumentRef& argument, char letter) {
  if (letters.find(letter) != letters.npos) return {};
  Text text(" is ");
  if (std::isprint(static_cast<unsigned char>(letter)) != 0)
    text << "'" << letter << "'";
  else
    text << "character " << int{letter};
  return ArgumentError{argument, text << ", must be " << list};
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
  const auto error = [&](std::string_view reason) { return ArgumentError{argument, Text() << ": " << reason}; };
  if (partition->count < 0 || partition->count > max_intervals)
    return error(Text() << "count is " << partition->count << ", must be in 0 .. 2^31 - 2");
  if (partition->bounds == nullptr) return error("bounds is NULL");
  const auto wrong = Partition::error_in(bounds_of(*partition), owners_of(*partition), procs, places_of(*partition));
  if (!wrong) return {};
  const auto entry = [&](int number) { return text_of({wrong->list, number, number < 0 ? "" : "[]"}); };
  return error(Text() << entry(wrong->entry) << wrong->reason << (wrong->other < 0 ? "" : entry(wrong->other)));
}

MaybeError last_bound_error(const ArgumentRef& argument, const xredist_partition* partition, std::string_view size_name,
                            Index size) {
  if (partition == nullptr) return {};
  const Index last = partition->bounds[partition->count];
  if (last == size) return {};
  return ArgumentError{argument,
                       Text() << ": the last of bounds is " << last << ", must be " << size_name << " = " << size};
}

MaybeError end_error(std::string_view first_name, Index first, const ArgumentRef& count_name, Index count,
                     std::string_view whole, Index end) {
  if (ends_within(first, count, end)) return {};
  return value_error(count_name, count,
                     Text() << ": with " << first_name << " = " << first << " it reaches beyond " << whole << end);
}

MaybeError beyond_error(const Named& count, const xredist_partition* partition) {
  if (partition == nullptr || count.value <= partition->bounds[partition->count]) return {};
  return value_error(count.name, count.value,
                     Text() << ": the partition ends at " << partition->bounds[partition->count]);
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

Text in_brackets(Index entry) {
  const bool fortran = names_are_of_fortran();
  return Text() << (fortran ? "(" : "[") << entry + first_number() << (fortran ? ")" : "]");
}

MaybeError entries_error(const ListArguments& list, Index count, std::string_view axis, Index end) {
  if (count > max_intervals)
    return ArgumentError{list.name, Text() << " has " << count << " entries, must have at most 2^31 - 2"};
  const std::span entries(list.entries, as_size(count));
  const auto wrong = std::ranges::find_if(entries, [end](Index entry) { return entry < 1 || entry > end; });
  if (wrong == entries.end()) return {};
  const Text value = Text() << in_brackets(wrong - entries.begin()) << " is " << *wrong;
  if (*wrong < 1) return ArgumentError{list.name, Text() << value << ", must be at least 1"};
  return ArgumentError{list.name, Text() << value << ": beyond " << axis << ", which ends at " << end};
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
