// SPDX-License-Identifier: BSD-3-Clause
// Times the redistributions r -> K r on P processes of Walker & Otto 1996, in the variants of their figures 11 and 12,
// beside MPI_Bcast and MPI_Alltoall of the same amounts. P K small blocks are a superblock. Of each superblock a
// process holds K small blocks before, and one large block of K small blocks after.
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>

#include "drivers/program.hpp"

#ifdef XREDIST_SIMULATED
#include <smpi/smpi.h>
#endif

namespace {

using xredist::core::as_size, xredist::core::at;

// Lets simulated time pass. Hosts of make_platform do 10^10 operations a second; other computation takes no time.
void pass([[maybe_unused]] double seconds) {
#ifdef XREDIST_SIMULATED
  smpi_execute_flops(1e10 * seconds);
#endif
}

// Small blocks are numbered within their superblock.
struct Growth {
  int P, K;

  int holder(int block) const { return block % P; }       ///< process that owns the block before
  int held(int block) const { return block / P; }         ///< index among the K small blocks there
  int destination(int block) const { return block / K; }  ///< process that owns the block after
  int slot(int block) const { return block % K; }         ///< index in the large block there
};

// Returns the small block that process p sends in each of K steps, in the simple order: by number (equation 2). In the
// first step most processes send to process 0.
std::vector<int> simple_order(const Growth& g, int p) {
  std::vector<int> blocks;
  for (int k = 0; k < g.K; ++k) blocks.push_back(k * g.P + p);
  return blocks;
}

// Returns the blocks in an order that each process shuffles independently.
std::vector<int> random_order(const Growth& g, int p, unsigned seed) {
  std::vector<int> blocks = simple_order(g, p);
  std::mt19937 random(seed * 7919u + static_cast<unsigned>(p));
  std::ranges::shuffle(blocks, random);
  return blocks;
}

// Returns the block that process q receives in each step of the optimal order (equation 11).
std::vector<int> optimal_receives(const Growth& g, int q) {
  const int common = std::gcd(g.P, g.K);
  std::vector<int> blocks;
  for (int k = 0; k < g.K; ++k)
    blocks.push_back(g.K * q + k / common * common + (q / (g.P / common) + k % common) % common);
  return blocks;
}

// Returns the block that process p sends in each step of the optimal order, in which no two processes send to one
// process in a step (equations 7 to 10). Derived from the receives, whose formula is shorter.
std::vector<int> optimal_order(const Growth& g, int p) {
  std::vector<int> blocks(as_size(g.K));
  for (int q = 0; q < g.P; ++q) {
    const std::vector<int> received = optimal_receives(g, q);
    for (std::size_t k = 0; k < received.size(); ++k)
      if (g.holder(received[k]) == p) blocks[k] = received[k];
  }
  return blocks;
}

struct Options : runs::Repeated {
  Options() : Repeated(5) {}
  std::string what = "all";
  std::vector<int> factors{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 18, 20, 24, 28, 32};
  int block = 4, blocks = 800;
  double pack = 0;

  bool wants(const std::string& name) const { return what == name || what == "all"; }
  void print(int factor, const std::string& variant, const runs::Summary& seconds, const char* data) const {
    runs::record(network, runs::size_of_world(), factor, variant, repetitions, seconds.median, seconds.min, seconds.max,
                 data);
  }
};

// The part of a vector of ints that this process has before and after.
class Redistribution {
 public:
  Redistribution(const Growth& growth, const Options& options)
      : growth_(growth), r_(options.block), superblocks_(options.blocks / growth.K), pack_(1e-9 * options.pack) {
    message_.resize(as_size(1 + superblocks_ * r_));
    received_ = message_;
    for (int local = 0; local < superblocks_ * growth.K; ++local)
      for (int i = 0; i < r_; ++i) before_.push_back((local * growth.P + me_) * r_ + i);
    after_.resize(before_.size());
  }

