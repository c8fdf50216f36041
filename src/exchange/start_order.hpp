// SPDX-License-Identifier: BSD-3-Clause
// The order in which the exchanges of a process begin.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <thread>

namespace xredist::core {

/// Unfinished exchanges in the order of their start: a line for each channel and a line for each lane. An exchange may
/// begin when it is the first one of both its lines. No operation searches a line.
class StartOrder {
  struct Line;
  enum { of_channel, of_lane, lines };

 public:
  /// Identifies a channel.
  using ChannelId = const void*;

  /// The place of an exchange, from add() to remove(). Must stay where it is in between.
  class Place {
    friend class StartOrder;
    std::array<Line*, lines> line_{};               // that of its channel and that of its lane
    std::array<Place*, lines> before_{}, after_{};  // in these lines
  };

  /// Appends a place to the lines of a channel and of a lane. If this throws, nothing has changed except that empty
  /// lines may have come or gone.
  void add(Place& place, ChannelId channel, std::thread::id lane) {
    place.line_ = {&channels_[channel], &line_of(lane)};
    for (std::size_t k = 0; k < lines; ++k) {
      Line& line = *place.line_[k];
      place.before_[k] = line.last;
      place.after_[k] = nullptr;
      (line.last != nullptr ? line.last->after_[k] : line.first) = &place;
      line.last = &place;
    }
  }

  /// Returns whether a place is the first one of both its lines.
  static bool may_begin(const Place& place) {
    return place.line_[of_channel]->first == &place && place.line_[of_lane]->first == &place;
  }

  /// Removes a place, which need not be the first one. Returns the first places of its lines, as far as they may begin;
  /// nullptr for the others. Both may be the same.
  static std::array<Place*, lines> remove(const Place& place) {
    std::array<Place*, lines> next{};
    for (std::size_t k = 0; k < lines; ++k) {
      Line& line = *place.line_[k];
      (place.before_[k] != nullptr ? place.before_[k]->after_[k] : line.first) = place.after_[k];
      (place.after_[k] != nullptr ? place.after_[k]->before_[k] : line.last) = place.before_[k];
    }
    for (std::size_t k = 0; k < lines; ++k)
      if (Place* const first = place.line_[k]->first; first != nullptr && may_begin(*first)) next[k] = first;
    return next;
  }

  /// Calls visit(place) with the first place of each channel.
  template <class Visit>
  void for_first_of_channels(Visit visit) const {
    for (const auto& [channel, line] : channels_)
      if (line.first != nullptr) visit(*line.first);
  }

  /// Returns whether a channel has no unfinished exchange.
  bool is_idle(ChannelId channel) const {
    const auto line = channels_.find(channel);
    return line == channels_.end() || line->second.first == nullptr;
  }
  /// Forgets a channel, which must be idle.
  void forget(ChannelId channel) { channels_.erase(channel); }

 private:
  struct Line {
    Place *first = nullptr, *last = nullptr;
  };

  // Lines of threads that have ended stay until there are so many.
  static constexpr std::size_t max_idle_lanes = 64;

  Line& line_of(std::thread::id lane) {
    if (const auto known = lanes_.find(lane); known != lanes_.end()) return known->second;
    if (lanes_.size() > max_idle_lanes)
      std::erase_if(lanes_, [](const auto& known) { return known.second.first == nullptr; });
    return lanes_[lane];
  }

  std::map<ChannelId, Line> channels_;
  std::map<std::thread::id, Line> lanes_;
};

}  // namespace xredist::core
