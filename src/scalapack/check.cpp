#include "scalapack/check.hpp"

namespace xredist {

std::string wrong_argument(const Call& call, Which which, const Grid& grid) {
  const bool a = which == Which::a;
  const int* desc = a ? call.a.desc : call.b.desc;
  const Argument desc_name = a ? Argument::desca : Argument::descb;

  const auto entry = [&](int e, const std::string& must) {
    return name_of(call, desc_name, e) + " is " + std::to_string(desc[e]) + ", must be " + must;
  };
  const auto submatrix = [&](Index first, Index count, int whole, Argument first_name, Argument count_name) -> std::string {
    if (first < 1) return name_of(call, first_name) + " is " + std::to_string(first) + ", must be at least 1";
    if (first - 1 + count <= desc[whole]) return {};
    return name_of(call, count_name) + " is " + std::to_string(count) + ": with " + name_of(call, first_name) +
           " = " + std::to_string(first) + " it reaches beyond " + name_of(call, desc_name, whole) + " = " +
           std::to_string(desc[whole]);
  };

  if (desc[mb_] < 1) return entry(mb_, "at least 1");
  if (desc[nb_] < 1) return entry(nb_, "at least 1");
  if (desc[rsrc_] < 0 || desc[rsrc_] >= grid.nprow)
    return entry(rsrc_, "in 0 .. " + std::to_string(grid.nprow - 1) + ", the grid's rows");
  if (desc[csrc_] < 0 || desc[csrc_] >= grid.npcol)
    return entry(csrc_, "in 0 .. " + std::to_string(grid.npcol - 1) + ", the grid's columns");

  const auto [i, j] = a ? std::pair{call.a.i, call.a.j} : std::pair{call.b.i, call.b.j};
  std::string wrong = submatrix(i, call.m, m_, a ? Argument::ia : Argument::ib, Argument::m);
  if (wrong.empty()) wrong = submatrix(j, call.n, n_, a ? Argument::ja : Argument::jb, Argument::n);
  if (!wrong.empty()) return wrong;

  const Index rows = local_count({desc[mb_], grid.nprow, desc[rsrc_], 0}, grid.myrow, desc[m_]);
  if (desc[lld_] < rows)
    return entry(lld_, "at least " + std::to_string(rows) + ", the local rows on process (" +
                           std::to_string(grid.myrow) + "," + std::to_string(grid.mycol) + ")");
  return {};
}

}  // namespace xredist
