// SPDX-License-Identifier: BSD-3-Clause
// The panels into which an execution cuts all transfers, besides those of a route.
#pragma once

#include <cstdint>

#include "plan/plan.hpp"

namespace xredist::core {

/// Returns the number of panels for messages with short runs. Lines of A and of B then have parts of several messages,
/// and of the copies; within a panel they stay in the caches from one message to the next. Equal on all processes. 1 if
/// runs are long, if there is little to move, or if messages travel between nodes.
std::int16_t panels_for_caches(const Redistribution& redistribution, const Links& links);

/// Returns the number of panels of an execution that gives the memory of A back while it sends A. Equal on all
/// processes. At least those of the plan; no more if A is small, or if panels would not help.
std::int16_t panels_to_consume(const Plan& plan);

/// Returns whether panels are parts of lines of A: of columns of a matrix. Otherwise panels consist of whole lines. In
/// either case a panel of a local matrix is contiguous, or one piece of each long line, so A is left page after page.
/// Equal on all processes, as the plan's size of a page is.
bool cuts_lines(const Plan& plan);

/// Reduces a transfer to one of `panels` panels: the same fraction of each message, so all processes send and receive
/// in each panel.
void cut_to_panel(const Plan& plan, Transfer& transfer, Index panel, Index panels);

/// Returns an upper bound on the bytes of this process's parts of A and of B that are resident at once in an execution
/// that consumes A, if all whole pages of A can go back. Neglects a page at either end of each panel.
Index peak_bytes(const Plan& plan);

}  // namespace xredist::core
