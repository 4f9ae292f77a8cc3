#include "evident/report/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/number_text.hpp"
#include "report/text.hpp"

namespace evident::report {

double evidence_error(const ModelResult& m) {
  if (!std::isnan(m.log_evidence.standard_error)) return m.log_evidence.standard_error;
  double squares = 0;
  for (const Replicate& r : m.replicates) squares += r.log_evidence.standard_error * r.log_evidence.standard_error;
  return std::sqrt(squares) / static_cast<double>(m.replicates.size());
}

namespace {

/// A column of the table. One that has nothing to say is left out when it is optional.
struct Column {
  std::string_view title;
  std::vector<std::string> cells;
  bool shown = true;
  std::size_t width = 0;
};
constexpr std::string_view kGap = "  ";
constexpr std::size_t kMinBar = 5, kMaxBar = 30, kMaxName = 40;
// A family may have thousands of models; those that it does not list come in the order of their probability.
constexpr std::size_t kMaxRows = 40;
constexpr std::size_t kMaxRemarks = 40;  // more are not read

std::string number(double x, int digits, bool sign = false) {
  if (std::isnan(x)) return "-";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  if (std::abs(x) >= 1e7) return fmt::format("{:.4e}", x);
  return sign ? fmt::format("{:+.{}f}", x, digits) : fmt::format("{:.{}f}", x, digits);
}

double path_difference(const ModelResult& m) {
  const double difference = m.log_evidence_path - m.log_evidence.value;
  return std::isfinite(m.log_evidence.value) && std::isfinite(difference) ? difference : kNaN;
}

// The model that no other beats.
std::size_t best_of(const Comparison& c) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < c.models.size(); ++i)
    if (c.log_bayes_factor(i, best) > 0) best = i;
  return best;
}

template <class Text>
Column column(const Comparison& c, std::string_view title, Text text) {
  Column out{.title = title, .cells = {}};
  for (std::size_t i = 0; i < c.models.size(); ++i) out.cells.push_back(text(i));
  return out;
}

template <class Value, class Text>
Column optional_column(const Comparison& c, std::string_view title, Value value, Text text) {
  Column out = column(c, title, [&](std::size_t i) { return text(value(c.models[i])); });
  out.shown = std::ranges::any_of(c.models, [&](const ModelResult& m) { return !std::isnan(value(m)); });
  return out;
}

std::vector<Column> columns_of(const Comparison& c, std::size_t best) {
  const auto three = [](double x) { return number(x, 3); };
  const auto four = [](double x) { return number(x, 4); };
  const auto& m = c.models;
  std::vector<Column> out;
  out.push_back(column(c, "model", [&](std::size_t i) { return printable(m[i].name); }));
  out.push_back(column(c, "prior", [&](std::size_t i) { return probability_cell(m[i].weight); }));
  out.push_back(column(c, "log evidence", [&](std::size_t i) { return three(m[i].log_evidence.value); }));
  out.push_back(column(c, "sd", [&](std::size_t i) { return three(m[i].spread.log_evidence_sd); }));
  out.push_back(optional_column(c, "se", evidence_error, three));
  if (c.method != Method::population_mcmc)  // there the two are one
    out.push_back(optional_column(c, "path - direct", path_difference, [](double x) { return number(x, 3, true); }));
  out.push_back(
      column(c, "log BF to best", [&](std::size_t i) { return three(i == best ? 0.0 : c.log_bayes_factor(i, best)); }));
  out.push_back(optional_column(
      c, "support", [](const ModelResult& x) { return x.support; }, [](double x) { return number(x, 0); }));
  out.push_back(optional_column(
      c, "prob. sd", [](const ModelResult& x) { return x.spread.probability_sd; }, four));
  out.push_back(optional_column(
      c, "prob. se", [](const ModelResult& x) { return x.probability.standard_error; }, four));
  out.push_back(column(c, "probability", [&](std::size_t i) { return probability_cell(m[i].probability.value); }));
  out.push_back(column(c, "95 % interval", [&](std::size_t i) {
    const Interval& p = m[i].probability_interval;
    return std::isnan(p.lower) ? std::string("-") : probability_cell(p.lower) + " to " + probability_cell(p.upper);
  }));
  out.back().shown = m.size() > 1 && std::ranges::any_of(m, [](const ModelResult& x) {
                       return !std::isnan(x.probability_interval.lower);
                     });
  out.push_back(
      column(c, "verdict", [&](std::size_t i) { return m[i].verdict ? std::string(name(*m[i].verdict)) : "-"; }));
  out.back().shown = std::ranges::any_of(m, [](const ModelResult& x) { return x.verdict.has_value(); });
  std::erase_if(out, [](const Column& x) { return !x.shown; });
  for (Column& x : out) {
    x.width = x.title.size();
    for (const std::string& cell : x.cells) x.width = std::max(x.width, display_width(cell));
  }
  return out;
}

std::string bar(double p, std::size_t width, bool unicode) {
  if (!(p > 0)) return "";
  if (!unicode) return std::string(static_cast<std::size_t>(std::lround(p * static_cast<double>(width))), '#');
  const auto eighths = static_cast<std::size_t>(std::lround(p * 8 * static_cast<double>(width)));
  std::string out;
  for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
  constexpr std::array<std::string_view, 8> parts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  return out + std::string(parts[eighths % 8]);
}

