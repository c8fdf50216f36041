// SPDX-License-Identifier: BSD-3-Clause
// The column "paper" has only numbers that the text of the papers states; "-" if the text refers to a table instead.
#include <algorithm>
#include <array>
#include <map>

#include "schedules/costs.hpp"
#include "schedules/reports.hpp"

namespace xschedule {
namespace {

constexpr Network unit{1, 1};

// Facts about one example: our numbers beside those of the paper.
class Facts {
 public:
  void equal(const std::string& what, Index ours, Index paper) {
    add(what, ours, paper, ours == paper ? "equal" : "DIFFERS");
  }
  /// Less is better.
  void at_most(const std::string& what, Index ours, Index paper) {
    add(what, ours, paper, ours == paper ? "equal" : ours < paper ? "better" : "WORSE");
  }
  void not_stated(const std::string& what, Index ours) { rows_.push_back({what, std::to_string(ours), "-", ""}); }
  bool print(std::ostream& out) const {
    print_columns(out, rows_, true);
    out << '\n';
    return agree_;
  }

 private:
  void add(const std::string& what, Index ours, Index paper, const std::string& verdict) {
    rows_.push_back({what, std::to_string(ours), std::to_string(paper), verdict});
    if (verdict == "DIFFERS" || verdict == "WORSE") agree_ = false;
  }
  std::vector<Row> rows_{{"", "xredist", "paper", ""}};
  bool agree_ = true;
};

Shown vector_case(int P, int Q, Index r, Index s) { return shown({0, 0, line(P, r), line(Q, s)}, unit); }

ListedSchedule schedule_of(std::string_view algorithm, const Shown& c) {
  return schedules_of(*find_algorithm(algorithm), c).at(0);
}

Index steps(std::string_view algorithm, const Shown& c) { return schedule_of(algorithm, c).steps; }
Index cost(std::string_view algorithm, const Shown& c) { return total(busiest(schedule_of(algorithm, c))).elements; }

Index steps_of_unequal_lengths(const Shown& c) {
  std::map<Index, std::pair<Index, Index>> range;  // shortest and longest of each step
  for (const ListedPart& x : schedule_of("stepwise", c).parts) {
    auto& [low, high] = range.try_emplace(x.step, x.elements, x.elements).first->second;
    low = std::min(low, x.elements);
    high = std::max(high, x.elements);
  }
  return std::ranges::count_if(range, [](const auto& step) { return step.second.first < step.second.second; });
}

// Number, shortest and longest of the messages of one sender, of one receiver, or of all processes.
struct Lengths {
  Index messages = 0, shortest = 0, longest = 0;
};
constexpr Index any = -1;
Lengths lengths(const Shown& c, Index sender = any, Index receiver = any) {
  Lengths found;
  for (const ListedPart& x : schedule_of("optimal", c).parts) {
    if ((sender != any && x.sender != sender) || (receiver != any && x.receiver != receiver)) continue;
    found.shortest = found.messages == 0 ? x.elements : std::min(found.shortest, x.elements);
    found.longest = std::max(found.longest, x.elements);
    ++found.messages;
  }
  return found;
}

void print_tables(std::ostream& out, const char* title, const Shown& c, std::string_view algorithm = "stepwise") {
  const ListedSchedule schedule = schedule_of(algorithm, c);
  out << "== Desprez et al. 1998, example " << title << '\n' << c.title << "\n\n";
  print_grid(out, schedule);
  print_costs(out, schedule);
}

void steps_of_both(Facts& facts, const Shown& c, Index paper) {
  facts.equal("steps, optimal", steps("optimal", c), paper);
  facts.equal("steps, stepwise", steps("stepwise", c), paper);
}

bool example_1(std::ostream& out) {
  const Shown c = vector_case(16, 16, 3, 5);
  print_tables(out, "1: tables 2 and 3", c);
  Facts facts;
  facts.equal("elements, L", c.traffic.rows.n, 240);
  facts.equal("shortest message", lengths(c).shortest, 1);
  facts.equal("longest message", lengths(c).longest, 3);
  facts.equal("messages that process 0 sends", lengths(c, 0).messages, 7);
  facts.equal("messages that process 0 receives", lengths(c, any, 0).messages, 7);
  steps_of_both(facts, c, 7);
  facts.equal("steps with unequal lengths", steps_of_unequal_lengths(c), 0);
  facts.not_stated("total, stepwise", cost("stepwise", c));
  facts.not_stated("total, optimal", cost("optimal", c));
  facts.equal("steps, caterpillar", steps("caterpillar", c), 16);
  return facts.print(out);
}

bool example_2(std::ostream& out) {
  const Shown c = vector_case(16, 16, 7, 11);
  print_tables(out, "2: tables 4 and 5", c);
  Facts facts;
  facts.equal("elements, L", c.traffic.rows.n, 1232);
  facts.equal("shortest message", lengths(c).shortest, 2);
  facts.equal("longest message", lengths(c).longest, 7);
  facts.equal("messages that process 0 sends", lengths(c, 0).messages, 16);
  steps_of_both(facts, c, 16);
  facts.equal("steps with unequal lengths", steps_of_unequal_lengths(c), 0);
  facts.at_most("total, stepwise", cost("stepwise", c), 77);
  facts.at_most("total, optimal", cost("optimal", c), 77);
  facts.equal("steps, caterpillar", steps("caterpillar", c), 16);
  facts.equal("total, caterpillar", cost("caterpillar", c), 112);
  return facts.print(out);
}

bool example_3(std::ostream& out) {
  const Shown c = vector_case(15, 15, 3, 5);
  print_tables(out, "3: tables 6 and 7", c);
  Facts facts;
  facts.equal("elements, L", c.traffic.rows.n, 225);
  facts.equal("shortest message of process 0", lengths(c, 0).shortest, 3);
  facts.equal("longest message of process 0", lengths(c, 0).longest, 3);
  facts.equal("messages that process 1 sends", lengths(c, 1).messages, 10);
  facts.equal("shortest of them", lengths(c, 1).shortest, 1);
  facts.equal("longest of them", lengths(c, 1).longest, 2);
  steps_of_both(facts, c, 10);
  facts.not_stated("total, stepwise", cost("stepwise", c));
  const Shown scaled = vector_case(15, 15, 12, 20);  // section 4.1.1, table 10
  facts.equal("r = 12, s = 20: elements, L", scaled.traffic.rows.n, 900);
  facts.equal("r = 12, s = 20: steps, stepwise", steps("stepwise", scaled), 10);
  facts.equal("r = 12, s = 20: total, times that of r = 3, s = 5", cost("stepwise", scaled) / cost("stepwise", c), 4);
  return facts.print(out);
}

bool example_4(std::ostream& out) {
  const Shown c = vector_case(12, 8, 4, 3);
  print_tables(out, "4: tables 8 and 9", c);
  Facts facts;
  facts.equal("elements, L", c.traffic.rows.n, 48);
  facts.equal("messages that process 1 receives", lengths(c, any, 1).messages, 4);
  facts.equal("messages from 11 to 0", lengths(c, 11, 0).messages, 0);
  facts.equal("messages from 11 to 6", lengths(c, 11, 6).messages, 1);
  steps_of_both(facts, c, 4);
  facts.not_stated("total, stepwise", cost("stepwise", c));
  facts.equal("steps, caterpillar", steps("caterpillar", c), 12);
  // Their caterpillar has six empty steps of twelve (table 15): that is p -> p + d. In the pairs of Prylli &
  // Tourancheau, i and -i-d, none is empty.
  facts.equal("steps with messages, shifted (their table 15)", total(busiest(schedule_of("shifted", c))).messages, 6);
  return facts.print(out);
}

bool example_5(std::ostream& out) {
  const Shown c = vector_case(15, 6, 2, 3);
  print_tables(out, "5: tables 11 and 12, stepwise", c);
  print_tables(out, "5: tables 13 and 14, greedy", c, "greedy");
  Facts facts;
  facts.equal("elements, L", c.traffic.rows.n, 90);
  steps_of_both(facts, c, 10);
  facts.at_most("total, stepwise", cost("stepwise", c), 20);
  facts.at_most("steps, greedy", steps("greedy", c), 12);
  facts.at_most("total, greedy", cost("greedy", c), 18);
  return facts.print(out);
}

using Figure = std::array<std::array<int, 16>, 12>;  // [step][process]

// Figure 8 (a) as printed, P = 16 and K = 12: the global block that process p sends in step k. Block b is on process
// b mod P before and on b / K after; the other three figures say the same with other numbers.
constexpr Figure figure_8a{{
    {0, 49, 98, 147, 36, 85, 134, 183, 24, 73, 122, 171, 12, 61, 110, 159},
    {144, 1, 50, 99, 180, 37, 86, 135, 168, 25, 74, 123, 156, 13, 62, 111},
    {96, 145, 2, 51, 132, 181, 38, 87, 120, 169, 26, 75, 108, 157, 14, 63},
    {48, 97, 146, 3, 84, 133, 182, 39, 72, 121, 170, 27, 60, 109, 158, 15},
    {16, 65, 114, 163, 4, 53, 102, 151, 40, 89, 138, 187, 28, 77, 126, 175},
    {160, 17, 66, 115, 148, 5, 54, 103, 184, 41, 90, 139, 172, 29, 78, 127},
    {112, 161, 18, 67, 100, 149, 6, 55, 136, 185, 42, 91, 124, 173, 30, 79},
    {64, 113, 162, 19, 52, 101, 150, 7, 88, 137, 186, 43, 76, 125, 174, 31},
    {32, 81, 130, 179, 20, 69, 118, 167, 8, 57, 106, 155, 44, 93, 142, 191},
    {176, 33, 82, 131, 164, 21, 70, 119, 152, 9, 58, 107, 188, 45, 94, 143},
    {128, 177, 34, 83, 116, 165, 22, 71, 104, 153, 10, 59, 140, 189, 46, 95},
    {80, 129, 178, 35, 68, 117, 166, 23, 56, 105, 154, 11, 92, 141, 190, 47},
}};

// Figures 8 (a), 8 (b), 9 (a), 9 (b).
struct Drawn {
  Figure sent{}, to{}, received{}, from{};

