#include "reader.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

namespace drivers {
namespace {

bool separates(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ','; }
bool quotes(char c) { return c == '\'' || c == '"'; }

template <class Number>
bool parsed(const std::string& text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

std::string number_text(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

Reader::Reader(std::string name, const std::string& text) : name_(std::move(name)) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    ++line_count_;
    std::vector<Word> words = words_of(line);
    if (!words.empty() && !words[0].text.starts_with('#'))
      lines_.push_back({line_count_, std::move(line), std::move(words)});
  }
}

std::vector<Reader::Word> Reader::words_of(const std::string& text) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    if (separates(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    // A quote that nobody closes is an apostrophe.
    const std::size_t close = quotes(text[at]) ? text.find(text[at], at + 1) : std::string::npos;
    if (close != std::string::npos) {
      words.push_back({text.substr(begin + 1, close - begin - 1), begin + 1});
      at = close + 1;
    } else {
      while (at < text.size() && !separates(text[at])) ++at;
      words.push_back({text.substr(begin, at - begin), begin + 1});
    }
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
  if (quotes(current.text[current.words[0].column - 1])) return current.words[0].text;
  const std::string& text = current.text;
  return text.substr(current.words[0].column - 1, text.find_last_not_of(" \t\r") + 2 - current.words[0].column);
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

Index Reader::whole(const std::string& meaning, Index least, Index most) {
  const std::string expected =
      "a whole number from " + std::to_string(least) + " to " + std::to_string(most) + " (" + meaning + ")";
  Index value = 0;
  if (!parsed(take(expected).text, value) || value < least || value > most) wrong_last(expected);
  return value;
}

double Reader::real(const std::string& meaning, double least, double most) {
  const std::string expected =
      "a number from " + number_text(least) + " to " + number_text(most) + " (" + meaning + ")";
  double value = 0;
  if (!parsed(take(expected).text, value) || !(value >= least && value <= most)) wrong_last(expected);
  return value;
}

std::size_t Reader::whole_numbers_left() const {
  const std::vector<Word>& words = lines_[next_ - 1].words;
  Index value = 0;
  const auto from = words.begin() + static_cast<std::ptrdiff_t>(word_);
  return static_cast<std::size_t>(
      std::find_if(from, words.end(), [&](const Word& word) { return !parsed(word.text, value); }) - from);
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

}  // namespace drivers
