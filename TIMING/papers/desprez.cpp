// Times schedules as Desprez et al. 1998 did: packed messages, one step after the other on each process, no barrier
// between steps. Beside them the library ("library"), which overlaps steps, and all messages posted at once
// ("at-once").
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "../networks/mover.hpp"
#include "options.hpp"
#include "schedule/algorithm.hpp"
#include "timed.hpp"

namespace {

using networks::Case;
using networks::Index;
using networks::Local;

constexpr const char* header =
    "network,case,elements,processes,algorithm,steps,repetitions,bound_s,median_s,least_s,most_s,data\n";

// At most one message either way.
struct Step {
  int to = MPI_PROC_NULL, from = MPI_PROC_NULL, sent = 0, received = 0;
};

class StepByStep : public networks::Mover {
 public:
  StepByStep(const Case& c, const xredist::core::Schedule& schedule)
      : steps_(static_cast<std::size_t>(schedule.count)) {
    int me = 0, most = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const auto put = [&](const xredist::core::Message& message, const networks::Distribution& peers, int Step::*peer,
                         int Step::*bytes) {
      Step& step = steps_[static_cast<std::size_t>(message.step)];
      const int other = static_cast<int>(message.peer.row * peers.npcol + message.peer.col);
      if (other == me) return;
      if (step.*peer != MPI_PROC_NULL) throw std::invalid_argument("no proper schedule: two messages in a step");
      step.*peer = other;
      step.*bytes = static_cast<int>(message.elements()) * static_cast<int>(sizeof(double));
      most = std::max(most, step.*bytes);
    };
    if (me < c.a.processes())
      for (const auto& m : sends_of(c.traffic(), schedule, {me / c.a.npcol, me % c.a.npcol}))
        put(m, c.b, &Step::to, &Step::sent);
    if (me < c.b.processes())
      for (const auto& m : receives_of(c.traffic(), schedule, {me / c.b.npcol, me % c.b.npcol}))
        put(m, c.a, &Step::from, &Step::received);
    out_.resize(static_cast<std::size_t>(most));
    in_.resize(out_.size());
  }
  void move() override {
    for (const Step& step : steps_) {
      if (step.to != MPI_PROC_NULL && step.from != MPI_PROC_NULL)
        MPI_Sendrecv(out_.data(), step.sent, MPI_BYTE, step.to, 0, in_.data(), step.received, MPI_BYTE, step.from, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      else if (step.to != MPI_PROC_NULL)
        MPI_Send(out_.data(), step.sent, MPI_BYTE, step.to, 0, MPI_COMM_WORLD);
      else if (step.from != MPI_PROC_NULL)
        MPI_Recv(in_.data(), step.received, MPI_BYTE, step.from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  bool moves_contents() const override { return false; }

 private:
  std::vector<Step> steps_;
  std::vector<char> out_, in_;
};

struct Contender {
  std::unique_ptr<networks::Mover> mover;
  Index steps;  ///< 0 where all is posted at once
};

Contender contender(const std::string& name, const Case& c, Local& a, Local& b) {
  if (name == "at-once") return {networks::make_baseline(name, c), 0};
  const xredist::core::Network network{2e-6, 8e-10};
  const xredist::core::Algorithm* algorithm = xredist::core::find_algorithm(name == "library" ? "default" : name);
  const auto schedule = algorithm == nullptr ? std::nullopt : algorithm->make(c.traffic(), network);
  if (!schedule) throw std::invalid_argument("no such algorithm, or not defined here: " + name);
  if (name == "library") return {networks::make_mover("default", c, a, b), schedule->count};
  return {std::make_unique<StepByStep>(c, *schedule), schedule->count};
}

bool measure(const papers::Options& options) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) std::fputs(header, stdout);
  bool all_right = true;
  for (const int elements : options.wholes("elements")) {
    const Case c = networks::make_case(options.text("case"), elements * Index{sizeof(double)});
    if (c.processes() > size) throw std::invalid_argument(c.name + " needs more processes");
    Local a(c.a, c.m, c.n, rank), b(c.b, c.m, c.n, rank);
    a.number();
    for (const std::string& name : options.texts("algorithms")) {
      const Contender x = contender(name, c, a, b);
      b.clear();
      const papers::Times times = papers::timed(options.whole("repetitions"), [&] { x.mover->move(); });
      const bool right = !x.mover->moves_contents() || papers::everywhere(b.numbered());
      all_right = all_right && right;
      if (rank != 0) continue;
      const double bound = static_cast<double>(port_bytes(c)) / options.real("rate");
      std::printf("%s,%s,%lld,%lld,%s,%lld,%zu,%.6g,%.6g,%.6g,%.6g,%s\n", options.text("network").c_str(),
                  c.name.c_str(), static_cast<long long>(c.m * c.n), static_cast<long long>(c.processes()),
                  name.c_str(), static_cast<long long>(x.steps), times.count, bound, times.median, times.least,
                  times.most,
                  !x.mover->moves_contents() ? "unchecked"
                  : right                    ? "right"
                                             : "WRONG");
      std::fflush(stdout);
    }
  }
  return all_right;
}

}  // namespace

int main(int argc, char** argv) {
  return papers::run("desprez", argc, argv,
                     {{"network", "this computer"},
                      {"case", "16/3:16/5"},
                      {"elements", "1200"},
                      {"rate", "1.25e9"},
                      {"algorithms", "optimal,shifted,caterpillar,library,at-once"},
                      {"repetitions", "1"}},
                     measure);
}
