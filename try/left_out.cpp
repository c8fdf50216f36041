// SPDX-License-Identifier: BSD-3-Clause
#include "left_out.hpp"

#include <mpi.h>

#include <numeric>
#include <sstream>
#include <vector>

namespace xredist::trial {
namespace {

std::string in_json(const std::string& text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted;
}

}  // namespace

// Reasons become lines of text, so they have no line ends.
void LeftOut::count(std::string_view routine, std::string_view why, core::Index calls) {
  std::string line(why);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  calls_[{std::string(routine), line}] += calls;
}

LeftOut LeftOut::gathered(int rank, int size) const {
  std::string own;
  for (const auto& [call, calls] : calls_) own += call.first + " " + std::to_string(calls) + " " + call.second + "\n";
  const int bytes = static_cast<int>(own.size());
  std::vector<int> sizes(core::as_size(size)), begins(core::as_size(size));
  PMPI_Gather(&bytes, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
  std::string all(rank == 0 ? core::as_size(begins.back() + sizes.back()) : 0, ' ');
  PMPI_Gatherv(own.data(), bytes, MPI_CHAR, all.data(), sizes.data(), begins.data(), MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank != 0) return *this;
  LeftOut merged;
  std::istringstream lines(all);
  std::string routine, why;
  for (core::Index calls = 0; lines >> routine >> calls && lines.ignore() && std::getline(lines, why);)
    merged.count(routine, why, calls);
  return merged;
}

std::string LeftOut::text() const {
  std::string text;
  for (const auto& [call, calls] : calls_) {
    char number[32];
    std::snprintf(number, sizeof number, "%6lld  ", static_cast<long long>(calls));
    text += number + call.first + ": " + call.second + "\n";
  }
  return text;
}

void LeftOut::write_json(std::FILE* file) const {
  const char* separator = "[";
  for (const auto& [call, calls] : calls_) {
    std::fprintf(file, "%s\n{\"routine\": \"%s\", \"why\": \"%s\", \"calls\": %lld}", separator, call.first.c_str(),
                 in_json(call.second).c_str(), static_cast<long long>(calls));
    separator = ",";
  }
  std::fputs(calls_.empty() ? "[]" : "\n]", file);
}

}  // namespace xredist::trial
