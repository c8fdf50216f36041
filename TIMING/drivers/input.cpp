// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/input.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>

#include "schedules/reader.hpp"

namespace drivers {
namespace {

constexpr Index max_int = std::numeric_limits<int>::max();
constexpr Index max_processes = 1 << 20;  // along one side of a grid
constexpr Index max_values = 1000;        // in a row

template <class Values>
std::string joined(const Values& values, const char* between) {
  std::ostringstream text;
  for (const auto& value : values) text << (text.tellp() > 0 ? between : "") << value;
  return text.str();
}

class File {
 public:
  File(const std::string& name, const std::string& text, const std::function<std::string(const std::string&)>& text_of)
      : folder_(std::filesystem::path(name).parent_path()), text_of_(text_of), reader_(name, text) {}

  Input read() {
    reader_.next_line("the title, or the number of tests");
    if (reader_.begins_with_number()) {
      input_.title.push_back(reader_.line());
      read_lines(reader_.whole("number of tests", 1, max_int));
    } else {
      read_head();
      read_products();
      read_lines(count("number of lines of 22 or 24 integers", 0, max_int));
    }
    if (!reader_.at_end()) {
      reader_.next_line("");
      reader_.wrong_next("the end of the file: all announced lines have been read");
    }
    return std::move(input_);
  }

 private:
  template <class Values>
  void record(const std::string& meaning, const Values& values) {
    input_.parameters.emplace_back(meaning, joined(values, " "));
  }

  Index count(const std::string& meaning, Index min, Index max) {
    reader_.next_line(meaning);
    return reader_.whole(meaning, min, max);
  }

  std::vector<int> row(Index values, const std::string& meaning, Index min, Index max) {
    std::vector<int> row;
    if (values == 0) return row;
    reader_.next_line(meaning);
    for (Index k = 0; k < values; ++k) row.push_back(static_cast<int>(reader_.whole(meaning, min, max)));
    record(meaning, row);
    return row;
  }

  void read_head() {
    input_.title.push_back(reader_.line());
    reader_.next_line("the second line of the title");
    input_.title.push_back(reader_.line());
    reader_.next_line("name of the output file");
    input_.output_file = reader_.word("name of the output file");
    input_.device = static_cast<int>(count("output device", 0, 99));
    if (input_.device != 6 && input_.device != 0 && input_.output_file.empty())
      reader_.wrong_last("6 or 0, because no output file is named");
    const Index algorithms = count("number of algorithms", 1, max_values);
    input_.algorithms.clear();
    reader_.next_line("names of algorithms");
    for (Index k = 0; k < algorithms; ++k) {
      input_.algorithms.push_back(reader_.word("the name of an algorithm"));
      if (!is_known(input_.algorithms.back())) reader_.wrong_last("one of " + joined(known_contenders(), ", "));
    }
    Rounds& rounds = input_.rounds;
    rounds.warm_up = static_cast<int>(count("rounds to warm up", 1, max_int));
    reader_.next_line("rounds");
    rounds.min = static_cast<int>(reader_.whole("minimum number of rounds", 1, max_int));
    rounds.max = static_cast<int>(reader_.whole("maximum number of rounds", rounds.min, max_int));
    reader_.next_line("seconds of a case");
    rounds.seconds = reader_.real("seconds of a case", 0, 1e6);
  }

  // Combines each size with each pair of distributions.
  void read_products() {
    const Index sizes = count("number of problem sizes", 0, max_values);
    const std::vector<int> m = row(sizes, "values of M", 1, max_int), n = row(sizes, "values of N", 1, max_int);
    const Index pairs = count("number of pairs of distributions", 0, max_values);
    const auto distribution = [&](const std::string& which) {
      const auto values = [&](const char* name, Index max) {
        return row(pairs, std::string("values of ") + name + which, 1, max);
      };
      const std::vector<int> p = values("P", max_processes), q = values("Q", max_processes);
      const std::vector<int> mb = values("MB", max_int), nb = values("NB", max_int);
      std::vector<Matrix> made;
      for (std::size_t k = 0; k < p.size(); ++k) made.push_back({0, 0, 0, 0, 1, 1, p[k], q[k], mb[k], nb[k]});
      return made;
    };
    std::vector<Matrix> a = distribution(" before"), b = distribution(" after");
    const std::vector<int> first = row(pairs, "first process of the grid after", 0, max_int);
    for (std::size_t s = 0; s < m.size(); ++s)
      for (std::size_t k = 0; k < a.size(); ++k) {
        b[k].first = first[k];
        for (Matrix* x : {&a[k], &b[k]}) x->M = m[s], x->N = n[s];
        input_.cases.push_back({m[s], n[s], a[k], b[k]});
      }
  }

