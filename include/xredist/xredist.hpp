// SPDX-License-Identifier: BSD-3-Clause
// xredist.h for C++: plans and requests are freed by destructors, and errors are exceptions.
#pragma once

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "xredist/xredist.h"

namespace xredist {

/// Throws the exception for a value that a function of xredist.h returned, unless it is 0.
inline void check(int error, const char* routine) {
  if (error == 0) return;
  if (error == XREDIST_NO_MEMORY) throw std::bad_alloc();
  if (error == XREDIST_BAD_OPTION) throw std::invalid_argument(std::string(routine) + ": bad value of an option");
  if (error == XREDIST_DISAGREEMENT)
    throw std::runtime_error(std::string(routine) + ": processes pass different arguments");
  if (error == XREDIST_PEER_FAILED) throw std::runtime_error(std::string(routine) + ": another process lacks memory");
  throw std::invalid_argument(std::string(routine) + ": argument " + std::to_string(-error) + " is wrong");
}

/// An exchange under way. The destructor waits for its end and ignores its error.
class Request {
 public:
  explicit Request(xredist_request* request) : request_(request) {}
  Request(Request&& other) noexcept : request_(std::exchange(other.request_, nullptr)) {}
  Request& operator=(Request&& other) noexcept {
    std::swap(request_, other.request_);
    return *this;
  }
  ~Request() { xredist_wait(&request_); }

  /// Makes progress, and returns whether the exchange has ended.
  bool test() {
    int done = 0;
    check(xredist_test(&request_, &done), "xredist_test");
    return done != 0;
  }
  void wait() { check(xredist_wait(&request_), "xredist_wait"); }

 private:
  xredist_request* request_;
};

/// A plan for elements of type Element (4, 8 or 16 bytes). The arguments are those of xredist_plan_create.
template <class Element>
class Plan {
 public:
  Plan(MPI_Comm comm, std::int64_t m, std::int64_t n, const xredist_layout& a, std::int64_t ia, std::int64_t ja,
       const xredist_layout& b, std::int64_t ib, std::int64_t jb) {
    check(xredist_plan_create(comm, m, n, sizeof(Element), &a, ia, ja, &b, ib, jb, &plan_), "xredist_plan_create");
  }
  Plan(Plan&& other) noexcept : plan_(std::exchange(other.plan_, nullptr)) {}
  Plan& operator=(Plan&& other) noexcept {
    std::swap(plan_, other.plan_);
    return *this;
  }
  ~Plan() { xredist_plan_destroy(plan_); }

  void execute(const Element* a, std::int64_t lda, Element* b, std::int64_t ldb) const {
    check(xredist_execute(plan_, a, lda, b, ldb), "xredist_execute");
  }
  /// Until the request has ended, keep both arrays, do not read B, and do not change A.
  [[nodiscard]] Request start(const Element* a, std::int64_t lda, Element* b, std::int64_t ldb) const {
    xredist_request* request = nullptr;
    check(xredist_start(plan_, a, lda, b, ldb, &request), "xredist_start");
    return Request(request);
  }
  const xredist_plan* get() const { return plan_; }

 private:
  xredist_plan* plan_ = nullptr;
};

}  // namespace xredist
