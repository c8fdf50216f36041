// SPDX-License-Identifier: BSD-3-Clause
// Words of an input file, with their places in it.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "layout/axis.hpp"

namespace cases {

using xredist::core::Index;

/// What is wrong with the input: "FILE:LINE:COLUMN: expected ..., found ...".
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// All of a file. Throws InputError if it cannot be read.
std::string text_of_file(const std::string& file);

/// Reads line by line; lines that are blank or begin with # are passed over. Words are separated by blanks or commas,
/// unless these are in quotes. What follows the words that are asked for explains them, and is ignored. Lines and
/// columns are counted from 1.
class Reader {
 public:
  Reader(std::string name, const std::string& text);

  /// Goes to the next line; `meaning` says what should be there. at_end() says that there is none.
  void next_line(const std::string& meaning);
  bool at_end() const { return next_ == lines_.size(); }
  /// Whether no word of the line is left.
  bool at_line_end() const { return word_ == lines_[next_ - 1].words.size(); }

  std::string line() const;  ///< the whole line, without quotes around it
  bool begins_with_number() const;

  /// The next word of the line.
  std::string word(const std::string& meaning);
  Index whole(const std::string& meaning, Index least, Index most);
  double real(const std::string& meaning, double least, double most);
  /// How many whole numbers come next in the line.
  std::size_t whole_numbers_left() const;

  /// Throw errors about the word last read, and about the one that comes next.
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
  Number number(const char* kind, const std::string& meaning, Number least, Number most);
  static std::vector<Word> words_of(const std::string& text);
  const Word& take(const std::string& expected);
  [[noreturn]] void wrong(std::size_t word, const std::string& expected) const;

  std::string name_;
  std::size_t line_count_ = 0;
  std::vector<Line> lines_;
  std::size_t next_ = 0;  // line
  std::size_t word_ = 0;  // next one of line next_ - 1
};

}  // namespace cases
