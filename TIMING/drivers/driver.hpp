// SPDX-License-Identifier: BSD-3-Clause
// The program.
#pragma once

namespace drivers {

/// Exit status: 0 if something was checked and nothing failed, 1 if not, 2 if the input is wrong.
int run(char letter, int argc, char** argv);

}  // namespace drivers
