// gridmap.h: what the processes know of A together, then the arithmetic of mapping/ on each.
#include "xredist/gridmap.h"

#include <array>
#include <exception>
#include <initializer_list>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "exchange/channel.hpp"
#include "mapping/relabel.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/call.hpp"

namespace xredist {
namespace {

// What is agreed on: of B on all processes, of A on those of its grid.
enum Value {
  m, n, ib, jb, mb, nb, rsrc, csrc, nprow, npcol,
  a_ia, a_ja, a_mb, a_nb, a_rsrc, a_csrc, a_nprow, a_npcol,
  values
};
struct Values {
  std::array<Index, values> of;
  Index operator[](int value) const { return of[static_cast<std::size_t>(value)]; }
  Index& operator[](int value) { return of[static_cast<std::size_t>(value)]; }
};
constexpr Index unknown = std::numeric_limits<Index>::min();

struct Request {
  Values given;
  const int* desca;
  int ctxt;
  int* usermap;
  int ldumap;
  double* kept;
};

std::string name(int place, const char* argument) {
  return "argument " + std::to_string(place) + " (" + argument + ")";
}

std::string entry(Entry e) {
  static constexpr const char* entries[] = {"DTYPE_", "CTXT_", "M_", "N_", "MB_", "NB_", "RSRC_", "CSRC_", "LLD_"};
  return name(5, "DESCA") + ", entry " + std::to_string(e + 1) + " (" + entries[e] + ")";
}

std::string name_of(int value) {
  switch (value) {
    case m: return name(1, "M");
    case n: return name(2, "N");
    case a_ia: return name(3, "IA");
    case a_ja: return name(4, "JA");
    case ib: return name(6, "IB");
    case jb: return name(7, "JB");
    case mb: return name(8, "MB");
    case nb: return name(9, "NB");
    case rsrc: return name(10, "RSRC");
    case csrc: return name(11, "CSRC");
    case nprow: return name(12, "NPROW");
    case npcol: return name(13, "NPCOL");
    case a_mb: return entry(mb_);
    case a_nb: return entry(nb_);
    case a_rsrc: return entry(rsrc_);
    case a_csrc: return entry(csrc_);
    case a_nprow: return entry(ctxt_) + ": number of grid rows";
    default: return entry(ctxt_) + ": number of grid columns";
  }
}

// ---- what a process can check alone

std::string is(const std::string& what, Index value) { return what + " is " + std::to_string(value); }

std::string too_small(const Values& v, int value, Index least) {
  if (v[value] >= least) return {};
  return is(name_of(value), v[value]) + ", must be at least " + std::to_string(least);
}

std::string outside(const Values& v, int value, Index count, const char* what) {
  if (v[value] >= 0 && v[value] < count) return {};
  return is(name_of(value), v[value]) + ", must be in 0 .. " + std::to_string(count - 1) + ", " + what;
}

std::string beyond(const Values& v, int count, int first, int whole, Entry e) {
  if (v[first] - 1 + v[count] <= whole) return {};
  return is(name_of(count), v[count]) + ": with " + name_of(first) + " = " + std::to_string(v[first]) +
         " it reaches beyond " + entry(e) + " = " + std::to_string(whole);
}

std::string first_of(std::initializer_list<std::string> errors) {
  for (const std::string& error : errors)
    if (!error.empty()) return error;
  return {};
}

std::string wrong_argument(const Request& request, int size) {
  const Values& v = request.given;
  for (const int value : {m, n, ib, jb, mb, nb, nprow, npcol})
    if (std::string wrong = too_small(v, value, value <= n ? 0 : 1); !wrong.empty()) return wrong;
  if (v[nprow] * v[npcol] > size)
    return is(name_of(nprow), v[nprow]) + ": with " + name_of(npcol) + " = " + std::to_string(v[npcol]) +
           " the grid needs more than the " + std::to_string(size) + " processes of " + name(14, "CTXT");
  if (request.usermap == nullptr) return name(15, "USERMAP") + " is NULL";
  if (request.ldumap < v[nprow])
    return is(name(16, "LDUMAP"), request.ldumap) + ", must be at least " + name_of(nprow) + " = " + std::to_string(v[nprow]);
  return first_of({outside(v, rsrc, v[nprow], "the rows of B's grid"),
                   outside(v, csrc, v[npcol], "the columns of B's grid")});
}

// On a process of A's grid.
std::string wrong_a(const Request& request) {
  const Values& v = request.given;
  for (const int value : {a_mb, a_nb, a_ia, a_ja})
    if (std::string wrong = too_small(v, value, 1); !wrong.empty()) return wrong;
  return first_of({outside(v, a_rsrc, v[a_nprow], "the grid's rows"), outside(v, a_csrc, v[a_npcol], "the grid's columns"),
                   beyond(v, m, a_ia, request.desca[m_], m_), beyond(v, n, a_ja, request.desca[n_], n_)});
}

// ---- what they have to tell each other

// The values of all, or the error that they differ.
Values agreed(const Call& call, const Values& mine, const Channel& channel) {
  std::array<Values, 2> both;  // the values and their negatives, for one reduction by maximum
  for (int k = 0; k < values; ++k) {
    both[0][k] = mine[k];
    both[1][k] = mine[k] == unknown ? unknown : -mine[k];
  }
  MPI_Allreduce(MPI_IN_PLACE, both.data(), 2 * values, MPI_INT64_T, MPI_MAX, channel.comm());
  if (both[0][a_nprow] == unknown)
    fail(call, channel.rank(), entry(ctxt_) + ": no process of the context is in the grid of A");
  for (int k = 0; k < values; ++k)
    if (const Index most = both[0][k], least = -both[1][k]; most != least)
      fail(call, channel.rank(), name_of(k) + " differs between processes: from " + std::to_string(least) + " to " +
               std::to_string(most));
  return both[0];
}

// The rank in the context at each position of A's grid.
std::vector<int> ranks_of_a(const Call& call, const Grid& grid, Index positions, const Channel& channel) {
  const int mine = grid.member() ? grid.myrow * grid.npcol + grid.mycol : -1;
  std::vector<int> position_of(static_cast<std::size_t>(channel.size())), ranks(static_cast<std::size_t>(positions), -1);
  MPI_Allgather(&mine, 1, MPI_INT, position_of.data(), 1, MPI_INT, channel.comm());
  Index found = 0;
  for (int rank = 0; rank < channel.size(); ++rank) {
    const int position = position_of[static_cast<std::size_t>(rank)];
    if (position < 0) continue;
    int& holder = ranks[static_cast<std::size_t>(position)];
    if (holder >= 0)
      fail(call, channel.rank(), entry(ctxt_) + ": processes " + std::to_string(holder) + " and " + std::to_string(rank) +
               " of the context are at the same place: their grids are not the same");
    holder = rank;
    ++found;
  }
  if (found < positions)
    fail(call, channel.rank(), name(14, "CTXT") + ": the context lacks " + std::to_string(positions - found) + " of the " +
             std::to_string(positions) + " processes of the grid of A");
  return ranks;
}

// For errors where there is no context to have a rank in.
int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

void gridmap(const Call& call, Request& request) {
  if (!Grid(request.ctxt).member())
    fail(call, world_rank(), is(name(14, "CTXT"), request.ctxt) + ", not a context with this process");
  const Channel& channel = channel_of(communicator(request.ctxt));
  const Grid grid(request.desca[ctxt_]);
  Values& given = request.given;
  if (grid.member()) {
    const int* d = request.desca;
    given[a_mb] = d[mb_], given[a_nb] = d[nb_], given[a_rsrc] = d[rsrc_], given[a_csrc] = d[csrc_];
    given[a_nprow] = grid.nprow, given[a_npcol] = grid.npcol;
  } else {
    for (int k = a_ia; k < values; ++k) given[k] = unknown;
  }
  std::string wrong = wrong_argument(request, channel.size());
  if (wrong.empty() && grid.member()) wrong = wrong_a(request);
  if (!wrong.empty()) fail(call, channel.rank(), wrong);

  const Values v = agreed(call, given, channel);
  const Layout a{{v[a_mb], v[a_nprow], v[a_rsrc], v[a_ia] - 1}, {v[a_nb], v[a_npcol], v[a_csrc], v[a_ja] - 1}};
  const Layout b{{v[mb], v[nprow], v[rsrc], v[ib] - 1}, {v[nb], v[npcol], v[csrc], v[jb] - 1}};
  const Available available{ranks_of_a(call, grid, v[a_nprow] * v[a_npcol], channel), channel.size()};
  const Relabelling best = relabel(a, b, v[m], v[n], available);
  for (Index k = 0; k < static_cast<Index>(best.map.size()); ++k)
    request.usermap[k / v[npcol] + k % v[npcol] * request.ldumap] = best.map[static_cast<std::size_t>(k)];
  if (request.kept != nullptr) {
    request.kept[0] = best.kept;
    request.kept[1] = best.kept_row_major;
  }
}

}  // namespace
}  // namespace xredist

