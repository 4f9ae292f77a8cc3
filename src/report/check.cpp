#include "report/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/printable.hpp"
#include "base/version.hpp"

namespace evident::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kMostParameters = 20, kLongestName = 24, kLongestPrior = 40;

std::string number(double x) { return std::isnan(x) ? "-" : fmt::format("{:.4g}", x); }

/// "850 ns", "1.2 us", "3.4 ms", "2 s".
std::string short_time(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", 1e9 * seconds);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return duration(seconds);
}

std::string line(std::string_view title, const std::string& text) { return fmt::format("  {:<12}{}\n", title, text); }

std::string parameters_text(const ModelCheck& c) {
  std::size_t name = 9, prior = 5;
  for (const PriorOfParameter& p : c.parameters) {
    name = std::max(name, std::min(kLongestName, display_width(printable(p.name))));
    prior = std::max(prior, std::min(kLongestPrior, display_width(printable(p.prior))));
  }
  std::string out = fmt::format("  {}  {}  {:>10}{:>10}{:>10}{:>10}\n", fitted("parameter", name),
                                fitted("prior", prior), "mean", "5 %", "50 %", "95 %");
  for (const PriorOfParameter& p : c.parameters) {
    if (&p - c.parameters.data() == kMostParameters) {
      out += fmt::format("  and {} more\n", c.parameters.size() - kMostParameters);
      break;
    }
    out += fmt::format("  {}  {}  {:>10}{:>10}{:>10}{:>10}\n", fitted(printable(p.name), name),
                       fitted(printable(p.prior), prior), number(p.draws.mean), number(p.draws.q05),
                       number(p.draws.q50), number(p.draws.q95));
  }
  return out;
}

std::string likelihood_text(const ModelCheck& c) {
  const auto share = [&](std::size_t n) { return 100 * static_cast<double>(n) / static_cast<double>(c.draws); };
  std::string out = fmt::format("{} draws of the prior: {:.3g} % impossible (-inf), {:.3g} % NaN", c.draws,
                                share(c.impossible), share(c.nan));
  if (!std::isnan(c.log_likelihood.q50))
    out += fmt::format("; the others {} (5 %), {} (50 %), {} (95 %)", number(c.log_likelihood.q05),
                       number(c.log_likelihood.q50), number(c.log_likelihood.q95));
  return out;
}

std::string gradient_text(const ModelCheck& c) {
  if (!c.gradient) return "the model has none";
  const GradientCheck& g = *c.gradient;
  return g.wrong == 0 ? fmt::format("{} derivatives agree with differences", g.tested)
                      : fmt::format("{} of {} derivatives are wrong", g.wrong, g.tested);
}

/// "about 4 s; up to 40 s if the runs disagree".
std::string whole_text(const Forecast& f) {
  std::string out =
      fmt::format("about {:.2g} evaluations and {} in all", f.whole.evaluations, short_time(f.whole.seconds));
  if (f.most.evaluations == f.least.evaluations) return out;
  if (f.referee || f.again)
    return out + fmt::format(", because the runs of a small comparison {}; {} if they agree, up to {} if they never do",
                             f.again ? "disagreed" : "left a doubt", short_time(f.least.seconds),
                             short_time(f.most.seconds));
  return out + fmt::format("; up to {} if the runs disagree", short_time(f.most.seconds));
}

std::string forecast_text(const Forecast& f) {
  if (!f.why_not.empty())
    return fmt::format("none: {}; no comparison takes less than about {:.2g} evaluations, {}", f.why_not,
                       f.least.evaluations, short_time(f.least.seconds));
  return fmt::format("about {:.0f} steps and {:.2g} evaluations a run, {} run{}; {}", f.steps, f.evaluations, f.runs,
                     f.runs == 1 ? "" : "s", whole_text(f));
}

Json cost_json(const CostForecast& c) {
  return {{"evaluations", c.evaluations}, {"cpu_seconds", c.cpu_seconds}, {"seconds", c.seconds}};
}

Json forecast_json(const Forecast& f) {
  Json out = {{"steps", f.steps},           {"evaluations", f.evaluations}, {"runs", f.runs},
              {"seconds", f.whole.seconds}, {"whole", cost_json(f.whole)},  {"least", cost_json(f.least)},
              {"most", cost_json(f.most)},  {"referee", f.referee},         {"again", f.again},
              {"particles", f.particles}};
  Json& stages = out["stages"] = Json::array();
  for (const StageForecast& s : f.stages)
    stages.push_back({{"name", s.name}, {"evaluations", s.evaluations}, {"cpu_seconds", s.seconds}});
  return out;
}

/// Shares of the largest modes by Laplace's method, "61, 22 and 17 %".
std::string shares_text(const Scouted& found) {
  constexpr std::size_t kMost = 5;
  std::vector<double> masses;
  for (const Mode& m : found.modes)
    if (!std::isnan(m.log_mass)) masses.push_back(m.log_mass);
  if (masses.size() < 2) return "";
  const double all = log_sum_exp(masses);
  std::string out;
  for (std::size_t k = 0; k < std::min(masses.size(), kMost); ++k)
    out += fmt::format("{}{:.2g}", k == 0 ? "" : ", ", 100 * std::exp(masses[k] - all));
  return fmt::format("; of what was found the largest hold about {} %", out);
}

