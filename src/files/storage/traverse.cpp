// SPDX-License-Identifier: BSD-3-Clause
// Each panel of the file is a matrix of its own, in slabs on a grid of 1 x W (or W x 1) writers. A plan redistributes a
// panel between the slabs and the layout of the program; then each writer writes its slab, whose bytes are contiguous
// in the file. Before an exchange begins, all processes know that all have their plan, their memory and, to be sent,
// the bytes of the file: none waits for a process that has failed.
#include "storage/traverse.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "file/npy.hpp"
#include "storage/failure.hpp"

namespace xredist::files {
namespace {

// A dimension of the distributed matrix.
struct Dimension {
  bool partitioned;
  Index block, procs;

  // Returns the number of elements after which the distribution repeats itself; 0: it does not.
  Index period() const {
    Index length = 0;
    return partitioned || __builtin_mul_overflow(block, procs, &length) ? 0 : length;
  }
};

Dimension rows_of(const xredist_layout& x) { return {x.rows != nullptr, x.mb, x.nprow}; }
Dimension cols_of(const xredist_layout& x) { return {x.cols != nullptr, x.nb, x.npcol}; }

// The first row (column) of a panel in the distributed matrix: whole periods are skipped in the local arrays, so that
// panels that begin at the same place of a period have the same plan.
struct Start {
  Index first;    // from 1, after the skipped rows
  Index skipped;  // local rows

  Start(const Dimension& dimension, Index index) : first(index), skipped(0) {
    if (const Index period = dimension.period(); period > 0) {
      first = (index - 1) % period + 1;
      skipped = (index - 1) / period * dimension.block;
    }
  }
};

// What a plan depends on, apart from what is the same for all panels.
struct PlanKey {
  Index first_row, first_col, height, width;
  std::array<Index, max_writers + 1> bounds;

  friend bool operator==(const PlanKey&, const PlanKey&) = default;
};

class Traverse {
 public:
  Traverse(Direction direction, const DistributedMatrix& matrix, const xredist_file& file, const Contents& contents,
           Index buffer)
      : direction_(direction),
        matrix_(matrix),
        file_(file),
        transposed_(contents.order == 'C'),
        letters_(fitting(contents, file)),
        place_(contents.place(file.row, file.col)),
        half_(buffer / 2),
        plan_options_("buffer=" + std::to_string(half_)),
        panels_(place_, transposed_ ? file.n : file.m, transposed_ ? file.m : file.n, limits(contents)) {
    for (Index k = 0; k < panels_.writers(); ++k) {
      ranks_.push_back(static_cast<int>(k * size_of(matrix_.comm) / panels_.writers()));
      if (ranks_.back() == rank_in(matrix_.comm)) slab_number_ = k;
    }
  }

  void run(const FilePath& path) {
    std::optional<FileHandle> handle;
    on_all(matrix_.comm, [&] {
      if (!slab_number_) return;
      const auto access = direction_ == Direction::write ? FileHandle::Access::update : FileHandle::Access::read;
      handle.emplace(path, access, shown_name(file_.name));
      slab_.reset(new std::byte[as_size(panels_.slab_elements() * place_.bytes)]);
    });
    Index done = 0;
    for (Index k = 0; k < panels_.count(); ++k) {
      const Panel panel = panels_[k];
      move(panel, handle ? &*handle : nullptr);
      done += panel.rows.length() * panel.cols.length() * place_.bytes;
      if (file_.progress != nullptr) file_.progress(done, file_.m * file_.n * place_.bytes, file_.progress_context);
    }
    on_all(matrix_.comm, [&] {
      if (handle) handle->close();
    });
  }

 private:
  struct Destroy {
    void operator()(xredist_plan* plan) const { xredist_plan_destroy(plan); }
  };

  PanelLimits limits(const Contents& contents) const {
    const Index rows = rows_of(*matrix_.layout).period(), cols = cols_of(*matrix_.layout).period();
    return {size_of(matrix_.comm), half_, transposed_ ? cols : rows, transposed_ ? rows : cols, contents.stripe};
  }