extern "C" {

void xredist_gridmap(int m, int n, int ia, int ja, const int* desca, int ib, int jb, int mb, int nb, int rsrc,
                     int csrc, int nprow, int npcol, int ctxt, int* usermap, int ldumap, double* kept) {
  using namespace xredist;
  Request request{{{m, n, ib, jb, mb, nb, rsrc, csrc, nprow, npcol, ia, ja}}, desca, ctxt, usermap, ldumap, kept};
  Call call{};  // for its name and context only
  call.routine = "XREDIST_GRIDMAP";
  call.ctxt = ctxt;
  try {
    gridmap(call, request);
  } catch (const std::bad_alloc&) {
    fail(call, 0, "out of memory");
  } catch (const std::exception& error) {
    fail(call, world_rank(), error.what());
  }
}

void xredist_gridmap_(const int* m, const int* n, const int* ia, const int* ja, const int* desca, const int* ib,
                      const int* jb, const int* mb, const int* nb, const int* rsrc, const int* csrc, const int* nprow,
                      const int* npcol, const int* ctxt, int* usermap, const int* ldumap, double* kept) {
  xredist_gridmap(*m, *n, *ia, *ja, desca, *ib, *jb, *mb, *nb, *rsrc, *csrc, *nprow, *npcol, *ctxt, usermap, *ldumap,
                  kept);
}

}  // extern "C"
