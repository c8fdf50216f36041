// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <iostream>
#include <stdexcept>
#include <utility>

#include "drivers/reports.hpp"
#include "drivers/times.hpp"
#include "schedules/reader.hpp"

namespace drivers {
namespace {

// Returns the text of rank 0 to all processes.
std::string everywhere(std::string text) {
  auto length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(as_size(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

void fail_everywhere(const std::string& error) {
  if (const std::string shared = everywhere(error); !shared.empty()) throw std::runtime_error(shared);
}

void open(std::ofstream& out, const std::string& file, std::string& error) {
  if (file.empty()) return;
  out.open(file);
  if (!out) error = "cannot write " + file;
}

}  // namespace

std::string shared_text(const std::string& file) {
  std::string text, error;
  if (rank_in_world() == 0) {
    try {
      text = text_of_file(file);
    } catch (const InputError& found) {
      error = found.what();
      if (file == "REDIST.dat") error += " in this folder; -f names a file (installed: share/xredist/REDIST.dat)";
    }
  }
  fail_everywhere(error);
  return everywhere(std::move(text));
}

Outputs::Outputs(const Input& input, const std::string& csv_name) {
  std::string error;
  if (rank_in_world() == 0) {
    if (input.device == 6)
      report = &std::cout;
    else if (input.device == 0)
      report = &std::cerr;
    else
      open(report_file, input.output_file, error);
    open(csv, csv_name, error);
  }
  fail_everywhere(error);
}

void Outputs::close() {
  report->flush();
  bool failed = report != &report_file && !*report;
  for (std::ofstream* file : {&report_file, &csv}) {
    if (!file->is_open()) continue;
    file->close();
    failed = failed || !*file;
  }
  if (failed) throw std::runtime_error("cannot write all of the output");
}

}  // namespace drivers
