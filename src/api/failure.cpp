// SPDX-License-Identifier: BSD-3-Clause
#include "api/failure.hpp"

#include <new>

#include "exchange/errors.hpp"

namespace xredist::core {
namespace {

// An array, because there may be no memory for a text.
thread_local std::array<char, 512> last_sentence{};

}  // namespace

Failure current_failure() noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure;
  } catch (const OutOfMemory& error) {
    return {XREDIST_NO_MEMORY, error.what()};
  } catch (const OutOfMemorySomewhere& error) {
    return {XREDIST_NO_MEMORY, error.what()};
  } catch (const std::bad_alloc&) {
    return {XREDIST_NO_MEMORY, "out of memory"};
  } catch (const MpiNotRunning& error) {
    return {XREDIST_INVALID_ARGUMENT, error.what()};
  } catch (const BadOption& error) {
    return {XREDIST_BAD_OPTION, error.what()};
  } catch (const Disagreement& error) {
    return {XREDIST_DISAGREEMENT, error.what()};
  } catch (const PeerFailed& error) {
    return {error.permanent ? XREDIST_DISAGREEMENT : XREDIST_PEER_FAILED, error.what()};
  }
}

int code_of(const Failure* failure) noexcept {
  if (failure == nullptr) return XREDIST_SUCCESS;
  last_sentence = failure->sentence;
  return failure->code;
}

}  // namespace xredist::core

const char* xredist_error() { return xredist::core::last_sentence.data(); }
