#include "exchange/attribute.hpp"

#include <algorithm>
#include <vector>

namespace xredist {
namespace {

struct Carrier {
  MPI_Comm comm;
  int keyval;
  friend bool operator==(const Carrier&, const Carrier&) = default;
};

struct Registry {
  std::vector<Carrier> carriers;
  std::vector<int> keyvals;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

// MPI_Finalize first deletes the attributes of MPI_COMM_SELF: the last moment at which MPI works.
int at_finalize(MPI_Comm, int hook, void*, void*) {
  Registry& all = registry();
  while (!all.carriers.empty()) {
    const Carrier carrier = all.carriers.front();
    MPI_Comm_delete_attr(carrier.comm, carrier.keyval);
  }
  for (int keyval : all.keyvals) MPI_Comm_free_keyval(&keyval);
  all = Registry{};
  return MPI_Comm_free_keyval(&hook);
}

}  // namespace

void free_at_finalize(MPI_Comm comm, int keyval) {
  registry().carriers.push_back({comm, keyval});
}

void freed_before_finalize(MPI_Comm comm, int keyval) {
  std::erase(registry().carriers, Carrier{comm, keyval});
}

int make_keyval(MPI_Comm_delete_attr_function* free_object) {
  if (registry().keyvals.empty()) {
    int hook = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &hook, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, hook, nullptr);
  }
  int keyval = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_object, &keyval, nullptr);
  registry().keyvals.push_back(keyval);
  return keyval;
}

}  // namespace xredist
