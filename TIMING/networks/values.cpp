#include "values.hpp"

#include <sstream>

namespace networks {

std::vector<std::string> list(const std::string& text) {
  std::vector<std::string> items;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, ',');) items.push_back(item);
  return items;
}

}  // namespace networks
