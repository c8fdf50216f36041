// Objects that live with a communicator: freed when it is, or when MPI is finalized.
#pragma once

#include <mpi.h>

#include <memory>
#include <utility>

namespace xredist {

/// Remembers that `comm` carries an object under `keyval`, so that MPI_Finalize frees what was
/// attached to communicators that nobody frees (in the order of attaching, which is the same on
/// all processes of a communicator).
void free_at_finalize(MPI_Comm comm, int keyval);
void freed_before_finalize(MPI_Comm comm, int keyval);

/// A keyval that lasts until MPI_Finalize.
int make_keyval(MPI_Comm_delete_attr_function* free_object);

template <class Object>
int keyval_of() {
  static const int keyval = make_keyval([](MPI_Comm comm, int key, void* object, void*) -> int {
    freed_before_finalize(comm, key);
    delete static_cast<Object*>(object);
    return MPI_SUCCESS;
  });
  return keyval;
}

/// The Object attached to comm, or nullptr.
template <class Object>
Object* attached(MPI_Comm comm) {
  void* object = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, keyval_of<Object>(), &object, &found);
  return found ? static_cast<Object*>(object) : nullptr;
}

/// Gives `object` to comm, which must carry none of its kind. Local.
template <class Object>
Object& attach(MPI_Comm comm, std::unique_ptr<Object> object) {
  Object& result = *object;
  MPI_Comm_set_attr(comm, keyval_of<Object>(), object.release());
  free_at_finalize(comm, keyval_of<Object>());
  return result;
}

}  // namespace xredist
