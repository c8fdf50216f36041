// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/terminal.hpp"

#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

namespace drivers {
namespace {

std::string place_of(const std::string& process, const char* what) { return "/proc/" + process + "/" + what; }

// Returns the parent of a process if the parent is a launcher of MPI, which passes on what its processes write.
std::string launcher_of(const std::string& process) {
  constexpr std::array<std::string_view, 10> launchers{
      "mpirun",          "mpiexec", "mpiexec.hydra", "hydra_pmi_proxy", "orterun", "mpirun.openmpi",
      "mpiexec.openmpi", "prterun", "orted",         "mpiexec.mpich"};  // of at most 15 characters
  std::ifstream status(place_of(process, "status"));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("PPid:\t")) {
      const std::string parent = line.substr(6);
      std::string name;
      std::getline(std::ifstream(place_of(parent, "comm")), name);
      return std::ranges::find(launchers, name) != launchers.end() ? parent : "";
    }
  return {};
}

bool is_pipe(const std::string& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

// Returns whether what this process writes to standard error appears on a terminal: directly, or through pipes to the
// launchers of MPI that have started it on this computer (Linux). False if a launcher's output goes elsewhere.
bool stderr_is_terminal() {
  if (isatty(STDERR_FILENO) != 0) return true;
  std::string process = "self";
  while (is_pipe(place_of(process, "fd/2"))) {
    process = launcher_of(process);
    if (process.empty()) return false;
  }
  std::error_code failed;
  const std::string place = std::filesystem::read_symlink(place_of(process, "fd/2"), failed).string();
  return !failed && (place.starts_with("/dev/pts/") || place.starts_with("/dev/tty") || place == "/dev/console");
}

// Returns a duration in a few words: "42 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

}  // namespace

Progress::Progress(std::string program, std::size_t cases)
    : program_(std::move(program)), cases_(cases), terminal_(stderr_is_terminal()), start_(MPI_Wtime()) {}

void Progress::round(int number, int round) {
  const double seconds = MPI_Wtime() - start_;
  if (!terminal_ || seconds < printed_ + 1) return;
  printed_ = seconds;
  shown_ = true;
  const double done = number - 1;
  const std::string left =
      done > 0 ? ", about " + duration_text(seconds / done * (static_cast<double>(cases_) - done)) + " left" : "";
  std::fprintf(stderr, "\r\033[K%s: case %d of %zu, round %d, %s%s", program_.c_str(), number, cases_, round,
               duration_text(seconds).c_str(), left.c_str());
}

void Progress::clear() {
  if (std::exchange(shown_, false)) std::fputs("\r\033[K", stderr);
}

}  // namespace drivers
