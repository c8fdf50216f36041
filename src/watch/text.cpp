// SPDX-License-Identifier: BSD-3-Clause
#include "watch/text.hpp"

#include "settings/decimals.hpp"

namespace xredist::core {
namespace {

std::string product(Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

// Returns "context 0", "a communicator of 4 processes", or nothing if neither is known.
std::string place_of(const Call& call) {
  if (call.context >= 0) return "context " + std::to_string(call.context);
  if (call.processes > 0) return "a communicator of " + std::to_string(call.processes) + " processes";
  return {};
}

std::string all_processes(const Call& call) {
  return call.processes > 0 ? "all " + std::to_string(call.processes) + " processes" : "all processes";
}

}  // namespace

std::string text_of(const Call& call) {
  std::string text = call.routine;
  const auto& [a_rows, a_cols, b_rows, b_cols] = call.grids;
  std::string facts = call.m >= 0 ? product(call.m, call.n) : "";
  if (call.jobs > 1) facts = std::to_string(call.jobs) + " jobs" + (facts.empty() ? "" : ", the first of " + facts);
  if (a_rows > 0 && b_rows > 0)
    facts += (facts.empty() ? "from " : ", from ") + product(a_rows, a_cols) + " to " + product(b_rows, b_cols) +
             " processes";
  if (!facts.empty()) text += " (" + facts + ")";
  if (const std::string place = place_of(call); !place.empty())
    text += call.number > 0 ? ", call " + std::to_string(call.number) + " of " + place : ", " + place;
  return text;
}

std::string text_of(const Call& call, Phase phase, const std::string* answer) {
  const std::string all = all_processes(call);
  switch (phase) {
    case Phase::work: return "at work, in no wait that the library knows";
    case Phase::reduction: return "agreement by a reduction, which ends when " + all + " have called";
    case Phase::broadcast:
      return "agreement by a broadcast, which waits for its first process or for one that passes it on";
    case Phase::barrier: return "a barrier, which ends when " + all + " have called";
    case Phase::duplication: return "the communicator is duplicated, which ends when " + all + " have called";
    case Phase::network: return "the network is explored, which ends when " + all + " have called";
    case Phase::exchange:
      return answer != nullptr ? *answer : "exchange, whose state is unknown: it copies or waits in MPI";
    case Phase::request: return "a request of MPI has not completed";
    case Phase::stated: return answer != nullptr ? *answer : "a wait outside of the library";
  }
  return {};
}

std::string line_of(const Who& who, const Call& call, double seconds, std::string_view where) {
  return "rank " + std::to_string(who.rank) + " on " + who.host + " has been in " + text_of(call) + " for " +
         with_decimals(seconds, seconds < 10 ? 1 : 0) + " s: " + std::string(where);
}

}  // namespace xredist::core
