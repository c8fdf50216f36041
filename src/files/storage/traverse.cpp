// SPDX-License-Identifier: BSD-3-Clause
// Each panel of the file is an array of its own, in slabs on a grid of writers. A plan redistributes a panel between
// the slabs and the layout of the program; then each writer writes its slab, whose bytes are contiguous in the file.
// Before an exchange begins, all processes know that all have their plan, their memory and, to be sent, the bytes of
// the file: none waits for a process that has failed.
#include "storage/traverse.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exchange/communicator.hpp"
#include "file/npy.hpp"
#include "storage/left_part.hpp"
#include "storage/shared_failure.hpp"

namespace xredist::files {
namespace {

// The first element of a panel in the distributed array: whole periods are skipped in the local arrays, so that panels
// that begin at the same place of a period have the same plan.
struct Start {
  Sizes first{};      // from 1, after the skipped elements
  Index skipped = 0;  // elements of the local array

  // `first`: of the subarray, from 1. `begin`: of the panel in the subarray, from 0.
  Start(const DistributedArray& array, const Sizes& of_subarray, const Sizes& begin) {
    for (int k = 0; k < array.layout().dims; ++k) {
      const auto axis = as_size(k);
      first[axis] = of_subarray[axis] + begin[axis];
      if (const Index period = array.period(k); period > 0) {
        skipped += (first[axis] - 1) / period * array.block(k) * array.strides[axis];
        first[axis] = (first[axis] - 1) % period + 1;
      }
    }
  }
};

// What a plan depends on, apart from what is the same for all panels.
struct PlanKey {
  Sizes first, shape;
  std::array<Index, max_writers + 1> bounds;

  friend bool operator==(const PlanKey&, const PlanKey&) = default;
};

class Traverse {
 public:
  Traverse(Direction direction, const Call& call, const Contents& contents, Index buffer)
      : direction_(direction),
        array_(*call.array),
        subarray_(call.subarray),
        contents_(contents),
        letters_(conversion_for(contents, call.subarray)),
        place_(contents.place(call.subarray.first_in_file)),
        half_(buffer / 2),
        plan_options_("buffer=" + std::to_string(half_)),
        panels_(place_, contents.in_order(call.subarray.shape), limits()) {
    const MPI_Comm comm = array_.comm();
    for (Index k = 0; k < panels_.writers(); ++k) {
      ranks_.push_back(static_cast<int>(k * size_of(comm) / panels_.writers()));
      if (ranks_.back() == rank_in(comm)) slab_number_ = k;
    }
  }

  void run(const FilePath& path) {
    std::optional<FileHandle> handle;
    on_all(array_.comm(), [&] {
      if (direction_ == Direction::write && subarray_.consumes) left_.emplace(array_, subarray_, bytes_in_memory());
      if (!slab_number_) return;
      const auto access = direction_ == Direction::write ? FileHandle::Access::update : FileHandle::Access::read;
      handle.emplace(path, access, shown_name(subarray_.name));
      slab_.reset(new std::byte[as_size(panels_.slab_elements() * place_.bytes)]);
    });
    const Index all = elements_of({subarray_.shape.data(), as_size(subarray_.dims)}) * place_.bytes;
    Index done = 0;
    for (Index k = 0; k < panels_.count(); ++k) {
      const Panel panel = panels_[k];
      const Sizes shape = in_axes(panel, &Interval::length);
      move(panel, shape, handle ? &*handle : nullptr);
      done += elements_of({shape.data(), as_size(subarray_.dims)}) * place_.bytes;
      if (subarray_.progress != nullptr) subarray_.progress(done, all, subarray_.progress_context);
    }
    on_all(array_.comm(), [&] {
      if (handle) handle->close();
    });
  }

 private:
  struct Destroy {
    void operator()(xredist_plan* plan) const { xredist_plan_destroy(plan); }
  };

  PanelLimits limits() const {
    Sizes periods{};
    for (int k = 0; k < contents_.dims; ++k) periods[as_size(k)] = array_.period(k);
    return {size_of(array_.comm()), half_, contents_.in_order(periods), contents_.stripe};
  }

  // Returns a number for each interval of the panel, by axes of the array.
  template <class Number>
  Sizes in_axes(const Panel& panel, Number number) const {
    Sizes numbers{};
    for (int k = 0; k < panel.dims; ++k)
      numbers[as_size(contents_.in_order(k))] = std::invoke(number, panel.box[as_size(k)]);
    return numbers;
  }

  void move(const Panel& panel, const Sizes& shape, FileHandle* handle) {
    const MPI_Comm comm = array_.comm();
    const Start start(array_, subarray_.first, in_axes(panel, &Interval::begin));
    const PlanKey key{start.first, shape, panel.bounds};
    if (key_ != key) {
      plan_.reset();
      on_all(comm, [&] { make_plan(panel, key); });
      key_ = key;
    }
    if (direction_ == Direction::read) on_all(comm, [&] { access_slab(panel, handle); });
    on_all(comm, [&] {
      execute(start.skipped);
      if (left_) left_->leave(in_axes(panel, &Interval::begin), shape);
      if (direction_ == Direction::write) access_slab(panel, handle);
    });
  }

