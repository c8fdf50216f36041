// SPDX-License-Identifier: BSD-3-Clause
#include "tune/ways.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "settings/options.hpp"

namespace xredist::core {
namespace {

// Meshes that are tried, those with the lowest estimates.
constexpr std::size_t max_meshes = 3;

// Ratio of estimates: a mesh that should take so many times the time of direct messages is not tried.
constexpr double hopeless = 4;

// Returns the radices of a mesh as the option `route` takes them. The option repeats the last radix.
std::string radices_text(const Mesh& mesh) {
  int count = mesh.rounds() - 1;
  while (count > 1 && mesh.radix(count - 1) == mesh.radix(count - 2)) --count;
  std::string text;
  for (int round = 0; round < count; ++round)
    text.append(round > 0 ? "x" : "").append(std::to_string(mesh.radix(round)));
  return text;
}

// Returns options with settings such as "route=direct algorithm=split"; nothing if one of them is not possible.
std::optional<Options> with(Options options, std::string_view settings) {
  while (!settings.empty()) {
    const std::string_view setting(settings.begin(), std::ranges::find(settings, ' '));
    const std::size_t equals = setting.find('=');
    if (!set_option(options, setting.substr(0, equals), setting.substr(equals + 1)).empty()) return std::nullopt;
    settings.remove_prefix(std::min(setting.size() + 1, settings.size()));
  }
  return options;
}

// Returns the settings of meshes, of which none is hopeless.
std::vector<std::string> meshes_of(const Redistribution& redistribution, const std::shared_ptr<const GridPair>& grids,
                                   const Options& options, const Links& links, bool permits) {
  std::vector<std::string> settings;
  const std::optional<double> direct =
      choose_route(redistribution, grids, options, links, permits).route.seconds_direct;
  for (const OverMesh& rated : rated_meshes(redistribution, grids, options, links, permits)) {
    if (settings.size() == max_meshes || (direct && rated.seconds > hopeless * *direct)) break;
    settings.push_back("route=" + (rated.mesh.rounds() == 2 ? "two-hop" : radices_text(rated.mesh)));
  }
  return settings;
}

}  // namespace

std::vector<Way> ways_of(const Redistribution& redistribution, const std::shared_ptr<const GridPair>& grids,
                         const Options& options, const Links& links) {
  std::vector<std::string> settings{""};
  const bool unset = options.algorithm == AlgorithmId::by_default && options.route == RouteOption{};
  const bool permits = permits_for(options, links);
  if (unset) {
    for (const char* direct : {"route=direct", "route=direct algorithm=optimal", "route=direct algorithm=split",
                               "route=direct algorithm=shifted"})
      settings.emplace_back(direct);
  }
  if (permits && options.permits == Options::Permits::on_slow_networks) {
    settings.emplace_back("permits=0");
    if (unset) settings.emplace_back("route=direct algorithm=shifted permits=0");
  }
  if (unset)
    for (std::string& mesh : meshes_of(redistribution, grids, options, links, permits))
      settings.push_back(std::move(mesh));
  if (options.packet == 0)
    for (const char* packet : {"packet=64K", "packet=1M"}) settings.emplace_back(packet);
  std::vector<Way> ways;
  for (std::string& text : settings)
    if (const auto changed = with(options, text); changed && ways.size() < max_ways)
      ways.push_back({std::move(text), *changed});
  return ways;
}

std::string signature_of(const Plan& plan) {
  const OverMesh* const mesh = over_mesh(plan.route);
  const auto& [packet_bytes, slots, shared_bytes, room] = plan.limits;
  std::string text = mesh != nullptr ? text_of(mesh->mesh) : std::string(plan.algorithm);
  for (const Index number : {packet_bytes, Index{slots}, shared_bytes, plan.window})
    text.append(" ").append(std::to_string(number));
  return text;
}

}  // namespace xredist::core
