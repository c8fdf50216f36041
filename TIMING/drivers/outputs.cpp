#include "outputs.hpp"

#include <mpi.h>

#include <iostream>
#include <sstream>
#include <stdexcept>

namespace drivers {
namespace {

int rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// Process 0's text, on all.
std::string everywhere(std::string text) {
  auto length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
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
  std::ostringstream text;
  std::string error;
  if (rank() == 0) {
    std::ifstream in(file);
    in.peek();  // a folder can be opened, but not read
    if (!in && !in.eof()) error = "cannot read " + file;
    if (in) text << in.rdbuf();
  }
  fail_everywhere(error);
  return everywhere(text.str());
}

Outputs::Outputs(const Input& input, const std::string& csv, const std::string& json) : report_(&report_file_) {
  std::string error;
  if (rank() == 0) {
    if (input.device == 6)
      report_ = &std::cout;
    else if (input.device == 0)
      report_ = &std::cerr;
    else
      open(report_file_, input.output_file, error);
    open(csv_, csv, error);
    open(json_, json, error);
  }
  fail_everywhere(error);
}

void Outputs::close() {
  report_->flush();
  bool failed = report_ != &report_file_ && !*report_;
  for (std::ofstream* file : {&report_file_, &csv_, &json_}) {
    if (!file->is_open()) continue;
    file->close();
    failed = failed || !*file;
  }
  if (failed) throw std::runtime_error("cannot write all of the output");
}

}  // namespace drivers