std::string modes_text(const Scouted& found) {
  if (found.modes.empty()) return "none found: no start was possible";
  return fmt::format(
      "{}{} found by climbs from {} starts ({} evaluations); at most {:.2g} % of further starts would "
      "find another{}",
      found.ended_early ? "at least " : "", found.modes.size(), found.starts, found.evaluations, 100 * found.unseen(),
      shares_text(found));
}

Json modes_json(const Scouted& found) {
  Json modes = Json::array();
  for (const Mode& m : found.modes)
    modes.push_back({{"log_density", m.log_density},
                     {"log_mass", std::isnan(m.log_mass) ? Json() : Json(m.log_mass)},
                     {"starts", m.hits}});
  return {{"starts", found.starts}, {"evaluations", found.evaluations}, {"unseen", found.unseen()}, {"found", modes}};
}

std::string model_text(const CheckedModel& m) {
  const ModelCheck& c = m.check;
  std::string out = fmt::format("{} ({})\n", printable(m.name), m.kind) + parameters_text(c);
  out += line("prior", c.prior.agrees() ? "draws and density agree" : "draws and density do not agree");
  out += line("likelihood", likelihood_text(c));
  for (const PriorPredictive& p : c.predictive)
    out += line("predictive",
                fmt::format("{} of {}: {} in the data, {} to {} in data sets from the prior (90 %)", p.statistic,
                            printable(p.observed), number(p.of_data), number(p.of_draws.q05), number(p.of_draws.q95)));
  out += line("gradient", gradient_text(c));
  out += line("time", short_time(c.seconds_per_likelihood) + " for a log likelihood, on one thread");
  if (c.modes) out += line("modes", modes_text(*c.modes));
  if (c.forecast) out += line("forecast", forecast_text(*c.forecast));
  for (const Finding& f : c.findings) out += line(f.is_problem ? "PROBLEM" : "note", printable(f.text));
  return out;
}

Json spread_json(const Spread& s) {
  return {{"mean", s.mean}, {"sd", s.sd}, {"q05", s.q05}, {"q50", s.q50}, {"q95", s.q95}};
}

Json nan_json(const NanOfPrior& found) {
  Json places = Json::array();
  for (const NanPlace& p : found.places)
    places.push_back({{"at", p.at}, {"why", p.why.empty() ? Json() : Json(p.why)}});
  return {{"draws", found.draws}, {"nan", found.nan}, {"places", places}};
}

Json model_json(const CheckedModel& m) {
  const ModelCheck& c = m.check;
  Json out = {{"name", m.name}, {"kind", m.kind}};
  Json& parameters = out["parameters"] = Json::array();
  for (const PriorOfParameter& p : c.parameters)
    parameters.push_back({{"name", p.name}, {"prior", p.prior}, {"draws", spread_json(p.draws)}});
  out["prior"] = {{"agrees", c.prior.agrees()},
                  {"built_in", c.prior.built_in},
                  {"log_mass", c.prior.mass_tested ? Json(c.prior.log_mass.value) : Json()},
                  {"draws_outside", c.prior.outside}};
  out["likelihood"] = {{"draws", c.draws},       {"impossible", c.impossible},
                       {"nan", c.nan},           {"nan_of_prior", nan_json(c.nan_of_prior)},
                       {"unsteady", c.unsteady}, {"log_likelihood", spread_json(c.log_likelihood)}};
  Json& predictive = out["predictive"] = Json::array();
  for (const PriorPredictive& p : c.predictive)
    predictive.push_back({{"observed", p.observed},
                          {"statistic", p.statistic},
                          {"of_data", p.of_data},
                          {"of_draws", spread_json(p.of_draws)},
                          {"share_below", p.share_below}});
  out["gradient"] = nullptr;
  if (c.gradient)
    out["gradient"] = {
        {"tested", c.gradient->tested}, {"wrong", c.gradient->wrong}, {"largest_error", c.gradient->largest_error}};
  out["seconds_per_likelihood"] = c.seconds_per_likelihood;
  out["modes"] = c.modes ? modes_json(*c.modes) : Json();
  out["forecast"] = nullptr;
  if (c.forecast && c.forecast->why_not.empty()) out["forecast"] = forecast_json(*c.forecast);
  Json& findings = out["findings"] = Json::array();
  for (const Finding& f : c.findings)
    findings.push_back({{"level", f.is_problem ? "problem" : "note"}, {"text", f.text}});
  return out;
}

}  // namespace

std::string check_text(const CheckedStudy& study) {
  std::string out;
  std::size_t problems = 0;
  for (const CheckedModel& m : study.models) {
    out += model_text(m) + "\n";
    problems += static_cast<std::size_t>(std::ranges::count_if(m.check.findings, &Finding::is_problem));
  }
  return out +
         (problems == 0 ? "No problems found.\n" : fmt::format("{} problem{}.\n", problems, problems == 1 ? "" : "s"));
}

std::string check_json(const CheckedStudy& study) {
  Json out = {{"evident", version()}, {"study", study.study}, {"method", study.method}};
  Json& models = out["models"] = Json::array();
  for (const CheckedModel& m : study.models) models.push_back(model_json(m));
  return escaped_json(out.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace evident::report