  void move(const Panel& panel, FileHandle* handle) {
    const Index i = transposed_ ? panel.cols.begin : panel.rows.begin;
    const Index j = transposed_ ? panel.rows.begin : panel.cols.begin;
    const Start row(rows_of(*matrix_.layout), file_.i + i), col(cols_of(*matrix_.layout), file_.j + j);
    const PlanKey key{row.first, col.first, panel.rows.length(), panel.cols.length(), panel.bounds};
    if (key_ != key) {
      plan_.reset();
      on_all(matrix_.comm, [&] { make_plan(panel, key); });
      key_ = key;
    }
    if (direction_ == Direction::read) on_all(matrix_.comm, [&] { access_slab(panel, handle); });
    on_all(matrix_.comm, [&] {
      execute(panel, row.skipped, col.skipped);
      if (direction_ == Direction::write) access_slab(panel, handle);
    });
  }

  void make_plan(const Panel& panel, const PlanKey& key) {
    const xredist_partition slabs{panels_.writers(), panel.bounds.data(), nullptr};
    const int writers = static_cast<int>(panels_.writers());
    xredist_layout of_file{};
    of_file.nprow = panel.cuts_rows ? writers : 1;
    of_file.npcol = panel.cuts_rows ? 1 : writers;
    of_file.mb = of_file.nb = max_elements;
    of_file.ranks = ranks_.data();
    (panel.cuts_rows ? of_file.rows : of_file.cols) = &slabs;
    xredist_operation operation{};
    operation.trans = transposed_ ? 'T' : 'N';
    if (letters_.memory == 0) operation.bytes = file_.bytes;
    operation.m = key.height, operation.n = key.width;
    operation.options = plan_options_.c_str();
    const xredist_layout *a = matrix_.layout, *b = &of_file;
    if (direction_ == Direction::write) {
      operation.ia = key.first_row, operation.ja = key.first_col;
      operation.type = letters_.memory, operation.type_b = letters_.in_file;
    } else {
      std::swap(a, b);
      if (transposed_) std::swap(operation.m, operation.n);
      operation.ib = key.first_row, operation.jb = key.first_col;
      operation.type = letters_.in_file, operation.type_b = letters_.memory;
    }
    xredist_plan* made = nullptr;
    demand_success(xredist_plan_create(matrix_.comm, a, b, &operation, &made));
    plan_.reset(made);
  }

  // Exchanges the panel.
  void execute(const Panel& panel, Index skipped_rows, Index skipped_cols) const {
    const Index bytes = letters_.memory != 0 ? bytes_of(letters_.memory) : file_.bytes;
    std::byte* local = static_cast<std::byte*>(matrix_.array.data);
    if (local != nullptr) local += (skipped_rows + skipped_cols * matrix_.array.ld) * bytes;
    const Index slab_ld = slab_number_ ? panel.slab_rows(*slab_number_).length() : 0;
    xredist_job job{};
    job.plan = plan_.get();
    if (direction_ == Direction::write)
      job.a = local, job.lda = matrix_.array.ld, job.b = slab_.get(), job.ldb = slab_ld;
    else
      job.a = slab_.get(), job.lda = slab_ld, job.b = local, job.ldb = matrix_.array.ld;
    demand_success(xredist_execute(&job));
  }

  // Writes this process's slab, or reads it.
  void access_slab(const Panel& panel, FileHandle* handle) const {
    if (handle == nullptr) return;
    for (const auto& [offset, local, bytes] :
         extents_of(place_, panel.slab_rows(*slab_number_), panel.slab_cols(*slab_number_))) {
      if (direction_ == Direction::write)
        handle->write(offset, slab_.get() + local, bytes);
      else
        handle->read(offset, slab_.get() + local, bytes);
    }
  }

  Direction direction_;
  DistributedMatrix matrix_;
  xredist_file file_;
  bool transposed_;  // columns of the file are rows of the distributed matrix
  Letters letters_;
  FilePlace place_;
  Index half_;                // of the option "buffer": plans have one half for packets, slabs the other one
  std::string plan_options_;  // for plans
  Panels panels_;
  std::vector<int> ranks_;            // of the writers
  std::optional<Index> slab_number_;  // of this process, if it is a writer
  std::unique_ptr<std::byte[]> slab_;
  std::optional<PlanKey> key_;  // of plan_
  std::unique_ptr<xredist_plan, Destroy> plan_;
};

}  // namespace

void traverse(Direction direction, const DistributedMatrix& matrix, const xredist_file& file, const Contents& contents,
              const FilePath& path, Index buffer) {
  const auto whole = on_all(matrix.comm, [&] {
    return std::make_unique<Traverse>(direction, with_leading_dimension(matrix, file), file, contents, buffer);
  });
  whole->run(path);
}

}  // namespace xredist::files
