#include "report/progress_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace evident::report {
namespace {

// The run that will take longest decides what is shown.
const RunningState* slowest(const ModelState& model) {
  const auto it = std::ranges::min_element(model.running, {}, &RunningState::alpha);
  return it == model.running.end() ? nullptr : &*it;
}

double run_seconds_left(const RunningState& run, double now) {
  return run.steps == 0 ? kNaN : run.steps_left * (now - run.started) / static_cast<double>(run.steps);
}

std::string progress_bar(double share, std::size_t width, bool unicode) {
  const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(width));
  std::string out = "[";
  for (std::size_t i = 0; i < width; ++i) out += i < full ? (unicode ? "━" : "=") : " ";
  return out + "]";
}

double share_done(const RunningState& run) {
  const double steps = static_cast<double>(run.steps);
  return std::isfinite(run.steps_left) && steps > 0 ? steps / (steps + run.steps_left) : 0;
}

}  // namespace

double seconds_left(const ModelState& model, double now) {
  const RunningState* run = slowest(model);
  if (!run) return kNaN;
  const double left = run_seconds_left(*run, now);
  const std::size_t begun = model.log_evidences.size() + model.running.size();
  const double waiting = static_cast<double>(model.replicates - std::min(begun, model.replicates));
  // Those that wait take as long as this one, as many at a time as run now.
  return left + waiting * (now - run->started + left) / static_cast<double>(model.running.size());
}

std::string running_line(const ModelState& model, double now, std::size_t name_width, const TextStyle& style) {
  const std::size_t width = style.width > 1 ? style.width - 1 : 1;
  std::string line = fitted(printable(model.name), name_width);
  const RunningState* run = slowest(model);
  if (!run) return fitted(line, std::min(width, display_width(line)));

  std::vector<std::string> parts = {progress_bar(share_done(*run), 20, style.unicode)};
  if (model.replicates > 1) parts.push_back(fmt::format("run {}/{}", run->replicate + 1, model.replicates));
  if (run->steps > 0) {
    parts.push_back(fmt::format("alpha {:<8.3g}", run->alpha));
    parts.push_back(fmt::format("step {:<4}", run->steps));
    parts.push_back(fmt::format("ESS {:.2f}", run->ess));
    parts.push_back(fmt::format("accept {:.2f}", run->acceptance));
  }
  const double left = seconds_left(model, now);
  std::string times = duration(now - model.started);
  if (std::isfinite(left)) times += fmt::format(", {} left", duration(left));
  // The times matter most; of the rest, what fits.
  const std::size_t reserved = display_width(times) + 2;
  for (const std::string& part : parts) {
    if (display_width(line) + 2 + display_width(part) + reserved <= width) line += "  " + part;
  }
  line += "  " + times;
  return display_width(line) <= width ? line : fitted(line, width);
}

std::string finished_line(const ModelState& model, double now, std::size_t name_width) {
  const auto n = static_cast<double>(model.log_evidences.size());
  const double mean = std::accumulate(model.log_evidences.begin(), model.log_evidences.end(), 0.0) / n;
  double squares = 0;
  for (double x : model.log_evidences) squares += (x - mean) * (x - mean);
  std::string line = fitted(printable(model.name), name_width);
  // Some methods give no evidence, and some have no steps.
  if (!std::isnan(mean)) line += fmt::format("  log evidence {:.3f}", mean);
  const std::string runs = fmt::format("{} runs", model.log_evidences.size());
  if (n > 1)
    line += std::isnan(mean) ? "  " + runs : fmt::format(" (sd {:.3f}, {})", std::sqrt(squares / (n - 1)), runs);
  if (model.steps > 0) line += fmt::format("  {} steps  accept {:.2f}", model.steps, model.acceptance);
  return line + "  " + duration(now - model.started);
}

std::string round_line(const RoundNotice& next, const std::vector<ModelState>& models) {
  std::string line = fmt::format("round {} (about {})", next.round, duration(next.forecast));
  std::string_view gap = ": ";
  for (std::size_t k = 0; k < next.models.size(); ++k) {
    const RoundNotice::OfModel& m = next.models[k];
    if (m.islands == 0 && !m.dropped) continue;
    line += gap;
    gap = ", ";
    const std::string name = printable(models[k].name);
    line += m.dropped ? fmt::format("{} cannot matter any more", name)
                      : fmt::format("{} {} islands of {} particles (error {:.2g} so far)", name, m.islands, m.particles,
                                    m.standard_error);
  }
  return line;
}

}  // namespace evident::report
