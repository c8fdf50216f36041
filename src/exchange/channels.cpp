// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/channels.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "exchange/communicator.hpp"
#include "exchange/errors.hpp"
#include "exchange/progress.hpp"
#include "exchange/watched_process.hpp"
#include "layout/digest.hpp"
#include "settings/log.hpp"

namespace xredist::core {
namespace {

// The words that the processes add when a channel is made: rank 0 contributes the bytes of its options, the key of the
// channel and whether it is watched, the others zeros; each process contributes its guess of the survey, and whether it
// lacks memory.
using OptionWords = std::array<Index, sizeof(Options) / sizeof(Index)>;
static_assert(std::has_unique_object_representations_v<Options>);  // no padding, whose bits would be undefined
struct Opening {
  OptionWords options{};
  Index key = 0, watched = 0, bad_option = 0, no_room = 0;
  SurveyGuess guess{};
};
using Numbers = std::array<std::uint64_t, sizeof(Opening) / sizeof(std::uint64_t)>;

// The words that a process contributes, the survey that it guesses, and on rank 0 the error in the environment.
struct Contribution {
  Numbers numbers{};
  std::optional<KnownSurvey> guessed{};
  std::string error{};
};

// Returns a number that no other channel has.
Index new_key(const Host& host) {
  static Index made = 0;
  Digest digest;
  digest.add(static_cast<Index>(host.process));
  digest.add(++made);
  return digest.number();
}

Contribution contribution_of(MPI_Comm parent, const Host& host, bool room) {
  const int rank = rank_in(parent);
  std::optional<KnownSurvey> guessed = guessed_survey(host, rank, size_of(parent));
  static bool made_one = false;
  const bool is_first = !std::exchange(made_one, true);  // only once per job, if all processes share the first channel
  Opening opening{.guess = guess_of(host, guessed, rank)};
  std::string found;
  if (rank == 0) try {
      auto [options, error, unknown] = options_from_environment();
      if (is_first && !unknown.empty())
        write_log("unknown variables in the environment, which nothing reads: %s", unknown.c_str());
      opening.options = std::bit_cast<OptionWords>(options);
      opening.key = new_key(host);
      opening.watched = is_watched() || options.watch > 0;
      opening.bad_option = !error.empty();
      found = std::move(error);
    } catch (const std::bad_alloc&) {
      room = false;
    }
  opening.no_room = !room;
  return {std::bit_cast<Numbers>(opening), std::move(guessed), std::move(found)};
}

bool is_first_watched(const Numbers& combined) { return std::bit_cast<Opening>(combined).watched != 0; }

// Returns the sums on which the processes agree. Throws on all processes or on none.
Channel::Agreement agreement_of(Contribution& combined, MPI_Comm comm, Progress& progress) {
  auto& [numbers, guessed, error] = combined;
  const auto opening = std::bit_cast<Opening>(numbers);
  if (opening.no_room != 0) throw OutOfMemorySomewhere();
  if (opening.bad_option == 0) {
    if (!all_guessed(opening.guess, guessed)) guessed.reset();
    return {std::bit_cast<Options>(opening.options), static_cast<std::uint64_t>(opening.key), opening.guess.processes,
            std::move(guessed)};
  }
  std::array<char, 256> text{};
  error.copy(text.data(), text.size() - 1);
  broadcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, comm, progress);
  throw BadOption(text.data());
}

// Attached to the parent communicator.
struct AttachedChannel {
  OwnedChannel channel;
};

// Handles an error of MPI as MPI_ERRORS_ARE_FATAL does, except a message that is longer than its receive: Receiver
// turns that into a Disagreement. (MPICH calls the handler of MPI_COMM_WORLD in its place.)
void end_unless_truncated(MPI_Comm* comm, int* code, ...) {  // NOLINT(cert-dcl50-cpp): as MPI declares a handler
  int error_class = MPI_SUCCESS;
  MPI_Error_class(*code, &error_class);
  if (error_class == MPI_ERR_TRUNCATE || error_class == MPI_ERR_IN_STATUS) return;
  MPI_Comm_set_errhandler(*comm, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_call_errhandler(*comm, *code);
}

// Sets the handler of a communicator, whose parent may have another one.
void handle_errors(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(end_unless_truncated, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
}

// Returns nothing if there is no memory, because the other processes wait for a message about it.
std::unique_ptr<AttachedChannel> try_to_make(MPI_Comm comm, const LibraryLock& lock) try {
  lock->attributes.reserve<AttachedChannel>();
  auto attached = std::make_unique<AttachedChannel>();
  attached->channel.reset(new Channel(lock->host, size_of(comm)));
  return attached;
} catch (const std::bad_alloc&) {
  return nullptr;
}

}  // namespace

void EndChannel::operator()(Channel* channel) const {
  LibraryLock lock;
  std::optional<InCall> call;
  if (!lock->queue.empty()) call.emplace("the end of a communicator");
  lock->queue.leave(*channel, lock->progress);
  delete channel;
}

Channel& channel_of(MPI_Comm parent, const LibraryLock& lock) {
  if (AttachedChannel* attached = lock->attributes.find<AttachedChannel>(parent)) {
    attached->channel->state_call();
    return *attached->channel;
  }
  auto made = try_to_make(parent, lock);
  Contribution combined = contribution_of(parent, lock->host, made != nullptr);
  MPI_Comm comm = duplicate(parent, combined.numbers, lock->progress);
  MPI_Comm_set_name(comm, "xredist");
  handle_errors(comm);
  try {
    Channel::Agreement agreed = agreement_of(combined, comm, lock->progress);  // throws if nothing was made
    made->channel->open(comm, Channel::Owner::channel, std::move(agreed));
    watch_channel(*made->channel, is_first_watched(combined.numbers), lock->progress);
  } catch (...) {
    MPI_Comm_free(&comm);
    throw;
  }
  Channel& channel = *lock->attributes.attach(parent, std::move(made)).channel;
  channel.state_call();
  return channel;
}

// A process that lacks memory ends the program.
OwnedChannel channel_within(MPI_Comm context, const LibraryLock& lock) {
  OwnedChannel made(new Channel(lock->host, size_of(context)));
  Contribution combined = contribution_of(context, lock->host, true);
  Numbers& numbers = combined.numbers;
  reduce(numbers.data(), static_cast<int>(numbers.size()), MPI_UINT64_T, MPI_SUM, context, lock->progress);
  made->open(context, Channel::Owner::context, agreement_of(combined, context, lock->progress));
  watch_channel(*made, is_first_watched(numbers), lock->progress);
  return made;
}

}  // namespace xredist::core