  void read_lines(Index lines) {
    for (Index k = 0; k < lines; ++k) {
      reader_.next_line("a line of 22 or 24 integers (" + std::to_string(k + 1) + " of " + std::to_string(lines) + ")");
      read_line();
    }
    if (lines > 0) record("lines of 22 or 24 integers", std::vector<Index>{lines});
  }

  void read_line() {
    Case c{};
    const std::size_t numbers = reader_.whole_numbers_left();
    c.m = static_cast<int>(reader_.whole("m", 1, max_int));
    c.n = static_cast<int>(reader_.whole("n", 1, max_int));
    c.a = read_matrix(c, " of A");
    c.b = read_matrix(c, " of B");
    if (numbers != 22) read_trapezoid(c);
    read_files(c);
    input_.cases.push_back(std::move(c));
  }

  void read_trapezoid(Case& c) {
    c.trapezoid = true;
    c.uplo = reader_.whole("1: upper, 0: lower trapezoid; 22 or 24 integers in a line", 0, 1) != 0 ? 'U' : 'L';
    c.diag = reader_.whole("1: without, 0: with its diagonal; 22 or 24 integers in a line", 0, 1) != 0 ? 'U' : 'N';
    if (reader_.whole_numbers_left() > 0) reader_.wrong_next("22 or 24 integers in a line");
  }

  // Reads the rest of the line; words without "=" are explanation.
  void read_files(Case& c) {
    while (!reader_.at_line_end()) {
      const std::string word = reader_.word("");
      if (word.starts_with('#')) return;
      read_file(word, "ROWS_A=", "M of A", c.a.M, c.a.nprow, c.a.rows);
      read_file(word, "COLS_A=", "N of A", c.a.N, c.a.npcol, c.a.cols);
      read_file(word, "ROWS_B=", "M of B", c.b.M, c.b.nprow, c.b.rows);
      read_file(word, "COLS_B=", "N of B", c.b.N, c.b.npcol, c.b.cols);
    }
  }

  void read_file(const std::string& word, const std::string& begin, const std::string& meaning, Index length,
                 Index procs, std::optional<Partition>& intervals) {
    if (!word.starts_with(begin)) return;
    if (intervals) reader_.wrong_last(begin + "FILE once");
    if (word == begin) reader_.wrong_last(begin + "FILE");
    const std::string file = folder_ / word.substr(begin.size());
    intervals = read_partition(file, text_of_(file), procs);
    if (const Index end = intervals->cuts.back(); end != length)
      reader_.wrong_last("intervals up to " + std::to_string(length) + " (" + meaning + ") and not to " +
                         std::to_string(end));
  }

  Matrix read_matrix(const Case& c, const std::string& of) {
    Matrix x{};
    const auto value = [&](const char* name, Index min, Index max) {
      return static_cast<int>(reader_.whole(name + of, min, max));
    };
    x.M = value("M", c.m, max_int);
    x.N = value("N", c.n, max_int);
    x.rsrc = value("RSRC", 0, max_processes - 1);
    x.csrc = value("CSRC", 0, max_processes - 1);
    x.i = value("the first row", 1, x.M - c.m + 1);
    x.j = value("the first column", 1, x.N - c.n + 1);
    x.nprow = value("process rows, more than RSRC,", x.rsrc + 1, max_processes);
    x.npcol = value("process columns, more than CSRC,", x.csrc + 1, max_processes);
    x.mb = value("MB", 1, max_int);
    x.nb = value("NB", 1, max_int);
    return x;
  }

  const std::filesystem::path folder_;
  const std::function<std::string(const std::string&)>& text_of_;
  Reader reader_;
  Input input_;
};

}  // namespace

Input read_input(const std::string& name, const std::string& text,
                 const std::function<std::string(const std::string&)>& text_of) {
  return File(name, text, text_of).read();
}

}  // namespace drivers
