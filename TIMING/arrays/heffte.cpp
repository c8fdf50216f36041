// SPDX-License-Identifier: BSD-3-Clause
#include <heffte.h>

#include <complex>
#include <memory>

#include "arrays/contender.hpp"

namespace arrays {
namespace {

using Box3 = heffte::box3d<int>;
using Reshape = heffte::reshape3d_base<int>;

std::vector<Box3> boxes(const Case& c, const Side& side) {
  const auto three = [](const std::vector<Index>& of, Index less) {
    return std::array<int, 3>{static_cast<int>(of[0] - less), static_cast<int>(of[1] - less),
                              static_cast<int>(of[2] - less)};
  };
  std::vector<Box3> made;
  for (const Box& box : boxes_of(c, side))
    made.push_back({three(box.low, 0), three(box.high, 1), {side.order[0], side.order[1], side.order[2]}});
  return made;
}

template <class Scalar>
std::function<void()> call_of(Stage& stage, const std::shared_ptr<Reshape>& reshape) {
  const auto workspace = std::make_shared<std::vector<Scalar>>(reshape->size_workspace());
  return [&stage, reshape, workspace] {
    reshape->apply(1, reinterpret_cast<const Scalar*>(stage.a.data.data()),
                   reinterpret_cast<Scalar*>(stage.b.data.data()), workspace->data());
  };
}

}  // namespace

Contender heffte(Stage& stage, bool pipelined) {
  const std::string name = pipelined ? "heffte-pipelined" : "heffte";
  const Case& c = stage.c;
  if (c.dims() != 3 || (c.bytes != 8 && c.bytes != 16) || boxes_of(c, c.a).empty() || boxes_of(c, c.b).empty())
    return {name};
  return {name, [&stage, &c, pipelined] {
            ::heffte::plan_options options(::heffte::backend::fftw{});
            options.algorithm =
                pipelined ? ::heffte::reshape_algorithm::p2p_plined : ::heffte::reshape_algorithm::alltoallv;
            const std::shared_ptr<Reshape> reshape = ::heffte::make_reshape3d<::heffte::backend::fftw, int>(
                nullptr, boxes(c, c.a), boxes(c, c.b), MPI_COMM_WORLD, options);
            return c.bytes == 8 ? call_of<double>(stage, reshape) : call_of<std::complex<double>>(stage, reshape);
          }};
}

}  // namespace arrays
