// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/rounds.hpp"

#include <algorithm>

#include "drivers/memory.hpp"
#include "runs/timed.hpp"

namespace drivers {
namespace {

// The largest value of all processes; nothing unless every process has one.
std::optional<Index> largest(std::optional<Index> bytes, MPI_Comm comm) {
  Index extremes[] = {bytes.value_or(0), bytes ? 0 : 1};
  MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_INT64_T, MPI_MAX, comm);
  return extremes[1] == 0 ? std::optional(extremes[0]) : std::nullopt;
}

// Adds what the processes find wrong; the text is that of the first process that has one.
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
  own.first.resize(static_cast<std::size_t>(length));
  MPI_Bcast(own.first.data(), length, MPI_CHAR, speaker, comm);
  sum.first = "process " + std::to_string(speaker) + ": " + own.first;
}

class Contest {
 public:
  Contest(const Case& c, Stage& stage, const std::vector<std::string>& names)
      : case_(c), stage_(stage), contenders_(contenders_of(c, stage, names)) {
    for (const Contender& contender : contenders_)
      times_.outcomes.push_back({contender.name, contender.undefined, contender.facts, {}, {}, {}});
  }

  // The first call of each contender, whose memory is reported: what the call adds, and what xredist has kept from
  // earlier calls. (Others leave memory behind too, for instance in MPI, but may not use it again.)
  void call_first(Kept& kept) {
    for (std::size_t k = 0; k < contenders_.size(); ++k) {
      if (!contenders_[k].undefined.empty()) continue;
      Outcome& outcome = times_.outcomes[k];
      stage_.element.blank_b(stage_.b);
      MPI_Barrier(stage_.comm());
      Call first = contenders_[k].make();
      const MemoryWatch watch;
      first();
      const std::string library = library_of(contenders_[k].name);
      if (const auto peak = watch.peak()) outcome.memory = *peak + kept[library];
      outcome.memory = largest(outcome.memory, stage_.comm());
      check(outcome);
      first = nullptr;
      if (!library.empty()) kept[library] += watch.kept().value_or(0);
    }
  }

  void make_calls() {
    for (const Contender& contender : contenders_)
      calls_.push_back(contender.undefined.empty() ? contender.make() : Call());
    copy_ = memory_copy(case_, stage_).make();
  }

  // Seconds of all calls.
  double round(std::size_t number, bool timed) {
    const std::size_t count = calls_.size() + 1;
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t place = (number + k) % count;
      const double seconds = place == calls_.size() ? copy() : call(place);
      sum += seconds;
      std::vector<double>& samples = place == calls_.size() ? times_.memory_copy : times_.outcomes[place].seconds;
      if (timed && (place == calls_.size() || calls_[place])) samples.push_back(seconds);
    }
    return sum;
  }

  CaseTimes take() { return std::move(times_); }

 private:
  // The one of xredist's two libraries that the contender belongs to, if any. All plans share what theirs keeps.
  static std::string library_of(const std::string& name) {
    if (name == "scalapack" || name == "alltoallv") return {};
    return name == "drop-in" ? "libxredist_scalapack" : "libxredist";
  }

  // Times the second of two copies, whose bytes may be in the caches. That is fair: the contenders' A and B may be
  // there too, for the call before has read A, and B has just been filled.
  double copy() {
    copy_();
    return runs::seconds_of(copy_, stage_.comm());
  }

  double call(std::size_t k) {
    if (!calls_[k]) return 0;
    stage_.element.blank_b(stage_.b);
    const double seconds = runs::seconds_of(calls_[k], stage_.comm());
    check(times_.outcomes[k]);
    return seconds;
  }

  void check(Outcome& outcome) { add_wrong(outcome.wrong, stage_.element.check(case_, stage_.b), stage_.comm()); }

  const Case& case_;
  Stage& stage_;
  std::vector<Contender> contenders_;
  std::vector<Call> calls_;
  Call copy_;
  CaseTimes times_;
};

}  // namespace

CaseTimes time_case(const Case& c, Stage& stage, const Rounds& rounds, const std::vector<std::string>& names,
                    Kept& kept, const std::function<void(int)>& progress) {
  Contest contest(c, stage, names);
  contest.call_first(kept);
  contest.make_calls();
  for (int k = 0; k < rounds.warm_up; ++k) contest.round(0, false);
  double seconds = 0;
  for (int k = 0; k < rounds.least || (k < rounds.most && seconds < rounds.seconds); ++k) {
    progress(k + 1);
    seconds += contest.round(static_cast<std::size_t>(k), true);
  }
  return contest.take();
}

}  // namespace drivers