  // Allocates nothing before the plan is made: the other processes would wait there.
  void make_plan(const Panel& panel, const PlanKey& key) {
    const xredist_partition cuts{panel.cuts, panel.bounds.data(), nullptr, nullptr};
    std::array<xredist_axis, max_dims> axes{};
    std::array<int, max_dims> order{};
    for (int k = 0; k < panel.dims; ++k) {
      const int axis = order[as_size(k)] = contents_.in_order(k);
      if (k < panel.cut) continue;
      xredist_axis& of_file = axes[as_size(axis)];
      if (k == panel.cut)
        of_file.procs = static_cast<int>(panel.cuts), of_file.partition = &cuts;
      else
        of_file.procs = static_cast<int>(panel.box[as_size(k)].length()), of_file.block = 1;
    }
    const std::array<int, max_writers> ranks = ranks_of_grid(panel, axes);
    xredist_array_layout of_file{};
    of_file.dims = panel.dims;
    of_file.axes = axes.data(), of_file.order = order.data(), of_file.ranks = ranks.data();
    xredist_array_operation operation{};
    if (letters_.memory == 0) operation.bytes = subarray_.bytes;
    operation.shape = key.shape.data();
    operation.options = plan_options_.c_str();
    const xredist_array_layout *a = &array_.layout(), *b = &of_file;
    if (direction_ == Direction::write) {
      operation.first_a = key.first.data();
      operation.type = letters_.memory, operation.type_b = letters_.in_file;
    } else {
      std::swap(a, b);
      operation.first_b = key.first.data();
      operation.type = letters_.in_file, operation.type_b = letters_.memory;
    }
    xredist_plan* made = nullptr;
    demand_success(xredist_array_plan_create(array_.comm(), a, b, &operation, &made));
    plan_.reset(made);
  }

  // Returns the ranks of the grid of writers, its last axis the fastest. Slabs are numbered in the order of the file.
  std::array<int, max_writers> ranks_of_grid(const Panel& panel, const std::array<xredist_axis, max_dims>& axes) const {
    std::array<int, max_writers> ranks{};
    for (Index position = 0; position < panel.slabs(); ++position) {
      Sizes coordinates{};
      Index rest = position;
      for (int axis = panel.dims; axis-- > 0;) {
        const Index procs = std::max(axes[as_size(axis)].procs, 1);
        coordinates[as_size(axis)] = rest % procs;
        rest /= procs;
      }
      Index slab = 0;
      for (int k = panel.dims; k-- > 0;) {
        const auto axis = as_size(contents_.in_order(k));
        slab = slab * std::max(axes[axis].procs, 1) + coordinates[axis];
      }
      ranks[as_size(position)] = ranks_[as_size(slab)];
    }
    return ranks;
  }

  Index bytes_in_memory() const { return letters_.memory != 0 ? bytes_of(letters_.memory) : subarray_.bytes; }

  // Exchanges the panel.
  void execute(Index skipped) const {
    const Index bytes = bytes_in_memory();
    std::byte* local = static_cast<std::byte*>(array_.data);
    if (local != nullptr) local += skipped * bytes;
    xredist_job job{};
    job.plan = plan_.get();
    if (direction_ == Direction::write)
      job.a = local, job.strides_a = array_.strides.data(), job.b = slab_.get();
    else
      job.a = slab_.get(), job.b = local, job.strides_b = array_.strides.data();
    demand_success(xredist_execute(&job));
  }

  // Writes this process's slab, or reads it.
  void access_slab(const Panel& panel, FileHandle* handle) const {
    if (handle == nullptr || *slab_number_ >= panel.slabs()) return;
    const Extents extents(place_, panel.slab(*slab_number_));
    for (Index k = 0; k < extents.count(); ++k) {
      const auto [offset, local, bytes] = extents[k];
      if (direction_ == Direction::write)
        handle->write(offset, slab_.get() + local, bytes);
      else
        handle->read(offset, slab_.get() + local, bytes);
    }
  }

  Direction direction_;
  const DistributedArray& array_;
  const Subarray& subarray_;
  const Contents& contents_;
  Letters letters_;
  FilePlace place_;
  Index half_;                // of the option "buffer": plans have one half for packets, slabs the other one
  std::string plan_options_;  // for plans
  Panels panels_;
  std::vector<int> ranks_;            // of the writers
  std::optional<Index> slab_number_;  // of this process, if it is a writer
  std::unique_ptr<std::byte[]> slab_;
  std::optional<LeftPart> left_;  // of the array, if it is consumed
  std::optional<PlanKey> key_;    // of plan_
  std::unique_ptr<xredist_plan, Destroy> plan_;
};

}  // namespace

void traverse(Direction direction, const Call& call, const Contents& contents, const FilePath& path, Index buffer) {
  const auto whole =
      on_all(call.array->comm(), [&] { return std::make_unique<Traverse>(direction, call, contents, buffer); });
  whole->run(path);
}

}  // namespace xredist::files
