#include "mover.hpp"

#include <mpi.h>

#include "schedule/algorithm.hpp"
#include "xredist/xredist.hpp"

namespace networks {
namespace {

xredist_layout layout(const Distribution& d) {
  return {static_cast<int>(d.nprow), static_cast<int>(d.npcol), nullptr, d.mb, d.nb, 0, 0};
}

class Library : public Mover {
 public:
  Library(const Case& c, Local& a, Local& b)
      : a_(a), b_(b), plan_(MPI_COMM_WORLD, c.m, c.n, layout(c.a), 1, 1, layout(c.b), 1, 1) {}
  void move() override { plan_.execute(a_.data(), a_.leading(), b_.data(), b_.leading()); }

 private:
  Local &a_, &b_;
  xredist::Plan<double> plan_;
};

}  // namespace

std::vector<std::string> movers() {
  std::vector<std::string> names;
  for (const xredist::core::Algorithm& algorithm : xredist::core::algorithms()) names.emplace_back(algorithm.name);
  names.insert(names.end(), {"scalapack", "at-once", "alltoallv"});
  return names;
}

std::unique_ptr<Mover> make_mover(const std::string& name, const Case& c, Local& a, Local& b) {
  const xredist::core::Algorithm* algorithm = xredist::core::find_algorithm(name);
  if (algorithm == nullptr) return make_baseline(name, c);
  // The library takes its default instead; here that would be a figure under a wrong name. One process looks: the
  // simulator would look for each of a thousand.
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int defined = rank == 0 && algorithm->make(c.traffic(), {2e-6, 8e-10}).has_value();
  MPI_Bcast(&defined, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!defined) return nullptr;
  xredist::check(xredist_set_option(MPI_COMM_WORLD, "algorithm", name.c_str()), "xredist_set_option");
  return std::make_unique<Library>(c, a, b);
}

}  // namespace networks
