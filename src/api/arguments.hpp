// SPDX-License-Identifier: BSD-3-Clause
// Errors in arguments, checks that all interfaces share, and the axes and layouts that arguments describe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "layout/layout.hpp"
#include "layout/sentence.hpp"
#include "xredist/xredist.h"

namespace xredist::core {

/// An argument as messages name it, or an entry: of a descriptor, or of the list to which `detail` leads. Examples:
/// {"a", -1, ".ranks"} is a.ranks, {"a", 3, ".axes[].block"} is a.axes[3].block.
struct ArgumentRef {
  std::string_view argument;
  int entry = -1;
  const char* detail = "";
};

/// An argument that all processes of a call pass alike.
struct Field {
  ArgumentRef name;
  /// Follows the name in the message about a difference. nullptr: " differs between processes: from <min> to <max>".
  const char* difference = nullptr;
};

/// An argument that a function does not accept, and why. Without an argument, the reason is the whole message.
struct ArgumentError {
  ArgumentRef argument;
  Text reason;
};
using MaybeError = std::optional<ArgumentError>;

/// A value, or the error that prevents it.
template <class Value>
using OrError = std::variant<Value, ArgumentError>;

/// Returns the first error, if there is one.
MaybeError first_of(std::initializer_list<MaybeError> errors);

/// The interface whose arguments messages name. Entries of lists count from 0 in C and from 1 in Fortran.
enum class Face { c, fortran };

/// Returns the name of an argument, of a member, or of an entry of a list: a.axes[1].source in C, a.source(2) in
/// Fortran.
Text text_of(const ArgumentRef& name, Face face);
/// Returns the name in the interface that this thread has called.
Text text_of(const ArgumentRef& name);

/// Returns whether this thread has called the interface of Fortran.
bool names_are_of_fortran() noexcept;
/// Returns the number of the first entry of a list, and of the first axis, in this interface: 0 in C, 1 in Fortran.
inline int first_number() noexcept { return names_are_of_fortran() ? 1 : 0; }

/// Makes messages name the arguments of Fortran while the object exists. Concerns the calling thread only.
class InFortran {
 public:
  InFortran() noexcept;
  ~InFortran();
  InFortran(const InFortran&) = delete;
  InFortran& operator=(const InFortran&) = delete;
};

/// Throws InvalidArgument, with the name of the argument and the reason, if there is an error.
void demand(const MaybeError& error);

/// Returns the error "<argument> is 8", followed by `rest`.
MaybeError value_error(const ArgumentRef& argument, Index value, std::string_view rest);

/// A number that a program passes, and its name.
struct Named {
  ArgumentRef name;
  Index value;
};

/// The least value of an argument, and its text in messages if other values stand for others.
struct Least {
  Index value = 1;
  const char* text = nullptr;  ///< "1, or 0 for 1"
};

/// Checks that a value is at least `min`.
MaybeError least_error(const ArgumentRef& argument, Index value, const Least& min);
/// Checks that a value is at least `min` and at most `max`, by default the largest size.
MaybeError bounds_error(const ArgumentRef& argument, Index value, const Least& min, Index max = max_elements);
inline MaybeError bounds_error(const ArgumentRef& argument, Index value, Index min) {
  return bounds_error(argument, value, Least{min});
}
/// Checks that a value is one of 0 to count - 1, which `range` describes unless it is nullptr.
MaybeError range_error(const ArgumentRef& argument, Index value, Index count, const char* range);
/// Checks that a letter is one of `letters`, which messages call `list`.
MaybeError letter_error(std::string_view letters, const char* list, const ArgumentRef& argument, char letter);
/// Checks that a pointer is not NULL.
MaybeError null_error(const ArgumentRef& argument, const void* pointer);
/// Returns whether the words of a struct that later versions may use are 0.
inline bool are_zero(std::span<const std::int64_t> reserved) {
  std::int64_t bits = 0;
  for (const std::int64_t word : reserved) bits |= word;
  return bits == 0;
}
/// Checks that they are.
MaybeError reserved_error(const ArgumentRef& argument, std::span<const std::int64_t> reserved);
/// Checks the partition of a dimension on `procs` processes. Returns no error for NULL.
MaybeError partition_error(const ArgumentRef& argument, const xredist_partition* partition, Index procs);
/// Checks that a valid partition ends at `size`, which messages call `size_name`. NULL is accepted.
MaybeError last_bound_error(const ArgumentRef& argument, const xredist_partition* partition, std::string_view size_name,
                            Index size);
/// Returns whether `count` rows (columns) from `first` on, counted from 1, end with number `end` at the latest.
inline bool ends_within(Index first, Index count, Index end) { return first - 1 <= end && count <= end - (first - 1); }
/// Checks that ends_within() holds. `whole`: begins the part of the message that `end` completes, as "a.rows, which
/// ends at ".
MaybeError end_error(std::string_view first_name, Index first, const ArgumentRef& count_name, Index count,
                     std::string_view whole, Index end);

/// Checks that a partition has `count` elements. NULL is accepted.
MaybeError beyond_error(const Named& count, const xredist_partition* partition);

/// The elements of a subarray along an axis, counted from 1, as a program passes them.
struct ListArguments {
  ArgumentRef name;
  const std::int64_t* entries;  ///< nullptr: neighbours from a first element on
};

/// Checks the entries of a list for an axis that ends at `end`. `axis`: its name in the message.
MaybeError entries_error(const ListArguments& list, Index count, std::string_view axis, Index end);

/// Returns the number of an entry, as it follows the name of its list in messages: "[3]", in Fortran "(4)".
Text in_brackets(Index entry);

/// The distribution of an axis as a program passes it, and the names of these arguments.
struct AxisArguments {
  const xredist_partition* partition;  ///< NULL: CYCLIC(block) from `source`
  Index block, source, procs;
  ArgumentRef partition_name, block_name, source_name;
  const char* range;  ///< "the grid's rows"; nullptr: messages do not name the range
  Least least_block{};
  bool even = false;  ///< process 0 owns the first elements
};
/// Checks the partition, or else the block and the source.
MaybeError axis_error(const AxisArguments& axis);

/// Checks that MPI runs, without which `argument` is invalid.
MaybeError mpi_error(const ArgumentRef& argument);
/// Checks that MPI runs and that comm is an intracommunicator.
MaybeError communicator_error(MPI_Comm comm);

char capital(char letter);

/// Returns `count` numbers that a program passes, or 0, 1, 2 ... for NULL.
std::vector<int> given_or_ascending(const int given[], Index count);

/// Returns the rank at each position of the grid, row-major.
std::vector<int> ranks_of(const xredist_layout& layout);

/// Returns the axis with a valid partition; if `partition` is NULL, CYCLIC(block) from `source`. `first`: index in the
/// matrix of the submatrix's first element.
Axis make_axis(const xredist_partition* partition, Index block, Index procs, Index source, Index first);

/// Converts a valid layout. Its submatrix begins with element (i, j) of the matrix, counted from 1.
Layout layout_of(const xredist_layout& layout, Index i, Index j);

/// Returns a hash of a partition, valid or not; 0 for NULL.
Index fingerprint(const xredist_partition* partition);
/// Returns a hash of a list of rows, columns or other elements; 0 for NULL.
Index fingerprint(const std::int64_t list[], Index count);
/// Returns a hash of the ranks at the positions of a grid. NULL stands for 0, 1, 2 ...
Index fingerprint(const int ranks[], Index positions);

/// Returns a Fortran string without its trailing blanks.
std::string trimmed(const char* text, std::size_t length);

}  // namespace xredist::core
