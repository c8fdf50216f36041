// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/reader.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <regex>
#include <sstream>
#include <utility>

namespace cases {
namespace {

template <class Number>
bool parsed(const std::string& text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

}  // namespace

std::string text_of_file(const std::string& file) {
  std::ifstream in(file);
  in.peek();  // fails for a folder, which can be opened but not read
  if (!in && !in.eof()) throw InputError("cannot read " + file);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  return text.str();
}

Reader::Reader(std::string name, const std::string& text) : name_(std::move(name)) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    ++line_count_;
    std::vector<Word> words = words_of(line);
    if (!words.empty() && !words[0].text.starts_with('#'))
      lines_.push_back({line_count_, std::move(line), std::move(words)});
  }
}

// A word in quotes may contain anything; an unpaired single quote is an apostrophe.
std::vector<Reader::Word> Reader::words_of(const std::string& text) {
  static const std::regex form("'([^']*)'|\"([^\"]*)\"|[^ \\t\\r,]+");
  std::vector<Word> words;
  for (std::sregex_iterator found(text.begin(), text.end(), form), end; found != end; ++found) {
    const std::size_t part = (*found)[1].matched ? 1 : (*found)[2].matched ? 2 : 0;
    words.push_back({(*found)[part], as_size(found->position()) + 1});
  }
  return words;
}

void Reader::next_line(const std::string& meaning) {
  if (at_end())
    throw InputError(name_ + ":" + std::to_string(line_count_ + 1) + ":1: expected " + meaning +
                     ", found the end of the file");
  ++next_;
  word_ = 0;
}

std::string Reader::line() const {
  const Line& current = lines_[next_ - 1];
  const std::string& text = current.text;
  const std::size_t begin = current.words[0].column - 1;
  if (text[begin] == '\'' || text[begin] == '"') return current.words[0].text;
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

bool Reader::begins_with_number() const {
  Index value = 0;
  return parsed(lines_[next_ - 1].words[0].text, value);
}

const Reader::Word& Reader::take(const std::string& expected) {
  const Line& current = lines_[next_ - 1];
  if (word_ == current.words.size()) wrong(word_, expected);
  return current.words[word_++];
}

std::string Reader::word(const std::string& meaning) { return take(meaning).text; }

template <class Number>
Number Reader::number(const char* kind, const std::string& meaning, Number min, Number max) {
  std::ostringstream expected;
  expected << kind << " from " << min << " to " << max << " (" << meaning << ")";
  Number value{};
  if (!parsed(take(expected.str()).text, value) || !(value >= min && value <= max)) wrong_last(expected.str());
  return value;
}

Index Reader::whole(const std::string& meaning, Index min, Index max) {
  return number("a whole number", meaning, min, max);
}
double Reader::real(const std::string& meaning, double min, double max) {
  return number("a number", meaning, min, max);
}

std::size_t Reader::whole_numbers_left() const {
  const std::vector<Word>& words = lines_[next_ - 1].words;
  Index value = 0;
  const auto from = words.begin() + static_cast<std::ptrdiff_t>(word_);
  return as_size(std::find_if(from, words.end(), [&](const Word& word) { return !parsed(word.text, value); }) - from);
}

void Reader::wrong_last(const std::string& expected) const { wrong(word_ - 1, expected); }
void Reader::wrong_next(const std::string& expected) const { wrong(word_, expected); }

void Reader::wrong(std::size_t word, const std::string& expected) const {
  const Line& current = lines_[next_ - 1];
  const bool there = word < current.words.size();
  const std::size_t column = there ? current.words[word].column : current.text.size() + 1;
  std::string found = "the end of the line";
  if (there) found.assign("'").append(current.words[word].text).append("'");
  throw InputError(name_ + ":" + std::to_string(current.number) + ":" + std::to_string(column) + ": expected " +
                   expected + ", found " + found);
}

}  // namespace cases
