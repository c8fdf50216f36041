// xredist.h.
#include "xredist/xredist.h"

#include <algorithm>
#include <new>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/exchange.hpp"
#include "exchange/plan.hpp"

struct xredist_plan {
  xredist::Channel& channel;
  xredist::Plan plan;
};

namespace {

using namespace xredist;

// Sizes, indices and blocks: their products with numbers of processes must fit 64 bits.
constexpr Index most = Index{1} << 31 << 9;

bool valid(const xredist_layout* layout, int size) {
  if (layout == nullptr || layout->nprow < 1 || layout->npcol < 1 || layout->mb < 1 || layout->nb < 1) return false;
  if (layout->mb > most || layout->nb > most) return false;
  if (layout->rsrc < 0 || layout->rsrc >= layout->nprow || layout->csrc < 0 || layout->csrc >= layout->npcol) return false;
  const Index processes = Index{layout->nprow} * layout->npcol;
  if (processes > size) return false;
  if (layout->ranks == nullptr) return true;
  std::vector<bool> seen(static_cast<std::size_t>(size), false);
  return std::all_of(layout->ranks, layout->ranks + processes, [&](int rank) {
    if (rank < 0 || rank >= size || seen[static_cast<std::size_t>(rank)]) return false;
    seen[static_cast<std::size_t>(rank)] = true;
    return true;
  });
}

std::vector<int> ranks_of(const xredist_layout& layout) {
  std::vector<int> ranks(static_cast<std::size_t>(layout.nprow) * static_cast<std::size_t>(layout.npcol));
  if (layout.ranks != nullptr)
    std::copy_n(layout.ranks, ranks.size(), ranks.begin());
  else
    std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

Layout layout_of(const xredist_layout& layout, Index i, Index j) {
  return {{layout.mb, layout.nprow, layout.rsrc, i - 1}, {layout.nb, layout.npcol, layout.csrc, j - 1}};
}

}  // namespace

int xredist_plan_create(MPI_Comm comm, int64_t m, int64_t n, int bytes, const xredist_layout* a, int64_t ia,
                        int64_t ja, const xredist_layout* b, int64_t ib, int64_t jb, xredist_plan** plan) try {
  if (comm == MPI_COMM_NULL) return -1;
  Channel& channel = channel_of(comm);
  if (m < 0 || m > most) return -2;
  if (n < 0 || n > most) return -3;
  if (bytes != 4 && bytes != 8 && bytes != 16) return -4;
  if (!valid(a, channel.size())) return -5;
  if (ia < 1 || ia > most) return -6;
  if (ja < 1 || ja > most) return -7;
  if (!valid(b, channel.size())) return -8;
  if (ib < 1 || ib > most) return -9;
  if (jb < 1 || jb > most) return -10;
  if (plan == nullptr) return -11;

  if (m == 0 || n == 0) {
    *plan = new xredist_plan{channel, Plan{}};
    return 0;
  }
  const Layout from = layout_of(*a, ia, ja), to = layout_of(*b, ib, jb);
  const Matter matter{{overlap(from.rows, to.rows, m), overlap(from.cols, to.cols, n)}, Region{}, bytes};
  *plan = new xredist_plan{channel, make_plan(matter, ranks_of(*a), ranks_of(*b), channel.rank(), channel.options(),
                                             channel.neighbours().bytes())};
  return 0;
} catch (const std::bad_alloc&) {
  return XREDIST_NO_MEMORY;
} catch (const std::invalid_argument&) {
  return XREDIST_BAD_OPTION;
}

int xredist_execute(const xredist_plan* plan, const void* a, int64_t lda, void* b, int64_t ldb) try {
  if (plan == nullptr) return -1;
  const Plan& p = plan->plan;
  if (a == nullptr && (p.own_rows > 0 || !p.sends.empty())) return -2;
  if (b == nullptr && (p.own_rows > 0 || !p.receives.empty())) return -4;
  execute(p, plan->channel, workspace(), {static_cast<const std::byte*>(a), lda}, {static_cast<std::byte*>(b), ldb});
  return 0;
} catch (const std::bad_alloc&) {
  return XREDIST_NO_MEMORY;
}

void xredist_plan_destroy(xredist_plan* plan) { delete plan; }
