// SPDX-License-Identifier: BSD-3-Clause
#include "api/errors.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "exchange/errors.hpp"
#include "file/error.hpp"

namespace xredist::core {
namespace {

// An array, because there may be no memory for a text.
thread_local std::array<char, 512> last_error{};

}  // namespace

int failure(xredist_code code, std::string_view sentence) noexcept {
  const std::size_t length = std::min(sentence.size(), last_error.size() - 1);
  *std::copy_n(sentence.data(), length, last_error.data()) = '\0';
  return code;
}

int failure_of_exception() noexcept {
  try {
    throw;
  } catch (const InvalidArgument& error) {
    return failure(XREDIST_INVALID_ARGUMENT, error.what());
  } catch (const CodedError& error) {
    return failure(static_cast<xredist_code>(error.code), error.what());
  } catch (const FileError& error) {
    return failure(XREDIST_FILE_ERROR, error.what());
  } catch (const OutOfMemory& error) {
    return failure(XREDIST_NO_MEMORY, error.what());
  } catch (const OutOfMemorySomewhere& error) {
    return failure(XREDIST_NO_MEMORY, error.what());
  } catch (const std::bad_alloc&) {
    return failure(XREDIST_NO_MEMORY, "out of memory");
  } catch (const BadOption& error) {
    return failure(XREDIST_BAD_OPTION, error.what());
  } catch (const Disagreement& error) {
    return failure(XREDIST_DISAGREEMENT, error.what());
  } catch (const Withdrawn& error) {
    return failure(error.for_ever ? XREDIST_DISAGREEMENT : XREDIST_PEER_FAILED, error.what());
  }
}

}  // namespace xredist::core

const char* xredist_error() { return xredist::core::last_error.data(); }
