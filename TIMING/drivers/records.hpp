// The report for programs.
#pragma once

#include <ostream>
#include <string>

#include "figures.hpp"
#include "input.hpp"
#include "machine.hpp"
#include "table.hpp"

namespace drivers {

/// A row for each case and algorithm. Cells are empty where there is nothing to tell; seconds, bytes.
void write_csv_header(std::ostream& out);
void write_csv(std::ostream& out, const Verdict& verdict);

/// All of it. "version" grows when the meaning of what is there changes.
void write_json(std::ostream& out, const Element& element, const Input& input, const Description& description,
                const std::vector<Verdict>& verdicts, const Counts& counts);

}  // namespace drivers
