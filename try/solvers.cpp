// SPDX-License-Identifier: BSD-3-Clause
// The names under which programs call P?POTRF, P?GETRF, P?SYEV and P?SYEVD, which --layouts tries.
#include <complex>

#include "layouts.hpp"
#include "trial.hpp"

using namespace xredist::trial;
using xredist::core::capital;

namespace {

constexpr int one = 1, query = -1;

template <class T>
T* elements(std::vector<std::byte>& local) {
  return reinterpret_cast<T*>(local.data());
}

template <class T>
std::size_t size_of_workspace(T wanted) {
  return wanted > 1 ? static_cast<std::size_t>(wanted) : 1;
}

}  // namespace

// `own` is the program's own routine; `passed`: its arguments. Then follows the solver of the copy.
#define TRY_SOLVER(name, ROUTINE, type, is_query, reason, vectors, passed, ...) \
  static auto* const own = reinterpret_cast<decltype(&(name))>(next(#name));    \
  solve(                                                                        \
      {ROUTINE, sizeof(type), *n, *ia, *ja, a, desca, is_query, reason, vectors}, [&] { own passed; }, __VA_ARGS__);

#define TRY_FACTORS(letter, LETTER, type)                                                                              \
  [[gnu::visibility("default")]] void p##letter##potrf_(const char* uplo, const int* n, type* a, const int* ia,        \
                                                        const int* ja, const int* desca, int* info) {                  \
    TRY_SOLVER(p##letter##potrf_, "P" #LETTER "POTRF", type, false, nullptr, false, (uplo, n, a, ia, ja, desca, info), \
               [&](Fitted& b) {                                                                                        \
                 int failed = 0;                                                                                       \
                 own(uplo, n, elements<type>(b.a), &one, &one, b.desc.data(), &failed);                                \
                 return failed;                                                                                        \
               })                                                                                                      \
  }                                                                                                                    \
  [[gnu::visibility("default")]] void p##letter##getrf_(const int* m, const int* n, type* a, const int* ia,            \
                                                        const int* ja, const int* desca, int* pivots, int* info) {     \
    TRY_SOLVER(p##letter##getrf_, "P" #LETTER "GETRF", type, false, *m == *n ? nullptr : "M is not N", false,          \
               (m, n, a, ia, ja, desca, pivots, info), [&](Fitted& b) {                                                \
                 int failed = 0;                                                                                       \
                 std::vector<int> swaps(static_cast<std::size_t>(b.rows() + b.desc[4]));                               \
                 own(m, n, elements<type>(b.a), &one, &one, b.desc.data(), swaps.data(), &failed);                     \
                 return failed;                                                                                        \
               })                                                                                                      \
  }

#define TRY_EIGENVALUES(letter, LETTER, type)                                                                      \
  [[gnu::visibility("default")]] void p##letter##syev_(                                                            \
      const char* jobz, const char* uplo, const int* n, type* a, const int* ia, const int* ja, const int* desca,   \
      type* w, type* z, const int* iz, const int* jz, const int* descz, type* work, const int* lwork, int* info) { \
    TRY_SOLVER(p##letter##syev_, "P" #LETTER "SYEV", type, *lwork == query, nullptr, capital(*jobz) == 'V',        \
               (jobz, uplo, n, a, ia, ja, desca, w, z, iz, jz, descz, work, lwork, info), [&](Fitted& b) {         \
                 int failed = 0, size = query;                                                                     \
                 std::vector<type> values(static_cast<std::size_t>(*n)), room(1);                                  \
                 for (int call = 0; call < 2 && failed == 0; ++call) {                                             \
                   own(jobz, uplo, n, elements<type>(b.a), &one, &one, b.desc.data(), values.data(),               \
                       elements<type>(b.z), &one, &one, b.desc.data(), room.data(), &size, &failed);               \
                   room.resize(size_of_workspace(room[0]));                                                        \
                   size = static_cast<int>(room.size());                                                           \
                 }                                                                                                 \
                 return failed;                                                                                    \
               })                                                                                                  \
  }                                                                                                                \
  [[gnu::visibility("default")]] void p##letter##syevd_(                                                           \
      const char* jobz, const char* uplo, const int* n, type* a, const int* ia, const int* ja, const int* desca,   \
      type* w, type* z, const int* iz, const int* jz, const int* descz, type* work, const int* lwork, int* iwork,  \
      const int* liwork, int* info) {                                                                              \
    TRY_SOLVER(                                                                                                    \
        p##letter##syevd_, "P" #LETTER "SYEVD", type, *lwork == query || *liwork == query, nullptr,                \
        capital(*jobz) == 'V',                                                                                     \
        (jobz, uplo, n, a, ia, ja, desca, w, z, iz, jz, descz, work, lwork, iwork, liwork, info), [&](Fitted& b) { \
          int failed = 0, size = query, isize = 1;                                                                 \
          std::vector<type> values(static_cast<std::size_t>(*n)), room(1);                                         \
          std::vector<int> iroom(1);                                                                               \
          for (int call = 0; call < 2 && failed == 0; ++call) {                                                    \
            own(jobz, uplo, n, elements<type>(b.a), &one, &one, b.desc.data(), values.data(), elements<type>(b.z), \
                &one, &one, b.desc.data(), room.data(), &size, iroom.data(), &isize, &failed);                     \
            room.resize(size_of_workspace(room[0])), iroom.resize(size_of_workspace(iroom[0]));                    \
            size = static_cast<int>(room.size()), isize = static_cast<int>(iroom.size());                          \
          }                                                                                                        \
          return failed;                                                                                           \
        })                                                                                                         \
  }

extern "C" {
TRY_FACTORS(s, S, float)
TRY_FACTORS(d, D, double)
TRY_FACTORS(c, C, std::complex<float>)
TRY_FACTORS(z, Z, std::complex<double>)
TRY_EIGENVALUES(s, S, float)
TRY_EIGENVALUES(d, D, double)
}
