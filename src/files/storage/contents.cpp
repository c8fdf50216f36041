// SPDX-License-Identifier: BSD-3-Clause
#include "storage/contents.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "file/error.hpp"
#include "storage/failure.hpp"
#include "storage/matrix.hpp"

namespace xredist::files {
namespace {

// Sizes of files are below this number of bytes, so that no offset overflows.
constexpr Index max_file_bytes = Index{1} << 62;

// Throws InvalidArgument or FileError if the matrix ends beyond the largest file.
template <class Error>
void demand_size(const Contents& contents, const std::string& prefix) {
  if (Wide{contents.rows} * contents.cols * contents.element.bytes + contents.offset >= max_file_bytes)
    throw Error(prefix + "the matrix has " + std::to_string(contents.rows) + " x " + std::to_string(contents.cols) +
                " elements, which are more than 2^62 bytes");
}

void set_descr(Contents& contents, std::string_view descr) { descr.copy(contents.descr, sizeof contents.descr - 1); }

// Returns whether plans convert elements of one type to those of the other, in both directions.
bool convertible(char letter, char other) {
  constexpr std::string_view pairs[] = {"DI", "IZ", "DS", "CS", "SZ", "DZ", "CZ"};
  const std::string pair{std::min(letter, other), std::max(letter, other)};
  return letter == other || std::ranges::find(pairs, pair) != std::end(pairs);
}

std::string shown(const Contents& contents) {
  return contents.descr[0] != 0 ? "'" + std::string(contents.descr) + "'"
                                : std::to_string(contents.element.bytes) + " bytes";
}

}  // namespace

Contents contents_of(const xredist_file& file) {
  Contents contents{};
  contents.rows = file.rows, contents.cols = file.cols;
  contents.offset = file.offset;
  contents.order = file.order;
  const char letter = file.type_in_file != 0 ? file.type_in_file : file.type;
  contents.element = {letter, letter != 0 ? bytes_of(letter) : file.bytes};
  if (file.format == 'N') {
    const std::string descr = file.descr != nullptr ? file.descr : descr_of(letter, file.bytes);
    const auto described = element_of(descr);
    if (!described || described->bytes != contents.element.bytes || std::ssize(descr) >= std::ssize(contents.descr))
      throw InvalidArgument("descr is '" + descr + "', must describe an element of " +
                            std::to_string(contents.element.bytes) + " bytes");
    set_descr(contents, descr);
    contents.offset = std::ssize(npy_header(descr, contents.order == 'F', contents.rows, contents.cols));
  }
  demand_size<InvalidArgument>(contents, "rows, cols: ");
  return contents;
}

Contents contents_in(const FileHandle& handle, const std::string& shown) try {
  const Index size = handle.size();
  std::string text(as_size(std::min(size, npy_prefix_bytes)), '\0');
  const auto read = [&] { handle.read(0, reinterpret_cast<std::byte*>(text.data()), std::ssize(text)); };
  read();
  text.resize(as_size(std::min(size, npy_header_bytes(text))));
  read();
  const NpyHeader header = parse_npy_header(text);
  const auto element = element_of(header.descr);
  if (!element) throw FileError("has elements of the type '" + header.descr.substr(0, 100) + "', which cannot be read");
  Contents contents{};
  contents.rows = header.rows, contents.cols = header.cols;
  contents.offset = header.bytes;
  contents.order = header.fortran_order ? 'F' : 'C';
  contents.element = *element;
  set_descr(contents, header.descr);
  demand_size<FileError>(contents, "");
  return contents;
} catch (const FileError& error) {
  const std::string_view sentence = error.what();
  throw FileError(sentence.starts_with(shown) ? std::string(sentence) : shown + ": " + std::string(sentence));
}

Letters fitting(const Contents& contents, const xredist_file& file) {
  constexpr std::string_view whole = "the matrix in the file, which has ";
  demand_end("row", file.row, "m", file.m, whole, contents.rows);
  demand_end("col", file.col, "n", file.n, whole, contents.cols);
  const auto refuse = [&](const std::string& rest) {
    throw InvalidArgument(shown_name(file.name) + " has elements of " + shown(contents) + ", " + rest);
  };
  if (file.type == 0) {
    if (contents.element.bytes != file.bytes) refuse("bytes is " + std::to_string(file.bytes));
    if (file.descr != nullptr && contents.descr[0] != 0 && !describe_same_elements(file.descr, contents.descr))
      refuse(std::string("descr is '") + file.descr + "'");
    return {0, 0};
  }
  const char letter = contents.element.letter;
  if (file.type_in_file != 0 && file.type_in_file != letter)
    refuse(std::string("type_in_file is '") + file.type_in_file + "'");
  if (letter == 0 || !convertible(file.type, letter))
    refuse(std::string("which cannot be converted from or to type = '") + file.type + "'");
  return {file.type, letter};
}

Contents contents_found(const xredist_file& file, bool grows) {
  const std::string shown = shown_name(file.name);
  regular_file(file.name);
  const FileHandle handle({{}, file.name}, FileHandle::Access::read, shown);
  const bool has_header = file.format == 'N';
  Contents contents = has_header ? contents_in(handle, shown) : contents_of(file);
  fitting(contents, file);
  if (const Index bytes = handle.size(); bytes < contents.end() && (has_header || !grows))
    throw FileError(shown + ": has " + std::to_string(bytes) + " bytes, the matrix ends at byte " +
                    std::to_string(contents.end()));
  contents.stripe = handle.block_bytes();
  return contents;
}

}  // namespace xredist::files
