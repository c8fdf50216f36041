// Executes plans.
#pragma once

#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/own.hpp"
#include "exchange/packing.hpp"
#include "exchange/stream.hpp"

namespace xredist {

/// Memory that exchanges work in, kept from one to the next: freed and faulted in anew it would
/// cost more than a small exchange itself. One for each process.
class Workspace {
 public:
  /// At least `bytes` of memory; what it held is lost.
  std::byte* reserve(Index bytes);

  Packer packer;
  std::vector<MPI_Request> requests;
  std::vector<int> completed;
  std::vector<MPI_Status> statuses;
  struct Notice {
    int slot, bytes;
  };
  std::vector<Notice> notices;  ///< see Exchange
  std::vector<Load> arriving;
  Load leaving;

 private:
  std::unique_ptr<std::byte[]> memory_;
  Index size_ = 0;
};

/// Says how much memory was wanted.
struct OutOfMemory : std::bad_alloc {
  explicit OutOfMemory(Index bytes) : text("out of memory: " + std::to_string(bytes) + " bytes wanted") {}
  const char* what() const noexcept override { return text.c_str(); }
  std::string text;
};

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
  bool shared(const Load& load) const;
  std::byte* part(std::size_t slot) const;
  void receive(std::size_t slot);
  void send(std::size_t slot);
  void give_notice(std::size_t slot, int rank, Index bytes);
  void finish(std::size_t request, const MPI_Status& status);
  void check(const Load& load, int bytes) const;
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
  std::vector<OwnPart> own_;
};

/// The exchanges that the process has started, which are carried out one after the other. What is done
/// and nobody holds any more is used again: repeated calls allocate nothing.
class Queue {
 public:
  Workspace space;

  /// Starts an exchange: collective over the processes that have messages for each other, in the same
  /// order on all of them. If A and B overlap, the own part is right and the rest as the program
  /// deserves (ScaLAPACK's routine promises no more).
  std::shared_ptr<Exchange> start(std::span<const Job> jobs, Channel& channel);

  /// Makes progress; true if the exchange is done.
  bool test(const Exchange& exchange);
  void wait(const Exchange& exchange);

 private:
  void progress(bool wait);

  std::vector<std::shared_ptr<Exchange>> exchanges_;  // the first is under way
  std::shared_ptr<Exchange> last_;                    // that was done
};

/// The process's queue; freed by MPI_Finalize.
Queue& queue();

}  // namespace xredist
