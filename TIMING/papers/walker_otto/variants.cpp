#include "papers/walker_otto/variants.hpp"

#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <random>

#ifdef XREDIST_SIMULATED
#include <smpi/smpi.h>
#endif

namespace walker_otto {
namespace {

// Simulated processes compute in no time, unless told; hosts of make_platform do 10^10 operations a second.
void pass([[maybe_unused]] double seconds) {
#ifdef XREDIST_SIMULATED
  smpi_execute_flops(1e10 * seconds);
#endif
}

}  // namespace

std::vector<int> simple_order(const Growth& g, int p) {
  std::vector<int> blocks;
  for (int k = 0; k < g.K; ++k) blocks.push_back(k * g.P + p);
  return blocks;
}

std::vector<int> random_order(const Growth& g, int p, unsigned seed) {
  std::vector<int> blocks = simple_order(g, p);
  std::mt19937 random(seed * 7919u + static_cast<unsigned>(p));
  std::ranges::shuffle(blocks, random);
  return blocks;
}

// The receive schedule is the simpler one; a send schedule is what all receive schedules together say.
std::vector<int> optimal_order(const Growth& g, int p) {
  std::vector<int> blocks(static_cast<std::size_t>(g.K));
  for (int q = 0; q < g.P; ++q) {
    const std::vector<int> received = optimal_receives(g, q);
    for (std::size_t k = 0; k < received.size(); ++k)
      if (g.holder(received[k]) == p) blocks[k] = received[k];
  }
  return blocks;
}

std::vector<int> optimal_receives(const Growth& g, int q) {
  const int common = std::gcd(g.P, g.K);
  std::vector<int> blocks;
  for (int k = 0; k < g.K; ++k)
    blocks.push_back(g.K * q + k / common * common + (q / (g.P / common) + k % common) % common);
  return blocks;
}

Redistribution::Redistribution(const Growth& growth, const Shape& shape)
    : growth_(growth), shape_(shape), superblocks_(shape.blocks / growth.K) {
  MPI_Comm_rank(MPI_COMM_WORLD, &me_);
  message_.resize(static_cast<std::size_t>(1 + superblocks_ * shape.r));
  received_ = message_;
  for (int local = 0; local < superblocks_ * growth.K; ++local)
    for (int i = 0; i < shape.r; ++i) before_.push_back((local * growth.P + me_) * shape.r + i);
  after_.resize(before_.size());
}

void Redistribution::pack(int block, Message& message) const {
  message[0] = block;
  for (int s = 0; s < superblocks_; ++s)
    std::copy_n(before_.begin() + (s * growth_.K + growth_.held(block)) * shape_.r, shape_.r,
                message.begin() + 1 + s * shape_.r);
  pass(shape_.pack / 2 * static_cast<double>(sizeof(int) * message.size()));
}

void Redistribution::unpack(const Message& message) {
  for (int s = 0; s < superblocks_; ++s)
    std::copy_n(message.begin() + 1 + s * shape_.r, shape_.r,
                after_.begin() + (s * growth_.K + growth_.slot(message[0])) * shape_.r);
  pass(shape_.pack / 2 * static_cast<double>(sizeof(int) * message.size()));
}

void Redistribution::synchronised(const std::vector<int>& order) {
  for (const int block : order) {
    MPI_Request request;
    MPI_Irecv(received_.data(), copies(), MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    pack(block, message_);
    MPI_Send(message_.data(), copies(), MPI_INT, growth_.destination(block), 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    unpack(received_);
  }
}

void Redistribution::unsynchronised(const std::vector<int>& order) {
  std::vector<Message> received(order.size(), message_);
  std::vector<MPI_Request> requests(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    MPI_Irecv(received[k].data(), copies(), MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[k]);
  for (const int block : order) {
    pack(block, message_);
    MPI_Send(message_.data(), copies(), MPI_INT, growth_.destination(block), 0, MPI_COMM_WORLD);
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    int index = 0;
    MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, MPI_STATUS_IGNORE);
    unpack(received[static_cast<std::size_t>(index)]);
  }
}

void Redistribution::sendrecv(const std::vector<int>& order, const std::vector<int>& receives) {
  for (std::size_t k = 0; k < order.size(); ++k) {
    pack(order[k], message_);
    MPI_Sendrecv(message_.data(), copies(), MPI_INT, growth_.destination(order[k]), 0, received_.data(), copies(),
                 MPI_INT, growth_.holder(receives[k]), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    unpack(received_);
  }
}

void Redistribution::clear() { std::ranges::fill(after_, -1); }

bool Redistribution::right() const {
  const int large = growth_.K * shape_.r;
  for (std::size_t i = 0; i < after_.size(); ++i) {
    const int local = static_cast<int>(i);
    if (after_[i] != (local / large * growth_.P + me_) * large + local % large) return false;
  }
  return true;
}

}  // namespace walker_otto
