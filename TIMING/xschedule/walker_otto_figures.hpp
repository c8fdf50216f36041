// Figures 8 and 9 of Walker & Otto 1996, P = 16 and K = 12, as printed.
#pragma once

#include <array>

namespace xschedule {

using Figure = std::array<std::array<int, 16>, 12>;  ///< [step][process]

extern const Figure figure_8a;  ///< global block that is sent
extern const Figure figure_8b;  ///< process that it is sent to
extern const Figure figure_9a;  ///< global block that is received
extern const Figure figure_9b;  ///< process that it is received from

}  // namespace xschedule
