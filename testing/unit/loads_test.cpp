// SPDX-License-Identifier: BSD-3-Clause
// The loads of random batches as each process works them out for itself: alike on both sides, within their bounds, in
// the order of the schedules, with every element once.
#include "plan/packets.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "known_plans.hpp"

namespace xredist::core {
namespace {

using testing::Call;
using testing::Communicator;
using testing::described;
using testing::Known;
using testing::Placed;
using testing::slow_build;

// Loads of messages that may go in another way than plainly: the largest that went plainly all the same, and the
// smallest that did not.
struct Sizes {
  Index plain = 0, other = std::numeric_limits<Index>::max();
};
struct Seen {
  Sizes shared, by_permit;
  int joined_loads = 0;  ///< with pieces of several plans
};

// A batch on a communicator, and what is the same on all processes of it.
struct World {
  const Communicator& communicator;
  std::vector<Known> batch;
  Cut cut;
};

// The pair's message in this step of a plan travels with earlier ones of the pair, as long as these do not fill a load.
// Returns the first of them: its plan in the batch, and the step in its schedule.
std::pair<Index, Index> first_together(const World& world, int from, int to, Index plan, Index step) {
  std::pair<Index, Index> first;
  Index bytes = std::numeric_limits<Index>::max();
  for (Index k = 0; k <= plan; ++k) {
    const Known& known = world.batch[static_cast<std::size_t>(k)];
    const auto found = known.messages.find({from, to});
    if (found == known.messages.end()) continue;
    const Placed& placed = *known.placed;
    const Way way = testing::expected_way(placed.options, world.communicator, from, to);
    for (const Message& message : found->second) {
      const auto& [rows, cols] = std::pair(message.rows, message.cols);
      const Index its = (rows.end - rows.begin) * (cols.end - cols.begin) * placed.call.bytes;
      if (its == 0) continue;
      if (bytes >= world.cut.limit(way)) {
        first = {k, message.step};
        bytes = 0;
      }
      bytes += its;
      if (k == plan && message.step == step) return first;
    }
  }
  return {-1, -1};
}

using Numbers = std::vector<Index>;  // all of a load that both sides must agree on

// Follows the loads of one process in one direction and checks each.
class Follower {
 public:
  Follower(World& world, int rank, bool sending, Seen& seen)
      : world_(world), rank_(rank), sending_(sending), seen_(seen) {}

  void add(const Load& load, const std::vector<Index>& plan_of_job, const Job* jobs) {
    const int from = sending_ ? rank_ : load.rank, to = sending_ ? load.rank : rank_;
    ASSERT_NE(from, to);
    ASSERT_FALSE(load.pieces.empty());
    Numbers numbers{static_cast<Index>(load.way), load.bytes};
    Index offset = 0;
    std::set<Index> plans;
    for (const LoadedPiece& loaded : load.pieces) {
      const Index plan = plan_of_job[static_cast<std::size_t>(loaded.job - jobs)];
      const auto& [p, q, rows, cols] = loaded.piece;
      Known& known = world_.batch[static_cast<std::size_t>(plan)];
      ASSERT_TRUE(known.placed->sender(p) == from && known.placed->receiver(q) == to);
      ASSERT_EQ(loaded.offset, offset);
      offset += rows.count * cols.count * known.placed->call.bytes;
      numbers.insert(numbers.end(), {plan, rows.first, rows.last, rows.count, cols.first, cols.last, cols.count});
      plans.insert(plan);
      follow(from, to, plan, step_of(known, from, to, loaded.piece));
      if (sending_) count_elements(known, loaded.piece);
    }
    ASSERT_EQ(load.bytes, offset);
    ASSERT_LE(load.bytes, world_.cut.piece_bytes);
    check_way(load, from, to, plan_of_job[static_cast<std::size_t>(load.pieces.front().job - jobs)]);
    seen_.joined_loads += plans.size() > 1;
    loads_[load.rank].push_back(std::move(numbers));
  }

  const std::map<int, std::vector<Numbers>>& loads() const { return loads_; }

 private:
  // Steps ascend. In joined plans, messages that travel together come in the place of the first.
  void follow(int from, int to, Index plan, Index step) {
    ASSERT_GE(step, 0) << "a piece of two parts, or of none";
    const bool joined = world_.batch.size() > 1;
    const std::pair now = joined ? first_together(world_, from, to, plan, step) : std::pair(plan, step);
    ASSERT_GE(now, last_) << "out of the order of the steps";
    last_ = now;
    if (!joined) return;
    const int other = sending_ ? to : from;
    ASSERT_GE(std::pair(plan, step), last_of_rank_.try_emplace(other, -1, -1).first->second);
    last_of_rank_[other] = {plan, step};
  }

