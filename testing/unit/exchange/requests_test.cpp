// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/requests.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "simulation.hpp"

namespace xredist::core {
namespace {

using Kinds = std::vector<std::pair<Requests::Kind, std::size_t>>;

// Polls until `count` requests are complete. Returns them in the order of their kinds and slots.
Kinds poll(Requests& requests, std::size_t count, MPI_Request withdrawal = MPI_REQUEST_NULL) {
  Kinds kinds;
  while (kinds.size() < count)
    for (const auto& [kind, slot, status] : requests.poll(true, withdrawal)) kinds.emplace_back(kind, slot);
  std::ranges::sort(kinds);
  return kinds;
}

TEST(Requests, TellKindAndSlot) {
  testing::Simulation simulation(2, 1);
  const MPI_Comm comm = simulation.communicator();
  EXPECT_TRUE(simulation.run([&](int rank) {
    Requests requests;
    requests.reset(3);
    int number = 7;
    MPI_Request withdrawal = MPI_REQUEST_NULL;
    EXPECT_TRUE(requests.idle() && requests.poll(true, withdrawal).empty());
    if (rank == 0) {
      MPI_Isend(&number, 1, MPI_INT, 1, 5, comm, requests.next(Requests::departure, 2));
      MPI_Isend(&number, 1, MPI_INT, 1, 6, comm, requests.additional());
      MPI_Isend(&number, 1, MPI_INT, 1, 7, comm, requests.additional());
      EXPECT_EQ(poll(requests, 3),
                Kinds({{Requests::departure, 2}, {Requests::handed_over, 0}, {Requests::handed_over, 0}}));
    } else {
      int numbers[3];
      MPI_Irecv(&numbers[0], 1, MPI_INT, 0, 5, comm, requests.next(Requests::arrival, 1));
      MPI_Irecv(&numbers[1], 1, MPI_INT, 0, 6, comm, requests.next(Requests::arrival, 0));
      MPI_Irecv(&numbers[2], 1, MPI_INT, 0, 7, comm, &withdrawal);
      EXPECT_EQ(poll(requests, 3, withdrawal),
                Kinds({{Requests::arrival, 0}, {Requests::arrival, 1}, {Requests::withdrawal, 0}}));
    }
    EXPECT_TRUE(requests.idle());
  }));
}

// The request of a permit may be under way when the slot needs it for the next one.
TEST(Requests, OfTheSameSlotFollowEachOther) {
  testing::Simulation simulation(2, 2, {.eager = 0});
  const MPI_Comm comm = simulation.communicator();
  EXPECT_TRUE(simulation.run([&](int rank) {
    Requests requests;
    requests.reset(1);
    const int number = 7;
    int received = 0;
    for (int k = 0; k < 5; ++k)
      if (rank == 0) {
        requests.finish(Requests::reply, 0);
        MPI_Isend(&number, 1, MPI_INT, 1, 5, comm, requests.next(Requests::reply, 0));
      } else {
        requests.finish(Requests::arrival, 0);
        MPI_Irecv(&received, 1, MPI_INT, 0, 5, comm, requests.next(Requests::arrival, 0));
      }
    EXPECT_FALSE(requests.idle());
    EXPECT_EQ(poll(requests, 1).size(), 1);
    EXPECT_TRUE(requests.idle());
  }));
}

TEST(Requests, WithoutMessagesAreCancelled) {
  testing::Simulation simulation(1, 3);
  const MPI_Comm comm = simulation.communicator();
  EXPECT_TRUE(simulation.run([&](int) {
    Requests requests;
    requests.reset(2);
    int number = 0;
    MPI_Irecv(&number, 1, MPI_INT, 0, 5, comm, requests.next(Requests::arrival, 1));
    requests.cancel(Requests::arrival, 0);
    requests.cancel(Requests::arrival, 1);
    EXPECT_EQ(poll(requests, 1), Kinds({{Requests::arrival, 1}}));
    EXPECT_TRUE(requests.idle());
  }));
}

}  // namespace
}  // namespace xredist::core
