// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/attributes.hpp"

#ifdef __linux__
#include <dlfcn.h>
#include <link.h>
#endif

namespace xredist::core {
namespace {

#ifdef __linux__
// Returns whether the file that holds this code is a program (only programs have DT_DEBUG) or a library that was linked
// with -z nodelete.
bool stays_anyway() {
  for (const ElfW(Dyn)* entry = _DYNAMIC; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_DEBUG || (entry->d_tag == DT_FLAGS_1 && (entry->d_un.d_val & DF_1_NODELETE) != 0))
      return true;
  return false;
}
#endif

// Keeps the library in memory, because MPI calls its functions until MPI is finalized, even if a program closes a
// plug-in that contains the library. (The shared library is linked to stay, and skips this: dlopen takes as many
// instructions as the rest of a small first call.)
void stay_loaded() {
#ifdef __linux__
  if (stays_anyway()) return;
  static const char here = 0;
  Dl_info library;
  if (dladdr(&here, &library) != 0 && library.dli_fname != nullptr)
    dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
#endif
}

}  // namespace

// The type of objects that a keyval stands for.
struct Attributes::Kind {
  Attributes* attributes;
  Dispose dispose;
  int keyval = MPI_KEYVAL_INVALID;
};

Attributes::Attributes(ReentrantMutex& mutex) : mutex_(mutex) { stay_loaded(); }

Attributes::~Attributes() {
  while (!carriers_.empty()) {
    const Carrier last = carriers_.back();
    MPI_Comm_delete_attr(last.comm, last.keyval);
  }
  for (const auto& kind : kinds_) MPI_Comm_free_keyval(&kind->keyval);
}

int Attributes::make_keyval(Dispose dispose) {
  Kind& kind = *kinds_.emplace_back(std::make_unique<Kind>(Kind{this, dispose}));
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &kind.keyval, &kind);
  return kind.keyval;
}

// Unlocks before the object is destroyed: its destructor locks if it has to.
int Attributes::deleted(MPI_Comm comm, int keyval, void* object, void* kind) {
  const Kind& of = *static_cast<Kind*>(kind);
  const Dispose dispose = of.dispose;
  {
    const std::scoped_lock lock(of.attributes->mutex_);
    std::erase(of.attributes->carriers_, Carrier{comm, keyval});
  }
  dispose(object);
  return MPI_SUCCESS;
}

}  // namespace xredist::core
