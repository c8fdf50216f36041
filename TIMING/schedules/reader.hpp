// SPDX-License-Identifier: BSD-3-Clause
// Reads input files word by word; errors name line and column.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "layout/axis.hpp"

namespace cases {

using xredist::core::as_size, xredist::core::at, xredist::core::Index;

/// An error in an input file: "FILE:LINE:COLUMN: expected ..., found ...".
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the contents of a file. Throws InputError if the file cannot be read.
std::string text_of_file(const std::string& file);

/// Skips lines that are blank or begin with #. Blanks and commas separate words, unless they are in quotes. The caller
/// takes as many words of a line as it needs; the rest of the line is explanation. Lines and columns count from 1.
class Reader {
 public:
  Reader(std::string name, const std::string& text);

  /// Goes to the next line. `meaning` names the expected contents in the error that a missing line causes.
  void next_line(const std::string& meaning);
  bool at_end() const { return next_ == lines_.size(); }
  /// Returns whether the caller has taken all words of the line.
  bool at_line_end() const { return word_ == lines_[next_ - 1].words.size(); }

  std::string line() const;  ///< the whole line, without surrounding quotes
  bool begins_with_number() const;

  /// Take the next word of the line. The number must be in [min, max].
  std::string word(const std::string& meaning);
  Index whole(const std::string& meaning, Index min, Index max);
  double real(const std::string& meaning, double min, double max);
  /// Returns how many whole numbers follow in the line.
  std::size_t whole_numbers_left() const;

  /// Throw an error about the word last taken, or about the next word.
  [[noreturn]] void wrong_last(const std::string& expected) const;
  [[noreturn]] void wrong_next(const std::string& expected) const;

 private:
  struct Word {
    std::string text;
    std::size_t column;
  };
  struct Line {
    std::size_t number;
    std::string text;
    std::vector<Word> words;
  };
  template <class Number>
  Number number(const char* kind, const std::string& meaning, Number min, Number max);
  static std::vector<Word> words_of(const std::string& text);
  const Word& take(const std::string& expected);
  [[noreturn]] void wrong(std::size_t word, const std::string& expected) const;

  std::string name_;
  std::size_t line_count_ = 0;
  std::vector<Line> lines_;
  std::size_t next_ = 0;  // index of the next line
  std::size_t word_ = 0;  // index of the next word in line next_ - 1
};

}  // namespace cases
