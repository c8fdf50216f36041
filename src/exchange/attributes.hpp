// SPDX-License-Identifier: BSD-3-Clause
// Objects that live with a communicator: they are destroyed when it is freed, or when MPI is finalized.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "exchange/reentrant_mutex.hpp"

namespace xredist::core {

/// The objects that this process has attached to communicators.
class Attributes {
 public:
  /// `mutex`: locked while MPI detaches an object, but not while the object is destroyed.
  explicit Attributes(ReentrantMutex& mutex);
  /// Destroys all objects that are still attached, the last one first: in the same order on all processes of a
  /// communicator.
  ~Attributes();
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  /// Returns the Object attached to comm, or nullptr. Allocates nothing.
  template <class Object>
  Object* find(MPI_Comm comm) const {
    void* object = nullptr;
    int found = 0;
    if (keyval<Object> != MPI_KEYVAL_INVALID) MPI_Comm_get_attr(comm, keyval<Object>, &object, &found);
    return found ? static_cast<Object*>(object) : nullptr;
  }

  /// Reserves memory, also for objects that other threads are about to attach, so that attach() allocates nothing.
  template <class Object>
  void reserve() {
    if (carriers_.capacity() < carriers_.size() + max_at_once) carriers_.reserve(2 * carriers_.size() + max_at_once);
    if (keyval<Object> == MPI_KEYVAL_INVALID)
      keyval<Object> = make_keyval([](void* object) { delete static_cast<Object*>(object); });
  }

  /// Attaches `object` to comm, which must not carry one of the same type. Local.
  template <class Object>
  Object& attach(MPI_Comm comm, std::unique_ptr<Object> object) {
    reserve<Object>();
    carriers_.push_back({comm, keyval<Object>});
    MPI_Comm_set_attr(comm, keyval<Object>, object.get());
    return *object.release();
  }

 private:
  struct Carrier {
    MPI_Comm comm;
    int keyval;
    friend bool operator==(const Carrier&, const Carrier&) = default;
  };

  template <class Object>
  static inline int keyval = MPI_KEYVAL_INVALID;
  static constexpr std::size_t max_at_once = 64;
  using Dispose = void (*)(void* object);
  struct Kind;
  int make_keyval(Dispose dispose);
  static int deleted(MPI_Comm comm, int keyval, void* object, void* kind);

  ReentrantMutex& mutex_;
  std::vector<std::unique_ptr<Kind>> kinds_;
  std::vector<Carrier> carriers_;
};

}  // namespace xredist::core
