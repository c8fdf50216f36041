// SPDX-License-Identifier: BSD-3-Clause
// The thresholds of the planner. All processes must decide alike, so work is bounded by counts, never by a clock. The
// times are those of one core of about 3 GHz in planning_benchmark; a test, TakesTenMillisecondsForRandomCases, checks
// the sum of all of them for a plan on up to 1024 processes.
#pragma once

#include <cstddef>

#include "layout/index.hpp"

namespace xredist::core::limits {

// ---- Colouring graphs (coloured.cpp, axis_graph.cpp). Finding and colouring a message takes 20 to 50 ns; the times of
// colourings below are products with it.

/// Edges of an axis's graph that the default schedule colours without first trying a shortcut: 2 to 5 ms. A larger axis
/// is cut into stretches of at most this many edges (T19): 1000x1000/64x64:1000x999/36x36 on 10^7 x 10^7 elements then
/// takes 4.4 ms instead of 189 ms.
inline constexpr double edges_to_colour = 100'000;
/// Edges of an axis shorter than a period from which the default schedule tries a whole period (T37) instead of a list
/// of the edges: about 20 us.
inline constexpr double edges_to_list = 128;
/// Edges from which the default schedule tries all pairs (T17), which need no colouring.
inline constexpr double edges_without_shortcut = edges_to_colour / 2;
/// Edges from which all pairs may cost `many_more_steps`: pairs meet often, so stretches would cost about as much.
inline constexpr double edges_of_dense_axis = 4 * edges_to_colour;
/// Steps of all pairs over the messages of element 0's owner, at most; and on an axis of `edges_of_dense_axis`.
inline constexpr double few_more_steps = 1.05, many_more_steps = 1.25;
/// Maximum of the steps of stretches (T19) over the messages of element 0's owner. The second limit is for axes of more
/// than `messages_to_colour_well` messages, where the whole graph is not coloured well either. Example: if that owner
/// has 500 messages, stretches may take 510 steps, or 625 on an axis of more than 150,000 messages. With one limit for
/// both, 3 of 4000 random cases of long axes have 1 to 17 % more steps.
inline constexpr double steps_of_stretches = 1.02, steps_of_many_stretches = 1.25;
inline constexpr double messages_to_colour_well = 1.5 * edges_to_colour;
/// Edges above which stretches are taken whatever they cost, in multiples of `edges_to_colour`: 10 to 20 ms otherwise.
inline constexpr double stretches_at_least = 4;
/// Edges up to which a bounded colouring uses the minimum number of colours. Above, it uses one fifteenth more: then
/// most edges find a colour that is free at both ends, and few alternating paths are followed.
inline constexpr std::size_t edges_to_colour_exactly = 60'000;
inline constexpr int colours_per_spare_colour = 15;
/// Edges that alternating paths may recolour: with up to `edges_to_colour_exactly` edges, with up to
/// `edges_to_recolour` edges, and above.
inline constexpr Index recoloured_if_exact = 250'000, recoloured_if_large = 30'000, recoloured_if_huge = 0;
inline constexpr std::size_t edges_to_recolour = 150'000;
/// Edges of a contracted graph (T5) up to which it is coloured rather than cut by arithmetic (T16): colouring fills the
/// steps better, in 1 to 3 ms.
inline constexpr double edges_to_colour_if_periodic = 1 << 16;
/// Messages of both axes, and nodes times colours, up to which the two-dimensional graph is coloured as a whole:
/// milliseconds and 4 MB.
inline constexpr std::size_t messages_to_colour = 1 << 15;
inline constexpr double node_colours = 1 << 20;
/// Edges of the small colouring (T12) from which one class for a lone process (T6) is preferred, if it leaves less to
/// colour: 0.3 to 0.8 ms. Without it, whole periods of 1x966/30 -> 361x2/29x45 take 15.6 ms instead of 0.1.
inline constexpr Index edges_of_small_colouring = 1 << 14;

// ---- Weighing and cutting messages (choose.cpp, split.cpp)

/// Edges of both axes above which schedules are not compared, which alone takes milliseconds; and edges of an axis
/// above which messages to oneself take a step.
inline constexpr double edges_to_weigh = 4096;
/// Pieces of an axis (T14) of `edges_to_weigh` pairs of processes, at most, whose messages are listed for a plan of
/// many executions. 16/49:33/38 on 200,000 elements has 9,345 pieces of 528 messages.
inline constexpr double pieces_of_plan = 1 << 17;
/// Time of a schedule over the lower bound (T20, T25) above which the planner searches for a faster one.
inline constexpr double time_worth_search = 1.02;
/// Time (s) to make and weigh a product.
inline constexpr double search_seconds = 5e-4;
/// Time (s) to colour a message in the order of lengths.
inline constexpr double seconds_per_sorted_message = 4e-8;
/// Edges that split_schedule may visit for the default schedule: 3 ms.
inline constexpr Index split_visits = 1 << 20;
/// Time (s) of split_schedule for each edge and each degree of the graph: a few times the measured time, because the
/// cheapest product may not use the result.
inline constexpr double split_seconds = 5e-8;
/// Time (s) of stepwise_schedule for each step and each product of the nodes of the larger side and the square of the
/// smaller: twice the measured time, because the result may not be better. Its maximum for one execution and for a plan
/// of many: 64 to 64 processes take 11 ms.
inline constexpr double matching_seconds = 1.5e-9, matching_seconds_of_call = 5e-3, matching_seconds_of_plan = 3e-2;
/// Steps of split_schedule over the minimum with which a product is still worth the search. The measured maximum is
/// 2.5.
inline constexpr double steps_of_split = 1.6;
/// Parts of a quantised schedule, at most.
inline constexpr Index quanta = 1 << 16;
/// Edges of a graph whose messages are cut, at most; and nodes on either side: a matching takes long.
inline constexpr int edges_to_match = 1 << 15;
inline constexpr int nodes_to_match = 128;

// ---- Messages to oneself (graph.cpp): each message must be an edge of the graph.

/// Messages, and processes of a grid up to which messages to oneself take no step (T32).
inline constexpr std::size_t messages_without_own = 1024;
inline constexpr std::size_t processes_without_own = 256;

}  // namespace xredist::core::limits
