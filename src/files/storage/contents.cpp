// SPDX-License-Identifier: BSD-3-Clause
#include "storage/contents.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "api/matrix_operation.hpp"
#include "file/error.hpp"
#include "storage/shared_failure.hpp"

namespace xredist::files {
namespace {

// Sizes of files are below this number of bytes, so that no offset overflows.
constexpr Index max_file_bytes = Index{1} << 62;

// Returns the sizes in a sentence: "3 x 4".
std::string shown(std::span<const Index> sizes) {
  std::string text;
  for (const Index n : sizes) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

// Throws InvalidArgument or FileFailure if the array ends beyond the largest file.
template <class Error>
void demand_size(const Contents& contents, const std::string& prefix, const char* noun) {
  Wide end = contents.element.bytes;
  for (const Index n : contents.sizes())
    if (end < max_file_bytes) end *= n;
  if (end + contents.offset >= max_file_bytes)
    throw Error(prefix + "the " + noun + " has " + shown(contents.sizes()) +
                " elements, which are more than 2^62 bytes");
}

void set_descr(Contents& contents, std::string_view descr) { descr.copy(contents.descr, sizeof contents.descr - 1); }

std::string shown(const Contents& contents) {
  return contents.descr[0] != 0 ? "'" + std::string(contents.descr) + "'"
                                : std::to_string(contents.element.bytes) + " bytes";
}

// Gives the contents as many axes as the subarray has. NumPy's vectors are matrices of one column.
void take_axes(Contents& contents, const Subarray& subarray, const std::string& shown) {
  if (!subarray.is_matrix && std::max(contents.dims, 1) != subarray.dims)
    throw FileFailure(Text() << shown << ": has an array with " << contents.dims << " dimensions, layout.dims is "
                             << subarray.dims);
  contents.dims = subarray.dims;
}

}  // namespace

Sizes Contents::in_order(const Sizes& of_axes) const {
  Sizes ordered{};
  for (int k = 0; k < dims; ++k) ordered[as_size(k)] = of_axes[as_size(in_order(k))];
  return ordered;
}

FilePlace Contents::place(const Sizes& first) const {
  FilePlace place{offset, dims, in_order(shape), in_order(first), element.bytes};
  for (Index& index : std::span(place.first).first(as_size(dims))) --index;
  return place;
}

Contents contents_of(const Subarray& subarray) {
  Contents contents{};
  contents.dims = subarray.dims, contents.shape = subarray.whole;
  contents.offset = subarray.offset;
  contents.order = subarray.order;
  const std::string name = subarray.is_matrix ? "rows, cols: " : "shape_in_file: ";
  const char letter = subarray.type_in_file != 0 ? subarray.type_in_file : subarray.type;
  contents.element = {letter, letter != 0 ? bytes_of(letter) : subarray.bytes};
  if (subarray.format == 'N') {
    const std::string descr = subarray.descr != nullptr ? subarray.descr : descr_of(letter, subarray.bytes);
    const auto described = element_of(descr);
    if (!described || described->bytes != contents.element.bytes || std::ssize(descr) >= std::ssize(contents.descr))
      throw InvalidArgument(Text() << "descr is '" << descr << "', must describe an element of "
                                   << contents.element.bytes << " bytes");
    set_descr(contents, descr);
    contents.offset = std::ssize(npy_header(descr, contents.order == 'F', contents.sizes()));
  }
  demand_size<InvalidArgument>(contents, name, subarray.noun());
  return contents;
}

Contents contents_in(const FileHandle& handle, const std::string& shown, int max_axes) try {
  const Index size = handle.size();
  std::string text(as_size(std::min(size, npy_prefix_bytes)), '\0');
  const auto read = [&] { handle.read(0, reinterpret_cast<std::byte*>(text.data()), std::ssize(text)); };
  read();
  text.resize(as_size(std::min(size, npy_header_bytes(text))));
  read();
  const NpyHeader header = parse_npy_header(text);
  if (std::ssize(header.shape) > max_axes) throw FileError(too_many_dimensions(std::ssize(header.shape), max_axes));
  const auto element = element_of(header.descr);
  if (!element) throw FileError("has elements of the type '" + header.descr.substr(0, 100) + "', which cannot be read");
  Contents contents{};
  contents.dims = static_cast<int>(header.shape.size());
  contents.shape.fill(1);
  std::ranges::copy(header.shape, contents.shape.begin());
  contents.offset = header.bytes;
  contents.order = header.fortran_order ? 'F' : 'C';
  contents.element = *element;
  set_descr(contents, header.descr);
  demand_size<FileFailure>(contents, shown + ": ", max_axes == 2 ? "matrix" : "array");
  return contents;
} catch (const FileError& error) {
  throw FileFailure(Text() << shown << ": " << error.what());
}

Letters conversion_for(const Contents& contents, const Subarray& subarray) {
  const std::string whole = std::string("the ") + subarray.noun() + " in the file, which has ";
  const std::vector<Named> first = subarray.named(&Subarray::first_in_file), count = subarray.named(&Subarray::shape);
  for (std::size_t k = 0; k < count.size(); ++k)
    demand(end_error(text_of(first[k].name), first[k].value, count[k].name, count[k].value, whole, contents.shape[k]));
  const auto refuse = [&](const std::string& rest) {
    throw InvalidArgument(Text() << shown_name(subarray.name) << " has elements of " << shown(contents) << ", "
                                 << rest);
  };
  if (subarray.type == 0) {
    if (contents.element.bytes != subarray.bytes) refuse("bytes is " + std::to_string(subarray.bytes));
    if (subarray.descr != nullptr && contents.descr[0] != 0 && !describe_same_elements(subarray.descr, contents.descr))
      refuse(std::string("descr is '") + subarray.descr + "'");
    return {0, 0};
  }
  const char letter = contents.element.letter;
  if (subarray.type_in_file != 0 && subarray.type_in_file != letter)
    refuse(std::string("type_in_file is '") + subarray.type_in_file + "'");
  if (letter == 0 || !convertible(*type_of(subarray.type), *type_of(letter)))
    refuse(std::string("which cannot be converted from or to type = '") + subarray.type + "'");
  return {subarray.type, letter};
}

Contents contents_found(const Subarray& subarray, bool grows) {
  const std::string shown = shown_name(subarray.name);
  regular_file(subarray.name);
  const FileHandle handle({{}, subarray.name}, FileHandle::Access::read, shown);
  const bool has_header = subarray.format == 'N';
  Contents contents =
      has_header ? contents_in(handle, shown, subarray.is_matrix ? 2 : max_dims) : contents_of(subarray);
  take_axes(contents, subarray, shown);
  conversion_for(contents, subarray);
  if (const Index bytes = handle.size(); bytes < contents.end() && (has_header || !grows))
    throw FileFailure(Text() << shown << ": has " << bytes << " bytes, the " << subarray.noun() << " ends at byte "
                             << contents.end());
  contents.stripe = handle.block_bytes();
  return contents;
}

}  // namespace xredist::files
