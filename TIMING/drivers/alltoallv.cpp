#include "alltoallv.hpp"

#include <cstring>
#include <limits>
#include <numeric>

namespace drivers {
namespace {

// Processes of a grid along rows (or columns) that hold given places of the submatrix; -1 for places outside it.
std::vector<int> owners(const std::vector<Index>& places, int length, int first, int block, int source, int procs) {
  std::vector<int> result;
  for (const Index k : places)
    result.push_back(k < 0 || k >= length ? -1 : static_cast<int>(((k + first - 1) / block + source) % procs));
  return result;
}

// The elements of a matrix that move, column by column; for each the rank on the other side and its address.
class Walk {
 public:
  Walk(const Case& c, const Local& own, const Matrix& other, int bytes)
      : own_(own),
        other_(other),
        region_(region_of(c)),
        m_(c.m),
        bytes_(bytes),
        rows_(owners(own.rows, c.m, other.i, other.mb, other.rsrc, other.nprow)),
        cols_(owners(own.cols, c.n, other.j, other.nb, other.csrc, other.npcol)) {}

  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t l = 0; l < cols_.size(); ++l) {
      if (cols_[l] < 0) continue;
      const xredist::core::Interval moved = rows_of(region_, own_.cols[l], m_);
      std::byte* element = own_.at(l, bytes_);
      for (std::size_t k = 0; k < rows_.size(); ++k, element += bytes_)
        if (own_.rows[k] >= moved.begin && own_.rows[k] < moved.end)
          visit(static_cast<std::size_t>(other_.rank_at(rows_[k], cols_[l])), element);
    }
  }

 private:
  const Local& own_;
  const Matrix& other_;
  xredist::core::Region region_;
  Index m_;
  int bytes_;
  std::vector<int> rows_, cols_;
};

// One direction: for each rank, how many elements, and where they begin in the buffer.
struct Side {
  Walk walk;
  std::vector<int> counts, begins;
  std::unique_ptr<std::byte[]> buffer;

  Side(Walk w, int size, int bytes)
      : walk(std::move(w)), counts(static_cast<std::size_t>(size)), begins(counts.size()) {
    walk.each([&](std::size_t rank, std::byte*) { ++counts[rank]; });
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
    const auto total = static_cast<std::size_t>(begins.back() + counts.back());
    buffer = std::make_unique_for_overwrite<std::byte[]>(total * static_cast<std::size_t>(bytes));
  }

  // Both sides walk in the same order, so elements need no address.
  template <int bytes, class Copy>
  void each(Copy copy) {
    std::vector<std::byte*> at;
    for (const int begin : begins) at.push_back(buffer.get() + Index{begin} * bytes);
    walk.each([&](std::size_t rank, std::byte* element) {
      copy(element, at[rank]);
      at[rank] += bytes;
    });
  }
};

template <int bytes>
struct Exchange {
  MPI_Comm comm;
  MPI_Datatype type;
  Side sent, received;

  Exchange(const Case& c, const Stage& stage, int size)
      : comm(stage.comm()),
        sent(Walk(c, stage.a, c.b, bytes), size, bytes),
        received(Walk(c, stage.b, c.a, bytes), size, bytes) {
    MPI_Type_contiguous(bytes, MPI_BYTE, &type);
    MPI_Type_commit(&type);
  }
  ~Exchange() { MPI_Type_free(&type); }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  void run() {
    sent.each<bytes>([](std::byte* element, std::byte* at) { std::memcpy(at, element, bytes); });
    MPI_Alltoallv(sent.buffer.get(), sent.counts.data(), sent.begins.data(), type, received.buffer.get(),
                  received.counts.data(), received.begins.data(), type, comm);
    received.each<bytes>([](std::byte* element, std::byte* at) { std::memcpy(element, at, bytes); });
  }
};

template <int bytes>
Run exchange(const Case& c, const Stage& stage) {
  return [&c, &stage, made = std::shared_ptr<Exchange<bytes>>()]() mutable {
    if (!made) made = std::make_shared<Exchange<bytes>>(c, stage, static_cast<int>(processes(c)));
    made->run();
  };
}

}  // namespace

Contender alltoallv(const Case& c, const Stage& stage) {
  if (elements_of(c) > std::numeric_limits<int>::max())
    return {"alltoallv", "more elements than an int counts", {}, {}};
  // As many messages as a schedule has that cuts none.
  const Facts facts{std::nullopt, facts_of(c, stage.element.bytes, "rank")->messages};
  const auto make = [&c, &stage]() -> Run {
    switch (stage.element.bytes) {
      case 4: return exchange<4>(c, stage);
      case 8: return exchange<8>(c, stage);
      default: return exchange<16>(c, stage);
    }
  };
  return {"alltoallv", {}, facts, make};
}

}  // namespace drivers
