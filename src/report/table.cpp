#include "evident/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace evident::report {
namespace {

constexpr std::size_t kColumns = 7;
using Row = std::array<std::string, kColumns>;
constexpr std::array<std::string_view, kColumns> kTitles = {"model",         "prior",          "log evidence", "sd",
                                                            "path - direct", "log BF to best", "probability"};
constexpr std::string_view kGap = "  ";
constexpr std::size_t kMinBar = 5, kMaxBar = 30, kMaxName = 40;

std::string number(double x, int digits, bool sign = false) {
  if (std::isnan(x)) return "-";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  if (std::abs(x) >= 1e7) return fmt::format("{:.4e}", x);
  return sign ? fmt::format("{:+.{}f}", x, digits) : fmt::format("{:.{}f}", x, digits);
}

// Small probabilities keep their size: 0.0000 would claim that a model is impossible.
std::string share(double p) { return p > 0 && p < 0.0001 ? fmt::format("{:.1e}", p) : number(p, 4); }

Row row_of(const ModelResult& m, double best) {
  const bool finite = std::isfinite(m.log_evidence) && std::isfinite(best);
  const double factor = m.log_evidence == best ? 0.0 : m.log_evidence - best;
  return {printable(m.name),
          share(m.weight),
          number(m.log_evidence, 3),
          number(m.log_evidence_sd, 3),
          finite ? number(m.log_evidence_path - m.log_evidence, 3, true) : "-",
          number(factor, 3),
          share(m.probability)};
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

std::string line_of(const Row& row, const std::array<std::size_t, kColumns>& widths) {
  std::string line = fitted(row[0], widths[0]);
  for (std::size_t j = 1; j < kColumns; ++j) {
    line += kGap;
    line += std::string(widths[j] - std::min(widths[j], display_width(row[j])), ' ') + row[j];
  }
  return line;
}

std::string painted(std::string_view text, std::string_view code, bool colour) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

}  // namespace

std::string to_table(const Comparison& c, const TextStyle& style) {
  double best = -kInf;
  for (const ModelResult& m : c.models) best = std::max(best, m.log_evidence);
  std::vector<Row> rows;
  for (const ModelResult& m : c.models) rows.push_back(row_of(m, best));

  std::array<std::size_t, kColumns> widths{};
  for (std::size_t j = 0; j < kColumns; ++j) {
    widths[j] = kTitles[j].size();
    for (const Row& row : rows) widths[j] = std::max(widths[j], display_width(row[j]));
  }
  std::size_t rest = 0;
  for (std::size_t j = 1; j < kColumns; ++j) rest += widths[j] + kGap.size();
  // A long name gives way, so that the numbers stay on the line.
  const std::size_t room = style.terminal && style.width > rest + 8 ? style.width - rest : kMaxName;
  widths[0] = std::min({widths[0], room, kMaxName});

  const std::size_t used = widths[0] + rest + kGap.size();
  std::size_t bar_width = style.terminal && style.width > used ? std::min(style.width - used, kMaxBar) : 0;
  if (bar_width < kMinBar) bar_width = 0;

  Row titles;
  std::ranges::copy(kTitles, titles.begin());
  std::string out = painted(line_of(titles, widths), "1", style.colour) + "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_best = c.models[i].log_evidence == best;
    out += painted(line_of(rows[i], widths), "1;32", style.colour && is_best);
    const std::string drawn = bar_width ? bar(c.models[i].probability, bar_width, style.unicode) : "";
    if (!drawn.empty()) out += std::string(kGap) + painted(drawn, is_best ? "32" : "36", style.colour);
    out += "\n";
  }
  for (const ModelResult& m : c.models) {
    for (const std::string& warning : m.warnings) {
      out += painted("warning:", "33", style.colour) + fmt::format(" {}: {}\n", printable(m.name), printable(warning));
    }
  }
  return out;
}

}  // namespace evident::report