// The titles for row -1.
std::string line_of(const std::vector<Column>& columns, int row) {
  std::string line;
  for (const Column& x : columns) {
    const std::string text = row < 0 ? std::string(x.title) : x.cells[static_cast<std::size_t>(row)];
    if (line.empty()) {
      line = fitted(text, x.width);
      continue;
    }
    line += kGap;
    line += std::string(x.width - std::min(x.width, display_width(text)), ' ') + text;
  }
  return line;
}

std::string painted(std::string_view text, std::string_view code, bool colour) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

/// What is to be said of the models, one line each.
// What is true of many models is said once.
std::vector<std::string> unjudged_of(const Comparison& c) {
  std::vector<std::pair<Reason, std::vector<std::string>>> found;
  for (const ModelResult& m : c.models)
    for (const Reason& reason : m.reasons) {
      if (reason.level != Verdict::unjudged) continue;
      auto at = std::ranges::find(found, reason.code, [](const auto& one) { return one.first.code; });
      if (at == found.end()) at = found.insert(found.end(), {reason, {}});
      at->second.push_back(m.name);
    }
  std::vector<std::string> out;
  for (const auto& [reason, names] : found)
    out.push_back(names.size() == 1 && c.models.size() > 1 ? fmt::format("{}: {}", names.front(), reason.text)
                  : names.size() == c.models.size()
                      ? reason.text
                      : fmt::format("{} models, the first of them {}: {}", names.size(), names.front(), reason.text));
  return out;
}

std::vector<std::string> remarks_of(const Comparison& c, std::size_t rows, const TextStyle& style) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < rows; ++i)
    for (const Reason& reason : c.models[i].reasons) {
      if (reason.level == Verdict::unjudged) continue;
      out.push_back(painted(fmt::format("{}:", reason.level == Verdict::trust ? "note" : name(reason.level)),
                            reason.level == Verdict::do_not_trust ? "31" : "33", style.colour) +
                    fmt::format(" {}: {}", printable(c.models[i].name), printable(reason.text)));
    }
  for (const std::string& unjudged : unjudged_of(c))
    out.push_back(painted("unjudged:", "33", style.colour) + " " + printable(unjudged));
  for (const ModelResult& m : c.models)
    if (m.modes && m.modes->found > 1)
      out.push_back(
          fmt::format("{} has {} modes (found by {} climbs; at most {:.2g} % of further ones would find another)",
                      printable(m.name), m.modes->found, m.modes->starts, 100 * m.modes->unseen));
  for (const ModelResult& m : c.models)
    if (m.possible_share.value < 0.5)
      out.push_back(
          fmt::format("{} is possible on {:.3g} % of its prior, with an error of {:.2g} % (elsewhere its log "
                      "likelihood is -inf)",
                      printable(m.name), 100 * m.possible_share.value, 100 * m.possible_share.standard_error));
  for (const ModelResult& m : c.models)
    if (m.dropped)
      out.push_back(fmt::format("{} was not refined any further: its probability is below {} for certain",
                                printable(m.name), kNegligible));
  const std::string warning_word = painted("warning:", "33", style.colour);
  for (const Replicate& run : c.runs)
    for (const std::string& warning : run.warnings)
      out.push_back(fmt::format("{} {}", warning_word, printable(warning)));
  for (const ModelResult& m : c.models)
    for (const std::string& warning : m.warnings)
      out.push_back(fmt::format("{} {}: {}", warning_word, printable(m.name), printable(warning)));
  return out;
}

}  // namespace

std::string to_table(const Comparison& c, const TextStyle& style) {
  const std::size_t best = best_of(c);
  std::vector<Column> columns = columns_of(c, best);
  std::size_t rest = 0;
  for (std::size_t j = 1; j < columns.size(); ++j) rest += columns[j].width + kGap.size();
  // A long name gives way, so that the numbers stay on the line.
  const std::size_t room = style.terminal && style.width > rest + 8 ? style.width - rest : kMaxName;
  columns[0].width = std::min({columns[0].width, room, kMaxName});

  const std::size_t used = columns[0].width + rest + kGap.size();
  std::size_t bar_width = style.terminal && style.width > used ? std::min(style.width - used, kMaxBar) : 0;
  if (bar_width < kMinBar) bar_width = 0;

  std::string out = painted(line_of(columns, -1), "1", style.colour) + "\n";
  const std::size_t rows = c.runs.empty() ? c.models.size() : std::min(c.models.size(), kMaxRows);
  for (std::size_t i = 0; i < rows; ++i) {
    const bool is_best = i == best || c.log_bayes_factor(i, best) == 0;
    out += painted(line_of(columns, static_cast<int>(i)), "1;32", style.colour && is_best);
    const std::string drawn = bar_width ? bar(c.models[i].probability.value, bar_width, style.unicode) : "";
    if (!drawn.empty()) out += std::string(kGap) + painted(drawn, is_best ? "32" : "36", style.colour);
    out += "\n";
  }
  if (rows < c.models.size()) {
    double left = 0;
    for (std::size_t i = rows; i < c.models.size(); ++i) left += c.models[i].probability.value;
    out +=
        fmt::format("... and {} more, with probability {} together\n", c.models.size() - rows, probability_cell(left));
  }
  const std::vector<std::string> remarks = remarks_of(c, rows, style);
  for (std::size_t i = 0; i < std::min(remarks.size(), kMaxRemarks); ++i) out += remarks[i] + "\n";
  if (remarks.size() > kMaxRemarks)
    out += fmt::format("... and {} more remarks like these; result.json has them all\n", remarks.size() - kMaxRemarks);
  return out;
}

}  // namespace evident::report