  void put(Index step, Index sender, Index receiver, Index block) {
    const auto k = as_size(step);
    const auto p = as_size(sender), q = as_size(receiver);
    to.at(k).at(p) = static_cast<int>(receiver);
    from.at(k).at(q) = static_cast<int>(sender);
    sent.at(k).at(p) = received.at(k).at(q) = static_cast<int>(block);
  }
};

void show(std::ostream& out, Facts& facts, const std::string& name, const std::string& what, const Figure& ours,
          const Figure& paper) {
  std::vector<Row> rows{{"k"}};
  Index equal = 0;
  for (std::size_t p = 0; p < ours[0].size(); ++p) rows[0].push_back(std::to_string(p));
  for (std::size_t k = 0; k < ours.size(); ++k) {
    rows.push_back({std::to_string(k)});
    for (std::size_t p = 0; p < ours[k].size(); ++p) {
      rows.back().push_back(std::to_string(ours[k][p]));
      equal += ours[k][p] == paper[k][p];
    }
  }
  out << "Figure " << name << ": the " << what << '\n';
  print_columns(out, rows);
  out << '\n';
  facts.equal("figure " + name + (name == "8 (a)" ? ", entries that agree" : ""), equal, 192);
}

bool walker_otto(std::ostream& out) {
  const Shown c = vector_case(16, 16, 1, 12);
  Drawn ours, paper;
  for (const ListedPart& x : schedule_of("walker-otto", c).parts)  // blocks of one element
    ours.put(x.step, x.sender, x.receiver, Runs(c.traffic.rows, x.sender, x.receiver).next(1).k);
  for (std::size_t k = 0; k < figure_8a.size(); ++k)
    for (const int block : figure_8a[k]) paper.put(static_cast<Index>(k), block % 16, block / 12, block);
  out << "== Walker & Otto 1996, P = 16, K = 12\n\n";
  Facts facts;
  show(out, facts, "8 (a)", "global block that process p sends in step k", ours.sent, paper.sent);
  show(out, facts, "8 (b)", "process that it is sent to", ours.to, paper.to);
  show(out, facts, "9 (a)", "global block that process q receives in step k", ours.received, paper.received);
  show(out, facts, "9 (b)", "process that it is received from", ours.from, paper.from);
  facts.equal("steps, walker-otto", steps("walker-otto", c), 12);
  facts.equal("steps, optimal", steps("optimal", c), 12);
  return facts.print(out);
}

}  // namespace

bool print_paper(std::ostream& out) {
  bool agree = true;
  for (const auto example : {example_1, example_2, example_3, example_4, example_5, walker_otto})
    agree = example(out) && agree;
  out << (agree ? "No number is worse than the papers'.\n" : "Some numbers DIFFER from the papers'.\n");
  return agree;
}

}  // namespace xschedule
