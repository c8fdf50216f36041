// Executes plans.
#pragma once

#include <span>
#include <stdexcept>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/own.hpp"
#include "exchange/workspace.hpp"

namespace xredist {

/// Processes do not pass the same arguments.
struct Disagreement : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Some redistributions under way together.
class Exchange {
 public:
  /// All plans are of the channel's communicator. May be called again when the last one is done.
  void prepare(std::span<const Job> jobs, Channel& channel);

  /// Uses the workspace from here on, until done() says yes.
  void begin(Workspace& space);

  /// Does what there is to do. `wait`: and waits for something to do first, if there is nothing.
  /// Throws Disagreement where processes exchange other lengths than they expect.
  void progress(bool wait);
  bool done() const { return done_; }

 private:
  std::byte* part(std::size_t slot) const;
  void receive(std::size_t slot);
  void permit();
  MPI_Request* reply(std::size_t slot);
  void arrived(std::size_t slot, const MPI_Status& status);
  void send(std::size_t slot);
  void give_notice(std::size_t slot);
  void launch();
  void sent(std::size_t slot);
  void finish(std::size_t request, const MPI_Status& status);
  void check(const Load& load, int bytes) const;
  int pack(const Load& load, std::byte* to);
  void unpack(const Load& load, const std::byte* from);
  bool copy_own();

  std::vector<Job> jobs_;
  Channel* channel_ = nullptr;
  Stream sends_, receives_;
  Index piece_bytes_ = 0;
  std::size_t slots_ = 0;
  bool synchronous_ = false;
  bool done_ = false;
  Workspace* space_ = nullptr;
  std::byte* buffer_ = nullptr;
  std::vector<std::size_t> unpermitted_, unsent_;  // slots of guarded loads, in the order of the schedule
  Index coming_ = 0, going_ = 0, window_ = 0;      // bytes of those under way, and the most
  std::vector<OwnPart> own_;
};

}  // namespace xredist
