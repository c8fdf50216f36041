// SPDX-License-Identifier: BSD-3-Clause
#include "watch/roll.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "settings/decimals.hpp"
#include "settings/held_signals.hpp"
#include "settings/log.hpp"

namespace xredist::core {
namespace {

constexpr std::array state_names{"waits", "inside", "outside"};

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  std::array<char, 64> text{};
  if (gmtime_r(&now, &parts) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts)};
}

// Returns 0, or the reason for which a file could not be written.
int written(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  const HeldSignals held;
  const bool whole = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int reason = whole ? 0 : errno;
  return close(file) == 0 ? reason : errno;
}

}  // namespace

// mpirun may start processes of other nodes in other steps of Slurm, so Slurm's names come last.
std::string job_name() {
  const auto value_of = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return std::string(value != nullptr ? value : "");
  };
  std::string name;
  for (const char* variable : {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID"})
    if (name.empty()) name = value_of(variable);
  if (name.empty() && !value_of("SLURM_JOB_ID").empty())
    name = value_of("SLURM_JOB_ID") + "." + value_of("SLURM_STEP_ID");
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '.');
  return name.empty() ? "job" : name.substr(0, 100);
}

std::string text_of(const Position& place, const Who& who, std::string_view job, std::string_view date) {
  const bool called = place.call.serial > 0;
  std::string text;
  const auto add = [&](const char* name, std::string_view value) {
    text.append(name).append(": ").append(value) += '\n';
  };
  add("rank", std::to_string(who.rank));
  add("processes", std::to_string(who.size));
  add("host", who.host);
  add("process", std::to_string(getpid()));
  add("job", job);
  add("written", date);
  add("state", state_names[static_cast<std::size_t>(place.state)]);
  add("seconds", with_decimals(place.seconds, 1));
  add("routine", called ? place.call.routine : "none");
  add("number", std::to_string(place.call.number));
  add("communicator", std::to_string(place.call.communicator));
  add("call", called ? text_of(place.call) : "none");
  add("where", place.where);
  return text;
}

Roll::Roll(std::string folder, Who who)
    : folder_(std::move(folder)),
      who_(std::move(who)),
      marker_(folder_ + "/waits-" + job_name()),
      file_(folder_ + "/rank-" + std::to_string(who_.rank)) {}

void Roll::call() const {
  if (!is_called()) write(marker_, "rank " + std::to_string(who_.rank) + " on " + who_.host + " waits\n");
}

void Roll::end() const { unlink(marker_.c_str()); }

bool Roll::is_called() const { return access(marker_.c_str(), F_OK) == 0; }

void Roll::answer(const Position& place) {
  write(file_, text_of(place, who_, job_name(), date_now()));
  answered_ = true;
}

void Roll::withdraw() {
  if (std::exchange(answered_, false)) unlink(file_.c_str());
}

// A reader sees the old file or the new one.
void Roll::write(const std::string& name, const std::string& text) const {
  const std::string temporary = name + ".new" + std::to_string(who_.rank);
  int reason = written(temporary.c_str(), text);
  if (reason == 0 && rename(temporary.c_str(), name.c_str()) != 0) reason = errno;
  if (reason == 0) return;
  unlink(temporary.c_str());
  if (!std::exchange(failed_, true))
    write_log("XREDIST_WATCH: %s cannot be written: %s", name.c_str(), std::strerror(reason));
}

}  // namespace xredist::core