  void check_way(const Load& load, int from, int to, Index plan) {
    const Options& options = world_.batch[static_cast<std::size_t>(plan)].placed->options;
    const Way way = testing::expected_way(options, world_.communicator, from, to);
    ASSERT_TRUE(load.way == way || load.way == Way::plain);
    ASSERT_TRUE(way != Way::by_permit || load.bytes <= permitted_piece);
    if (way == Way::plain) return;
    Sizes& sizes = way == Way::shared ? seen_.shared : seen_.by_permit;
    if (load.way == Way::plain)
      sizes.plain = std::max(sizes.plain, load.bytes);
    else
      sizes.other = std::min(sizes.other, load.bytes);
  }

  World& world_;
  int rank_;
  bool sending_;
  Seen& seen_;
  std::pair<Index, Index> last_{-1, -1};
  std::map<int, std::pair<Index, Index>> last_of_rank_;
  std::map<int, std::vector<Numbers>> loads_;  // by the other process's rank
};

// Checks what a process sends, or receives, in this batch; its jobs are only those plans in which it has a part.
std::map<int, std::vector<Numbers>> loads_of(World& world, int rank, bool sending, Loads& loads, Seen& seen) {
  Batch batch{{}, world.batch.size() > 1, world.cut};
  std::vector<Index> plan_of_job;
  for (Index k = 0; k < std::ssize(world.batch); ++k) {
    const Plan& plan = world.batch[static_cast<std::size_t>(k)].plans[static_cast<std::size_t>(rank)];
    if (!plan.takes_part()) continue;
    batch.jobs.push_back({&plan, {}, {}});
    plan_of_job.push_back(k);
  }
  Follower follower(world, rank, sending, seen);
  Load load;
  Index count = 0;
  loads.start(batch, 0, sending);
  for (; loads.next(load) && !::testing::Test::HasFatalFailure(); ++count)
    follower.add(load, plan_of_job, batch.jobs.data());
  if (!batch.joined && !batch.jobs.empty()) {
    EXPECT_LE(count, batch.jobs.front().plan->loads);
  }
  return follower.loads();
}

void check(const Communicator& communicator, const std::vector<Placed>& placed, Loads& loads, Seen& seen) {
  World world{communicator, {}, {std::numeric_limits<Index>::max(), most_slots, std::numeric_limits<Index>::max()}};
  std::string trace = described(communicator);
  for (const Placed& p : placed) {
    trace.append("\n").append(described(p));
    world.batch.push_back(testing::known_of(p, communicator));
    world.cut = common(world.cut, world.batch.back().plans.front().cut);
  }
  SCOPED_TRACE(trace);
  std::map<std::pair<int, int>, std::vector<Numbers>> sent, received;
  for (int rank = 0; rank < communicator.size() && !::testing::Test::HasFatalFailure(); ++rank) {
    for (auto& [to, numbers] : loads_of(world, rank, true, loads, seen)) sent[{rank, to}] = numbers;
    for (auto& [from, numbers] : loads_of(world, rank, false, loads, seen)) received[{from, rank}] = numbers;
  }
  if (::testing::Test::HasFatalFailure()) return;
  ASSERT_TRUE(sent == received) << "senders and receivers cut differently";
  for (const Known& known : world.batch) expect_each_once(known);
}

// One to four plans of matrices of at most `longest` rows and columns, with buffers of `least_buffer` bytes or more.
std::pair<Communicator, std::vector<Placed>> random_batch(testing::Random& random, Index longest, Index least_buffer) {
  std::vector<Call> calls;
  int processes = 1;
  for (Index k = random.below(4); k >= 0; --k) {
    calls.push_back(testing::random_call(random, 3, longest, longest));
    processes = std::max({processes, testing::processes_of(calls.back().a), testing::processes_of(calls.back().b)});
  }
  const Communicator communicator = testing::random_communicator(random, processes);
  std::vector<Placed> placed;
  Options options = testing::random_options(random, least_buffer);
  for (const Call& call : calls) {
    if (random.below(2) == 0) options = testing::random_options(random, least_buffer);
    placed.push_back(testing::random_placed(random, call, communicator.size(), options));
  }
  return {communicator, placed};
}

TEST(Loads, AreTheSameOnBothSides) {
  testing::Random random(81);
  Loads loads;
  Seen seen;
  for (int trial = 0; trial < (slow_build ? 100 : 2000) && !HasFailure(); ++trial) {
    const auto [communicator, placed] = random_batch(random, 60, 400);
    check(communicator, placed, loads, seen);
  }
  EXPECT_GT(seen.joined_loads, 0);
}

// The loads are large enough for every way.
TEST(Loads, OfLargeMatrices) {
  testing::Random random(82);
  Loads loads;
  Seen seen;
  for (int trial = 0; trial < (slow_build ? 10 : 200) && !HasFailure(); ++trial) {
    const auto [communicator, placed] = random_batch(random, 500, 30'000);
    check(communicator, placed, loads, seen);
  }
  EXPECT_GT(seen.joined_loads, 0);
  EXPECT_LT(seen.shared.plain, seen.shared.other);  // only the size of a load decides whether it goes plainly
  EXPECT_LT(seen.by_permit.plain, seen.by_permit.other);
  for (const Sizes& sizes : {seen.shared, seen.by_permit}) {
    EXPECT_GT(sizes.plain, 0);
    EXPECT_LT(sizes.other, permitted_piece);
  }
}

// For each load, the jobs that its pieces belong to.
std::vector<std::vector<std::ptrdiff_t>> jobs_of_loads(Loads& loads, const Batch& batch) {
  std::vector<std::vector<std::ptrdiff_t>> jobs;
  Load load;
  for (loads.start(batch, 0, true); loads.next(load);) {
    jobs.emplace_back();
    for (const LoadedPiece& loaded : load.pieces) jobs.back().push_back(loaded.job - batch.jobs.data());
  }
  return jobs;
}

// Three small plans between the same two processes: where they are joined they make one load, in the plans' order.
TEST(Loads, JoinPlansOfAPair) {
  const Layout one{{4, 1, 0, 0}, {4, 1, 0, 0}};
  const Redistribution redistribution = redistribution_of(one, one, 4, 4, {}, 8);
  const std::vector<int> ranks_a{0}, ranks_b{1};
  const Plan plan = make_plan(redistribution, ranks_a, ranks_b, 0, {}, {});
  const Batch joined{std::vector<Job>(3, Job{&plan, {}, {}}), true, plan.cut};
  Batch narrow = joined, apart = joined;
  narrow.cut.piece_bytes = narrow.cut.shared_bytes = 2 * 128;
  apart.joined = false;
  using Jobs = std::vector<std::ptrdiff_t>;
  Loads loads;
  EXPECT_EQ(jobs_of_loads(loads, joined), std::vector<Jobs>({{0, 1, 2}}));
  EXPECT_EQ(jobs_of_loads(loads, narrow), std::vector<Jobs>({{0, 1}, {2}}));
  EXPECT_EQ(jobs_of_loads(loads, apart), std::vector<Jobs>({{0}, {1}, {2}}));

  Batch in_pieces = joined;
  in_pieces.cut.piece_bytes = in_pieces.cut.shared_bytes = 32;
  Load load;
  loads.start(in_pieces, 0, true);
  loads.next(load);  // the walk is left in the middle of a message, and starts anew
  EXPECT_EQ(jobs_of_loads(loads, joined), std::vector<Jobs>({{0, 1, 2}}));
}

// Two plans from one process to two others: short messages for one process travel together, long ones plan by plan.
TEST(Loads, OfLongMessagesComePlanByPlan) {
  const Layout one{{4, 1, 0, 0}, {4, 1, 0, 0}}, two{{2, 2, 0, 0}, {4, 1, 0, 0}};
  const Redistribution redistribution = redistribution_of(one, two, 4, 4, {}, 8);
  const std::vector<int> ranks_a{0}, ranks_b{1, 2};
  const Plan plan = make_plan(redistribution, ranks_a, ranks_b, 0, {}, {});
  const Batch batch{std::vector<Job>(2, Job{&plan, {}, {}}), true, plan.cut};
  Batch narrow = batch;
  narrow.cut.piece_bytes = narrow.cut.shared_bytes = 64;  // that of a message
  using Jobs = std::vector<std::ptrdiff_t>;
  Loads loads;
  EXPECT_EQ(jobs_of_loads(loads, batch), std::vector<Jobs>({{0, 1}, {0, 1}}));
  EXPECT_EQ(jobs_of_loads(loads, narrow), std::vector<Jobs>({{0}, {0}, {1}, {1}}));

  Load load;
  loads.start(narrow, 0, true);
  for (const bool more : {true, true, false, false}) {
    EXPECT_TRUE(loads.has_more_of(narrow.jobs[1]));
    EXPECT_EQ(loads.has_more_of(narrow.jobs[0]), more);
    if (loads.has_more_of(narrow.jobs[0]) == more) loads.next(load);
  }
  EXPECT_FALSE(loads.has_more_of(narrow.jobs[1]));
}

TEST(Loads, OfACutThatFitsAllPlans) {
  for (const Cut& cut : {common({1000, 3, 90}, {700, 5, 80}), common({700, 5, 80}, {1000, 3, 90}),
                         common({1000, 5, 80}, {700, 3, 90})}) {
    EXPECT_EQ(cut.piece_bytes, 700);
    EXPECT_EQ(cut.shared_bytes, 80);
    EXPECT_EQ(cut.slots, 3);
  }
}

}  // namespace
}  // namespace xredist::core