  // K times: posts one receive from any process, sends a block, waits for the receive. MPI must buffer the message:
  // MPI_Send has to return before the receive.
  void synchronised(const std::vector<int>& order) {
    for (const int block : order) {
      MPI_Request request;
      MPI_Irecv(received_.data(), length(), MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
      send(block);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      unpack(received_);
    }
  }

  // Posts all K receives first, with buffers as large as the local part.
  void unsynchronised(const std::vector<int>& order) {
    std::vector<Message> received(order.size(), message_);
    std::vector<MPI_Request> requests(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
      MPI_Irecv(received[k].data(), length(), MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[k]);
    for (const int block : order) send(block);
    for (std::size_t k = 0; k < order.size(); ++k) {
      int index = 0;
      MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, MPI_STATUS_IGNORE);
      unpack(at(received, index));
    }
  }

  // Calls MPI_Sendrecv in each step. Both orders belong to one schedule.
  void sendrecv(const std::vector<int>& order, const std::vector<int>& receives) {
    for (std::size_t k = 0; k < order.size(); ++k) {
      pack(order[k]);
      MPI_Sendrecv(message_.data(), length(), MPI_INT, growth_.destination(order[k]), 0, received_.data(), length(),
                   MPI_INT, growth_.holder(receives[k]), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      unpack(received_);
    }
  }

  void clear() { std::ranges::fill(after_, -1); }

  // Returns whether each element is in its place.
  bool right() const {
    const int large = growth_.K * r_;
    for (std::size_t i = 0; i < after_.size(); ++i) {
      const int local = static_cast<int>(i);
      if (after_[i] != (local / large * growth_.P + me_) * large + local % large) return false;
    }
    return true;
  }

 private:
  using Message = std::vector<int>;  // number of the small block, then its elements of every superblock

  void pack(int block) {
    message_[0] = block;
    for (int s = 0; s < superblocks_; ++s)
      std::copy_n(before_.begin() + (s * growth_.K + growth_.held(block)) * r_, r_, message_.begin() + 1 + s * r_);
    pass_packing();
  }
  void send(int block) {
    pack(block);
    MPI_Send(message_.data(), length(), MPI_INT, growth_.destination(block), 0, MPI_COMM_WORLD);
  }
  void unpack(const Message& message) {
    for (int s = 0; s < superblocks_; ++s)
      std::copy_n(message.begin() + 1 + s * r_, r_, after_.begin() + (s * growth_.K + growth_.slot(message[0])) * r_);
    pass_packing();
  }
  // Lets half of the time for packing and unpacking a message pass.
  void pass_packing() const { pass(pack_ / 2 * static_cast<double>(sizeof(int) * message_.size())); }
  int length() const { return static_cast<int>(message_.size()); }

  const Growth growth_;
  const int r_, superblocks_, me_ = runs::rank_in_world();
  const double pack_;  // seconds for packing and unpacking a byte, on a simulated process
  Message message_, received_;
  std::vector<int> before_, after_;
};

bool redistributions(const Options& options, int factor) {
  if (factor > options.blocks) throw std::invalid_argument("--factors: one is larger than the number of blocks");
  const Growth growth{runs::size_of_world(), factor};
  const int rank = runs::rank_in_world();
  Redistribution redistribution(growth, options);
  const auto simple = simple_order(growth, rank), optimal = optimal_order(growth, rank);
  const auto receives = optimal_receives(growth, rank);
  unsigned seed = 0;
  const std::pair<const char*, std::function<void()>> variants[] = {
      {"synchronised", [&] { redistribution.synchronised(simple); }},
      {"unsynchronised", [&] { redistribution.unsynchronised(simple); }},
      {"random", [&] { redistribution.synchronised(random_order(growth, rank, ++seed)); }},
      {"optimal", [&] { redistribution.synchronised(optimal); }},
      {"sendrecv", [&] { redistribution.sendrecv(optimal, receives); }}};
  bool all_right = true;
  for (const auto& [name, move] : variants) {
    redistribution.clear();
    const runs::Summary seconds = runs::timed_after_one(options.repetitions, move);
    const bool right = runs::everywhere(redistribution.right());
    options.print(factor, name, seconds, runs::data_text(true, right));
    all_right = all_right && right;
  }
  return all_right;
}

// Times MPI_Bcast of as much as a process holds, and MPI_Alltoall of a P-th of that between any two processes.
void collectives(const Options& options) {
  const int count = options.blocks * options.block, each = count / runs::size_of_world();
  std::vector<int> from(as_size(count)), to(from.size());
  const auto time = [&](const std::string& name, const std::function<void()>& call) {
    if (options.wants(name)) options.print(0, name, runs::timed_after_one(options.repetitions, call), "unchecked");
  };
  time("bcast", [&] { MPI_Bcast(from.data(), count, MPI_INT, 0, MPI_COMM_WORLD); });
  time("alltoall", [&] { MPI_Alltoall(from.data(), each, MPI_INT, to.data(), each, MPI_INT, MPI_COMM_WORLD); });
}

bool measure(const Options& options) {
  runs::record("network,processes,factor,variant,repetitions,median_s,min_s,max_s,data");
  collectives(options);
  bool right = true;
  if (options.wants("redistributions"))
    for (const int factor : options.factors) right = redistributions(options, factor) && right;
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Times redistributions r -> K r in the variants of Walker & Otto 1996.", "walker_otto");
  options.add_to(app);
  app.add_option("--what", options.what, "operations to time")
      ->check(CLI::IsMember({"all", "bcast", "alltoall", "redistributions"}));
  cases::list(app, "--factors", options.factors, "factors by which blocks grow")->check(cases::positive());
  app.add_option("--block", options.block, "ints in a small block")->check(cases::positive())->capture_default_str();
  app.add_option("--blocks", options.blocks, "small blocks of a process")
      ->check(cases::positive())
      ->capture_default_str();
  app.add_option("--pack", options.pack, "ns for packing and unpacking a byte, on a simulated process")
      ->check(CLI::Range(0.0, 1e9));
  return runs::run_and_tell(app, argc, argv, [&] { return measure(options); });
}
