// Only numbers that the text of the papers states stand in the column "paper"; "-" where it refers to a
// table without repeating the number.
#include "paper.hpp"

#include <algorithm>
#include <map>

#include "columns.hpp"
#include "comparison.hpp"
#include "occupation.hpp"
#include "tables.hpp"
#include "walker_otto_figures.hpp"

namespace xschedule {
namespace {

constexpr Network unit{1, 1};

// Facts about one example, ours beside the paper's.
class Facts {
 public:
  void equal(const std::string& what, Index ours, Index paper) {
    add(what, ours, paper, ours == paper ? "equal" : "DIFFERS");
  }
  /// Where less is better.
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

Case vector_case(Index P, Index Q, Index r, Index s) { return make_case(line(P, r), line(Q, s), std::nullopt, unit); }

Plan plan_of(std::string_view algorithm, const Case& c) { return plans_of(*find_algorithm(algorithm), c).at(0); }

Index steps(std::string_view algorithm, const Case& c) { return plan_of(algorithm, c).steps; }
Index cost(std::string_view algorithm, const Case& c) { return total(busiest(plan_of(algorithm, c))).elements; }

Index steps_of_unequal_lengths(const Plan& plan) {
  std::map<Index, std::pair<Index, Index>> range;  // shortest and longest of each step
  for (const Piece& x : plan.pieces) {
    auto& [low, high] = range.try_emplace(x.step, x.elements, x.elements).first->second;
    low = std::min(low, x.elements);
    high = std::max(high, x.elements);
  }
  return std::ranges::count_if(range, [](const auto& step) { return step.second.first < step.second.second; });
}

// The messages of the processes that `wanted` picks: number, shortest, longest.
struct Lengths {
  Index messages = 0, shortest = 0, longest = 0;
};
template <class Wanted>
Lengths lengths(const Case& c, Wanted wanted) {
  Lengths found;
  for (const Piece& x : plan_of("optimal", c).pieces)
    if (wanted(x)) {
      found.shortest = found.messages == 0 ? x.elements : std::min(found.shortest, x.elements);
      found.longest = std::max(found.longest, x.elements);
      ++found.messages;
    }
  return found;
}
Lengths lengths(const Case& c) {
  return lengths(c, [](const Piece&) { return true; });
}
Lengths sent_by(const Case& c, Index p) {
  return lengths(c, [p](const Piece& x) { return x.sender == p; });
}
Lengths received_by(const Case& c, Index q) {
  return lengths(c, [q](const Piece& x) { return x.receiver == q; });
}

void print_tables(std::ostream& out, const char* title, const Case& c, const Plan& plan) {
  out << "== Desprez et al. 1998, " << title << '\n' << c.title << "\n\n";
  print_grid(out, plan);
  print_costs(out, plan);
}

void steps_of_both(Facts& facts, const Case& c, Index paper) {
  facts.equal("steps, optimal", steps("optimal", c), paper);
  facts.equal("steps, stepwise", steps("stepwise", c), paper);
}

bool example_1(std::ostream& out) {
  const Case c = vector_case(16, 16, 3, 5);
  const Plan plan = plan_of("stepwise", c);
  print_tables(out, "example 1: tables 2 and 3", c, plan);
  Facts facts;
  facts.equal("elements, L", c.traffic.rows.n, 240);
  facts.equal("shortest message", lengths(c).shortest, 1);
  facts.equal("longest message", lengths(c).longest, 3);
  facts.equal("messages that process 0 sends", sent_by(c, 0).messages, 7);
  facts.equal("messages that process 0 receives", received_by(c, 0).messages, 7);
  steps_of_both(facts, c, 7);
  facts.equal("steps with unequal lengths", steps_of_unequal_lengths(plan), 0);
  facts.not_stated("total, stepwise", total(busiest(plan)).elements);
  facts.not_stated("total, optimal", cost("optimal", c));
  facts.equal("steps, caterpillar", steps("caterpillar", c), 16);
  return facts.print(out);
}

bool example_2(std::ostream& out) {
  const Case c = vector_case(16, 16, 7, 11);
  const Plan plan = plan_of("stepwise", c);
  print_tables(out, "example 2: tables 4 and 5", c, plan);
  Facts facts;
  facts.equal("elements, L", c.traffic.rows.n, 1232);
  facts.equal("shortest message", lengths(c).shortest, 2);
  facts.equal("longest message", lengths(c).longest, 7);
  facts.equal("messages that process 0 sends", sent_by(c, 0).messages, 16);
  steps_of_both(facts, c, 16);
  facts.equal("steps with unequal lengths", steps_of_unequal_lengths(plan), 0);
  facts.at_most("total, stepwise", total(busiest(plan)).elements, 77);
  facts.at_most("total, optimal", cost("optimal", c), 77);
  facts.equal("steps, caterpillar", steps("caterpillar", c), 16);
  facts.equal("total, caterpillar", cost("caterpillar", c), 112);
  return facts.print(out);
}

bool example_3(std::ostream& out) {
  const Case c = vector_case(15, 15, 3, 5);
  print_tables(out, "example 3: tables 6 and 7", c, plan_of("stepwise", c));
  Facts facts;
  facts.equal("elements, L", c.traffic.rows.n, 225);
  facts.equal("shortest message of process 0", sent_by(c, 0).shortest, 3);
  facts.equal("longest message of process 0", sent_by(c, 0).longest, 3);
  facts.equal("messages that process 1 sends", sent_by(c, 1).messages, 10);
  facts.equal("shortest of them", sent_by(c, 1).shortest, 1);
  facts.equal("longest of them", sent_by(c, 1).longest, 2);
  steps_of_both(facts, c, 10);
  facts.not_stated("total, stepwise", cost("stepwise", c));
  const Case scaled = vector_case(15, 15, 12, 20);  // section 4.1.1, table 10
  facts.equal("r = 12, s = 20: elements, L", scaled.traffic.rows.n, 900);
  facts.equal("r = 12, s = 20: steps, stepwise", steps("stepwise", scaled), 10);
  facts.equal("r = 12, s = 20: total, times that of r = 3, s = 5", cost("stepwise", scaled) / cost("stepwise", c), 4);
  return facts.print(out);
}

bool example_4(std::ostream& out) {
  const Case c = vector_case(12, 8, 4, 3);
  print_tables(out, "example 4: tables 8 and 9", c, plan_of("stepwise", c));
  const auto from_11_to = [&](Index q) {
    return lengths(c, [q](const Piece& x) { return x.sender == 11 && x.receiver == q; }).messages;
  };
  Facts facts;
  facts.equal("elements, L", c.traffic.rows.n, 48);
  facts.equal("messages that process 1 receives", received_by(c, 1).messages, 4);
  facts.equal("messages from 11 to 0", from_11_to(0), 0);
  facts.equal("messages from 11 to 6", from_11_to(6), 1);
  steps_of_both(facts, c, 4);
  facts.not_stated("total, stepwise", cost("stepwise", c));
  facts.equal("steps, caterpillar", steps("caterpillar", c), 12);
  // Their caterpillar has six empty steps of twelve (table 15): that is p -> p + d. In the pairs of Prylli &
  // Tourancheau, i and -i-d, none is empty.
  facts.equal("steps with messages, shifted (their table 15)", total(busiest(plan_of("shifted", c))).messages, 6);
  return facts.print(out);
}

bool example_5(std::ostream& out) {
  const Case c = vector_case(15, 6, 2, 3);
  print_tables(out, "example 5: tables 11 and 12, stepwise", c, plan_of("stepwise", c));
  print_tables(out, "example 5: tables 13 and 14, greedy", c, plan_of("greedy", c));
  Facts facts;
  facts.equal("elements, L", c.traffic.rows.n, 90);
  steps_of_both(facts, c, 10);
  facts.at_most("total, stepwise", cost("stepwise", c), 20);
  facts.at_most("steps, greedy", steps("greedy", c), 12);
  facts.at_most("total, greedy", cost("greedy", c), 18);
  return facts.print(out);
}

// Entries [step][process] of a schedule from r = 1 to s = 12 on 16 processes.
struct Drawn {
  Figure to{}, sent{}, from{}, received{};
};
Drawn drawn(const Case& c, const Plan& plan) {
  Drawn d;
  for (const Piece& x : plan.pieces) {
    const auto k = static_cast<std::size_t>(x.step);
    const auto p = static_cast<std::size_t>(x.sender), q = static_cast<std::size_t>(x.receiver);
    const Index block = Runs(c.traffic.rows, x.sender, x.receiver).next(1).k;  // blocks of one element
    d.to.at(k).at(p) = static_cast<int>(x.receiver);
    d.from.at(k).at(q) = static_cast<int>(x.sender);
    d.sent.at(k).at(p) = d.received.at(k).at(q) = static_cast<int>(block);
  }
  return d;
}

void print_figure(std::ostream& out, const std::string& title, const Figure& figure) {
  std::vector<Row> rows{{"k"}};
  for (std::size_t p = 0; p < figure[0].size(); ++p) rows[0].push_back(std::to_string(p));
  for (std::size_t k = 0; k < figure.size(); ++k) {
    rows.push_back({std::to_string(k)});
    for (const int entry : figure[k]) rows.back().push_back(std::to_string(entry));
  }
  out << title << '\n';
  print_columns(out, rows);
  out << '\n';
}

Index equal_entries(const Figure& ours, const Figure& paper) {
  Index count = 0;
  for (std::size_t k = 0; k < ours.size(); ++k)
    for (std::size_t p = 0; p < ours[k].size(); ++p) count += ours[k][p] == paper[k][p];
  return count;
}

bool walker_otto(std::ostream& out) {
  const Case c = vector_case(16, 16, 1, 12);
  const Drawn ours = drawn(c, plan_of("walker-otto", c));
  out << "== Walker & Otto 1996, P = 16, K = 12\n\n";
  print_figure(out, "Figure 8 (a): the global block that process p sends in step k", ours.sent);
  print_figure(out, "Figure 8 (b): the process that it is sent to", ours.to);
  print_figure(out, "Figure 9 (a): the global block that process q receives in step k", ours.received);
  print_figure(out, "Figure 9 (b): the process that it is received from", ours.from);
  Facts facts;
  facts.equal("figure 8 (a), entries that agree", equal_entries(ours.sent, figure_8a), 192);
  facts.equal("figure 8 (b)", equal_entries(ours.to, figure_8b), 192);
  facts.equal("figure 9 (a)", equal_entries(ours.received, figure_9a), 192);
  facts.equal("figure 9 (b)", equal_entries(ours.from, figure_9b), 192);
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
