// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/errors.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <new>
#include <thread>

#include "api/errors.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/call.hpp"
#include "settings/log.hpp"

namespace xredist::core {
namespace {

// Processes of this rank and above wait equally long, and so do processes that learn of an error from another one.
constexpr int max_waiting_rank = 12;

// When a process aborts, MPICH's launcher may drop output that it has not read yet.
constexpr std::chrono::milliseconds until_read{200};

// Returns the argument that holds a value. PBLAS's routines have the context in the descriptors.
ArgumentRef as_passed(const Call& call, const ArgumentRef& name) {
  if (call.of_pblas() && name.argument == "CTXT") return {"DESCB", ctxt_, name.detail};
  return name;
}

// Returns the number of an entry, from 1. PBLAS's descriptors of type 2 have the size of the first block as well.
int number_of_entry(const Call& call, const ArgumentRef& name) {
  const xredist_int* desc = name.argument == "DESCA" ? call.a.desc : call.b.desc;
  return name.entry + (call.of_pblas() && desc[dtype_] == 2 && name.entry >= mb_ ? 3 : 1);
}

// Returns the number of an argument, from 1.
std::ptrdiff_t argument_number(const Call& call, const ArgumentRef& name) {
  static constexpr std::array<std::string_view, 16> of_form[] = {
      {"M", "N", "A", "IA", "JA", "DESCA", "B", "IB", "JB", "DESCB", "CTXT"},
      {"UPLO", "DIAG", "M", "N", "A", "IA", "JA", "DESCA", "B", "IB", "JB", "DESCB", "CTXT"},
      {"M", "N", "IA", "JA", "DESCA", "IB", "JB", "MB", "NB", "RSRC", "CSRC", "NPROW", "NPCOL", "CTXT", "USERMAP",
       "LDUMAP"},
      {"OPERATION", "PLAN", "DESCA", "DESCB", "M", "N", "IA", "JA", "IB", "JB", "ROWS_A", "COLS_A", "ROWS_B", "COLS_B",
       "CTXT"},
      {"M", "N", "ALPHA", "A", "IA", "JA", "DESCA", "BETA", "B", "IB", "JB", "DESCB"},
      {"TRANS", "M", "N", "ALPHA", "A", "IA", "JA", "DESCA", "BETA", "B", "IB", "JB", "DESCB"},
      {"UPLO", "TRANS", "M", "N", "ALPHA", "A", "IA", "JA", "DESCA", "BETA", "B", "IB", "JB", "DESCB"},
  };
  const auto& arguments = of_form[static_cast<int>(call.form)];
  return std::ranges::find(arguments, name.argument) - arguments.begin() + 1;
}

[[noreturn]] void end_program(const Call& call, int rank, const std::string& what) {
  if (rank > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1000 + 500 * std::min(rank, max_waiting_rank)));
  write_log("%s: %s", call.routine, what.c_str());
  std::this_thread::sleep_for(until_read);
  blacs().abort(call.whole_world ? -1 : call.ctxt, 1);
  std::abort();
}

}  // namespace

Region Call::region() const {
  using enum Region::Kind;
  if (form == Form::tradd) return operation.uplo == 'U' ? Region{upper, 0} : Region{lower, 0};
  if (form == Form::trapezoid || (form == Form::plan && operation.uplo != 'A'))
    return trapezoid(operation.uplo, operation.diag, m, n);
  return {};
}

std::string name_of(const Call& call, const ArgumentRef& given) {
  const ArgumentRef name = as_passed(call, given);
  static constexpr const char* entries[] = {"DTYPE_", "CTXT_", "M_", "N_", "MB_", "NB_", "RSRC_", "CSRC_", "LLD_"};
  std::string argument(name.argument);
  if (call.of_pblas() && argument.ends_with('B')) argument.back() = 'C';
  std::string text =
      std::string("argument ").append(std::to_string(argument_number(call, name))) + " (" + argument + ")";
  if (call.form == Form::plan) {
    const auto lower = [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); };
    std::ranges::transform(argument, argument.begin(), lower);
    text = argument;
  }
  if (name.entry >= 0)
    text += ", entry " + std::to_string(number_of_entry(call, name)) + " (" + entries[name.entry] + ")";
  return text + name.detail;
}

Index number_of(const Call& call, const ArgumentRef& given) {
  const ArgumentRef name = as_passed(call, given);
  return name.argument.empty() ? 0 : 100 * argument_number(call, name) + name.entry + 1;
}

void fail(const Call& call, int rank, const ArgumentError& error) {
  const ArgumentRef& argument = error.argument;
  if (call.returns_errors) throw WrongArgument(number_of(call, argument));
  const std::string text = argument.argument.empty() ? error.reason : name_of(call, argument) + error.reason;
  if (call.form == Form::plan) throw InvalidArgument(text);
  end_program(call, rank, text);
}

void fail(const Call& call, const std::exception& error) {
  if (dynamic_cast<const Withdrawn*>(&error) != nullptr) end_program(call, max_waiting_rank, error.what());
  // A lack of memory may affect one process only, so waiting for lower ranks would be useless.
  const bool everywhere = dynamic_cast<const OutOfMemorySomewhere*>(&error) != nullptr;
  if (dynamic_cast<const std::bad_alloc*>(&error) == nullptr || everywhere)
    end_program(call, world_rank(), error.what());
  end_program(call, 0, error.what() == std::string_view(std::bad_alloc().what()) ? "out of memory" : error.what());
}

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

}  // namespace xredist::core
