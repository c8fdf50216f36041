// SPDX-License-Identifier: BSD-3-Clause
// Files of matrices that array descriptors describe (blacs.h): the descriptor becomes a layout.
#include "blacs/context_files.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "file/npy.hpp"
#include "storage/files.hpp"
#include "storage/marks.hpp"
#include "storage/shared_failure.hpp"

namespace xredist::files {
namespace {

// Entries of an array descriptor.
enum Entry { m_ = 2, n_ = 3, lld_ = 8 };

using Work = void (*)(const PassedMatrix&, const xredist_file*, const Failure*);

// Checks that the submatrix ends within the matrix.
void check_end(const xredist_int* desc, const xredist_file& file) {
  const auto check = [&](const char* first_name, Index first, const char* count_name, Index count,
                         const char* size_name, Entry entry) {
    const std::string size = "desc, entry " + std::to_string(entry + 1) + " (" + size_name + ") = ";
    if (first >= 0) demand(end_error(first_name, std::max<Index>(first, 1), {count_name}, count, size, desc[entry]));
  };
  check("i", file.i, "m", file.m, "M_", m_);
  check("j", file.j, "n", file.n, "N_", n_);
}

void work_on_context(Work work, xredist_int ctxt, const xredist_int* desc, const xredist_partitions& partitions,
                     LocalArray local, const xredist_file* passed, const Failure* callers) {
  MPI_Comm comm = MPI_COMM_NULL;
  demand_success(xredist_comm_blacs(ctxt, &comm));
  std::vector<int> ranks = on_all(comm, [&] {
    if (callers != nullptr) throw *callers;
    return std::vector<int>(as_size(size_of(comm)));
  });
  xredist_layout layout{};
  demand_success(xredist_layout_blacs(ctxt, desc, &partitions, &layout, ranks.data()));
  ranks.resize(as_size(layout.nprow) * as_size(layout.npcol));
  xredist_file file{};
  std::string descr;
  const auto checked = attempt([&] {
    if (passed == nullptr) return;
    file = with_integers_of_c(*passed, descr);
    if (std::ranges::find(ranks, rank_in(comm)) == ranks.end()) return;
    local.ld = desc[lld_];
    check_end(desc, file);
  });
  work({comm, &layout, local}, passed != nullptr ? &file : nullptr, checked.failure());
}

}  // namespace

template <class File>
File with_integers_of_c(const File& file, std::string& descr) {
  File in_c = file;
  if (sizeof(xredist_int) == sizeof(std::int32_t) || (file.type != 'I' && file.type != 'i')) return in_c;
  if (file.bytes != 0 && file.bytes != sizeof(xredist_int))
    throw InvalidArgument(Text() << "bytes is " << file.bytes << ", must be 0 or 8 for type = 'I'");
  in_c.type = 0;
  in_c.bytes = sizeof(xredist_int);
  if (file.type_in_file == 'I' || file.type_in_file == 'i') in_c.type_in_file = 0;
  if (file.descr == nullptr) {
    descr = full_descr("i8");
    in_c.descr = descr.c_str();
  }
  return in_c;
}
template xredist_file with_integers_of_c(const xredist_file&, std::string&);
template xredist_array_file with_integers_of_c(const xredist_array_file&, std::string&);

void write_on_context(xredist_int ctxt, const xredist_int* desc, const xredist_partitions& partitions, void* a,
                      std::optional<Index> size, const xredist_file* file, const Failure* callers) {
  const InFunction function("xredist_write_blacs", file);
  work_on_context(write_matrix, ctxt, desc, partitions, {.data = a, .size = size}, file, callers);
}

void read_on_context(xredist_int ctxt, const xredist_int* desc, const xredist_partitions& partitions, void* b,
                     std::optional<Index> size, const xredist_file* file, const Failure* callers) {
  const InFunction function("xredist_read_blacs", file);
  work_on_context(read_matrix, ctxt, desc, partitions, {.data = b, .size = size}, file, callers);
}

}  // namespace xredist::files

using namespace xredist::files;

int xredist_write_blacs(xredist_int ctxt, const xredist_int* desc, const xredist_partitions* partitions, const void* a,
                        const xredist_file* file) {
  const xredist_partitions of = partitions != nullptr ? *partitions : xredist_partitions{};
  return coded([&] { write_on_context(ctxt, desc, of, const_cast<void*>(a), {}, file, nullptr); });
}

int xredist_read_blacs(xredist_int ctxt, const xredist_int* desc, const xredist_partitions* partitions, void* b,
                       const xredist_file* file) {
  xredist_partitions of = partitions != nullptr ? *partitions : xredist_partitions{};
  of.rows_a = of.rows_b, of.cols_a = of.cols_b;
  return coded([&] { read_on_context(ctxt, desc, of, b, {}, file, nullptr); });
}
