#include "figure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace zhou2016 {
namespace {

constexpr const char* kOurs = "#1f5fa8";
constexpr const char* kPublished = "#b3541e";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

std::string text(double x, double y, const std::string& anchor, const std::string& words, int size = 11) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\">{}</text>\n", x, y, anchor,
                     size, escaped(words));
}

std::string stroke(double x1, double y1, double x2, double y2, const std::string& colour, double width = 1) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{}\"/>\n", x1, y1, x2,
      y2, colour, width);
}

std::string framed(double width, double height, const std::string& title, const std::string& body) {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
             "height=\"{1:.0f}\" font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
             width, height) +
         text(width / 2, 20, "middle", title, 14) + body + "</svg>\n";
}

/// A number between 1, 2 and 5 times a power of ten that cuts `range` into about five.
double tidy_step(double range) {
  const double rough = range / 5, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double f : {1.0, 2.0, 5.0})
    if (f * power >= rough) return f * power;
  return 10 * power;
}

struct Scale {
  double lo, hi, from, to;
  double operator()(double v) const { return from + (to - from) * (v - lo) / (hi - lo); }
};

// A mean with its bar; an arrow when the mean is outside.
std::string dot(const Scale& x, double y, double mean, double sd, const std::string& colour, bool full) {
  if (!std::isfinite(mean)) return "";
  if (mean < x.lo || mean > x.hi)
    return text(x(mean < x.lo ? x.lo : x.hi), y + 4, mean < x.lo ? "start" : "end",
                mean < x.lo ? fmt::format("\u2190 {:.1f}", mean) : fmt::format("{:.1f} \u2192", mean), 9);
  const double left = std::max(x.lo, mean - sd), right = std::min(x.hi, mean + sd);
  std::string out = std::isfinite(sd) ? stroke(x(left), y, x(right), y, colour, 1.5) : "";
  return out + fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\" stroke=\"{}\"/>\n", x(mean), y,
                           full ? colour : "white", colour);
}

std::string axis(const Scale& x, double top, double bottom) {
  std::string out = stroke(x.from, bottom, x.to, bottom, "black");
  const double step = tidy_step(x.hi - x.lo);
  for (double v = std::ceil(x.lo / step) * step; v <= x.hi + 1e-9 * step; v += step) {
    out += stroke(x(v), top, x(v), bottom + 4, "#dddddd");
    out += text(x(v), bottom + 18, "middle", fmt::format("{:g}", std::abs(v) < 1e-9 * step ? 0 : v));
  }
  return out;
}

std::string panel_text(const Panel& panel, const Scale& x, const Scale& y, const std::string& x_name,
                       const std::string& y_name) {
  std::string out = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#888888\"/>\n", x.from,
      y.to, x.to - x.from, y.from - y.to);
  for (double p = std::ceil(x.lo); p <= x.hi; ++p) {
    out += stroke(x(p), y.from, x(p), y.from + 4, "black");
    out += text(x(p), y.from + 16, "middle", fmt::format("1e{:g}", p), 9);
  }
  for (double p = std::ceil(y.lo); p <= y.hi; ++p) {
    out += stroke(x.from - 4, y(p), x.from, y(p), "black");
    out += text(x.from - 6, y(p) + 3, "end", fmt::format("1e{:g}", p), 9);
  }
  std::vector<std::string> points;
  std::string marks;
  for (std::size_t i = 0; i < panel.points.size(); ++i) {
    const double px = x(std::log10(panel.points[i].first)), py = y(std::log10(panel.points[i].second));
    points.push_back(fmt::format("{:.1f},{:.1f}", px, py));
    if (panel.marked[i])
      marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", px, py, kPublished);
  }
  out += fmt::format("<polyline fill=\"none\" stroke=\"{}\" points=\"{}\"/>\n", kOurs, fmt::join(points, " ")) + marks;
  out += text((x.from + x.to) / 2, y.to - 6, "middle", panel.title, 12);
  out += text((x.from + x.to) / 2, y.from + 30, "middle", x_name, 10);
  return out + text(x.from - 40, y.to - 20, "start", y_name, 10);
}

}  // namespace

std::string dot_plot(const std::string& title, const std::vector<Section>& sections, double lo, double hi) {
  constexpr double width = 900, left = 330, top = 60, pitch = 20;
  std::string rows, refs;
  const Scale x{lo, hi, left, width - 30};
  double y = top;
  for (const Section& section : sections) {
    rows += text(10, y + 4, "start", section.title, 12);
    y += pitch;
    for (const Row& row : section.rows) {
      rows += text(left - 10, y + 4, "end", fmt::format("{}", fmt::join(row.labels, ", ")), 10);
      if (row.reference && *row.reference > lo && *row.reference < hi)
        refs += stroke(x(*row.reference), y - pitch / 2, x(*row.reference), y + pitch / 2, "#3a8a3a", 1.5);
      if (row.published) rows += dot(x, y - 3.5, row.published->mean, row.published->sd, kPublished, false);
      rows += dot(x, y + 3.5, row.ours.mean, row.ours.sd, kOurs, true);
      y += pitch;
    }
  }
  const std::string legend =
      text(left, 42, "start", "hollow: published, full: ours; bars: one SD; green: true value, where known", 11);
  return framed(width, y + 40, title, legend + axis(x, top - 8, y) + refs + rows);
}

std::string curves(const std::string& title, const std::string& x, const std::string& y,
                   const std::vector<Panel>& panels) {
  constexpr double width = 900, panel_width = 370, panel_height = 240;
  constexpr double inf = std::numeric_limits<double>::infinity();
  double lo[2] = {inf, inf}, hi[2] = {-inf, -inf};
  for (const Panel& panel : panels)
    for (const auto& [px, py] : panel.points) {
      const double v[2] = {std::log10(px), std::log10(py)};
      for (int i = 0; i < 2; ++i) {
        lo[i] = std::min(lo[i], v[i]);
        hi[i] = std::max(hi[i], v[i]);
      }
    }
  std::string body;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double left = 60 + static_cast<double>(i % 2) * 440, top = 60 + static_cast<double>(i / 2) * 320;
    body += panel_text(panels[i], {lo[0], hi[0] + 0.05, left, left + panel_width},
                       {lo[1] - 0.1, hi[1] + 0.1, top + panel_height, top}, x, y);
  }
  return framed(width, 60 + 320 * static_cast<double>((panels.size() + 1) / 2), title, body);
}

}  // namespace zhou2016
