// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <fstream>
#include <string>

#if defined(__GLIBC__) && !defined(XREDIST_SIMULATED)  // SimGrid defines macros with the names in this header
#include <malloc.h>
#define XREDIST_TRIMS
#endif

#include "drivers/rounds.hpp"
#include "drivers/times.hpp"

namespace drivers {
namespace {

// Returns freed memory to the system. Otherwise a call that reuses it would seem to need none.
void give_back() {
#ifdef XREDIST_TRIMS
  malloc_trim(0);
#endif
}

// Sets the recorded peak to the current resident memory.
bool reset_peak() {
  std::ofstream out("/proc/self/clear_refs");
  return static_cast<bool>(out << 5 << std::flush);
}

// Returns an entry of /proc/self/status in bytes, or nothing on systems other than Linux.
std::optional<Index> bytes_of(const std::string& entry) {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;) {
    if (word != entry) continue;
    Index kilobytes = 0;
    if (in >> kilobytes) return kilobytes * 1024;
  }
  return std::nullopt;
}

// Watches the resident memory of this process from its construction on. peak(): the maximum increase; kept(): the
// increase until now. Nothing on systems other than Linux.
class MemoryWatch {
 public:
  MemoryWatch() {
    give_back();
    if (reset_peak()) before_ = bytes_of("VmRSS:");
  }
  std::optional<Index> peak() const { return since("VmHWM:"); }
  std::optional<Index> kept() const {
    give_back();
    return since("VmRSS:");
  }

 private:
  std::optional<Index> since(const char* entry) const {
    const auto now = bytes_of(entry);
    return before_ && now ? std::optional(std::max<Index>(0, *now - *before_)) : std::nullopt;
  }
  std::optional<Index> before_;
};

// Returns the maximum over all processes, or nothing unless every process has a value.
std::optional<Index> max_of(std::optional<Index> bytes, MPI_Comm comm) {
  Index extremes[] = {bytes.value_or(0), bytes ? 0 : 1};
  MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_INT64_T, MPI_MAX, comm);
  return extremes[1] == 0 ? std::optional(extremes[0]) : std::nullopt;
}

// Adds the wrong elements of all processes; the text is from the first process that has one.
void add_wrong(Wrong& sum, Wrong own, MPI_Comm comm) {
  Index total = own.count;
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT64_T, MPI_SUM, comm);
  if (total == 0) return;
  const bool known = sum.count > 0;
  sum.count += total;
  if (known) return;
  int rank = 0, size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int speaker = own.count > 0 ? rank : size, length = static_cast<int>(own.first.size());
  MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, comm);
  MPI_Bcast(&length, 1, MPI_INT, speaker, comm);
  own.first.resize(as_size(length));
  MPI_Bcast(own.first.data(), length, MPI_CHAR, speaker, comm);
  sum.first = "process " + std::to_string(speaker) + ": " + own.first;
}

class Contest {
 public:
  Contest(Stage& stage, const std::vector<std::string>& names)
      : stage_(stage), contenders_(contenders_of(stage, names)) {
    for (const Contender& contender : contenders_)
      times_.outcomes.push_back({contender.name, contender.undefined, {}, {}, {}, {}, {}});
  }

  // Makes the first call of each contender and reports its memory: the increase, and for xredist also the memory kept
  // from earlier calls. (Memory that others keep, for instance in MPI, may not be used again.)
  void call_first(Kept& kept) {
    for (std::size_t k = 0; k < contenders_.size(); ++k) {
      if (!contenders_[k].undefined.empty()) continue;
      Outcome& outcome = times_.outcomes[k];
      stage_.element.blank_b(stage_.b);
      MPI_Barrier(stage_.comm());
      const MemoryWatch watch;
      Call first = contenders_[k].make();
      first.prepare();
      first.run();
      const std::string library = library_of(contenders_[k].name);
      if (const auto peak = watch.peak()) outcome.memory = *peak + kept[library];
      outcome.memory = max_of(outcome.memory, stage_.comm());
      check(outcome);
      first = {};
      if (!library.empty()) kept[library] += watch.kept().value_or(0);
    }
  }

  void make_calls() {
    for (const Contender& contender : contenders_)
      calls_.push_back(contender.undefined.empty() ? contender.make() : Call());
    copy_ = memory_copy(stage_).make();
  }

  // Calls every contender once, beginning with contender `number`. Returns the seconds of all calls.
  double round(std::size_t number, bool timed) {
    const std::size_t count = calls_.size() + 1;
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t index = (number + k) % count;
      const double seconds = index == calls_.size() ? copy() : call(index);
      sum += seconds;
      std::vector<double>& samples = index == calls_.size() ? times_.memory_copy : times_.outcomes[index].seconds;
      if (timed && (index == calls_.size() || calls_[index].run)) samples.push_back(seconds);
    }
    return sum;
  }

  CaseTimes take() {
    for (std::size_t k = 0; k < calls_.size(); ++k)
      if (const Plan& plan = calls_[k].plan) {
        times_.outcomes[k].steps = steps_of(plan);
        times_.outcomes[k].route = route_of(plan);
      }
    return std::move(times_);
  }

 private:
  // Returns the library of xredist that the contender uses, if any. All plans share the memory that a library keeps.
  static std::string library_of(const std::string& name) {
    if (name.ends_with("drop-in")) return "libxredist_scalapack";
    return choice_of(name) ? "libxredist" : "";
  }

  // Times a copy in memory in the same state as a contender: A has been read before, and B has just been filled.
  double copy() {
    stage_.element.blank_b(stage_.b);
    return seconds_of(copy_.run, stage_.comm());
  }

  double call(std::size_t k) {
    if (!calls_[k].run) return 0;
    stage_.element.blank_b(stage_.b);
    calls_[k].prepare();
    const double seconds = seconds_of(calls_[k].run, stage_.comm());
    check(times_.outcomes[k]);
    return seconds;
  }

  void check(Outcome& outcome) { add_wrong(outcome.wrong, stage_.element.check(stage_.c, stage_.b), stage_.comm()); }

  Stage& stage_;
  std::vector<Contender> contenders_;
  std::vector<Call> calls_;
  Call copy_;
  CaseTimes times_;
};

}  // namespace

CaseTimes time_case(Stage& stage, const Rounds& rounds, const std::vector<std::string>& names, Kept& kept,
                    const std::function<void(int)>& progress) {
  Contest contest(stage, names);
  if (rounds.warm_up > 0) contest.call_first(kept);
  contest.make_calls();
  for (int k = 0; k < rounds.warm_up; ++k) contest.round(0, false);
  double seconds = 0;
  for (int k = 0; k < rounds.min || (k < rounds.max && seconds < rounds.seconds); ++k) {
    progress(k + 1);
    seconds += contest.round(as_size(k), true);
  }
  return contest.take();
}

}  // namespace drivers
