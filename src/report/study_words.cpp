#include "report/study_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "evident/base/log_math.hpp"
#include "report/study_report.hpp"
#include "report/text.hpp"

namespace evident::report {
namespace {

struct StrengthStep {
  double above;  ///< Bayes factor
  std::string_view words;
};
constexpr std::array<StrengthStep, 4> kStrengths{
    {{1, "not worth more than a bare mention"}, {3, "positive"}, {20, "strong"}, {150, "very strong"}}};

std::string quoted(const std::string& name) { return "“" + printable(name) + "”"; }

/// A Bayes factor from its logarithm: "12", "1.6", "2.3e+05".
std::string factor_text(double log_factor) {
  constexpr double kMostText = 700;
  if (log_factor > kMostText) return fmt::format("exp({:.0f})", log_factor);
  const double b = std::exp(log_factor);
  return b < 10 ? fmt::format("{:.1f}", b) : b < 1e5 ? fmt::format("{:.0f}", b) : fmt::format("{:.1e}", b);
}

std::string interval_text(const Stored& m) {
  const std::vector<double> ends = m.numbers("probability_interval");
  if (ends.size() != 2 || !std::isfinite(ends[0]) || !std::isfinite(ends[1])) return "";
  const std::string low = probability_text(ends[0]), high = probability_text(ends[1]);
  if (low == high) return "";
  return fmt::format(" (95 % interval {} to {})", low, high);
}

double factor_between(const DocumentParts& r, std::size_t i, std::size_t j) {
  const std::vector<Stored> rows = r.result.list("log_bayes_factors");
  if (i >= rows.size()) return kNaN;
  const std::vector<double> row = rows[i].as_numbers();
  return j < row.size() ? row[j] : kNaN;
}

double probability_of(const ModelParts& m) {
  const double p = m.result.number("probability");
  return std::isnan(p) ? -1 : p;
}

std::string finding(const DocumentParts& r, std::size_t best) {
  const Stored& m = r.models[best].result;
  if (r.models.size() == 1) {
    const double z = m.number("log_evidence");
    return std::isnan(z)
               ? fmt::format("{} is the only model, so there is nothing to compare it with.",
                             quoted(r.models[best].name))
               : fmt::format("{} is the only model; its log evidence is {:.2f}.", quoted(r.models[best].name), z);
  }
  std::string out =
      fmt::format("{} is the most probable of {} models: its probability is {}{}.", quoted(r.models[best].name),
                  r.models.size(), probability_text(m.number("probability")), interval_text(m));
  std::size_t second = best == 0 ? 1 : 0;
  for (std::size_t i = 0; i < r.models.size(); ++i)
    if (i != best && probability_of(r.models[i]) > probability_of(r.models[second])) second = i;
  const double log_factor = factor_between(r, best, second);
  if (!std::isfinite(log_factor)) return out;
  if (log_factor < 0)
    return out + fmt::format(" The data themselves favour {} by a factor of {}; the prior decides otherwise.",
                             quoted(r.models[second].name), factor_text(-log_factor));
  return out + fmt::format(" The data favour it over the next, {}, by a factor of {}: evidence that is {}.",
                           quoted(r.models[second].name), factor_text(log_factor), strength_words(log_factor));
}

bool is_unjudged(const ModelParts& m) { return m.result.text("verdict") == name(Verdict::unjudged); }

/// Without a verdict on what matters, the reader learns why; improbable models that went without one are counted.
std::string unjudged_sentence(const DocumentParts& r, std::size_t best) {
  const auto unjudged = std::ranges::count_if(r.models, is_unjudged);
  if (unjudged == 0) return {};
  if (!is_unjudged(r.models[best]))
    return fmt::format("{} less probable {} unjudged: too few particles ended there to tell the evidence.", unjudged,
                       unjudged == 1 ? "model is" : "models are");
  std::string why;
  for (const Stored& reason : r.models[best].result.list("reasons")) why = reason.text("text");
  return fmt::format("These numbers are unjudged, so there is no saying whether to trust them: {}.", why);
}

int level(const std::string& verdict) {
  return verdict == "do not trust" ? 3 : verdict == "run longer" ? 2 : verdict == "trust" ? 1 : 0;
}

}  // namespace

std::string_view strength_words(double log_bayes_factor) {
  std::string_view out = kStrengths.front().words;
  for (const StrengthStep& s : kStrengths)
    if (log_bayes_factor >= std::log(s.above)) out = s.words;
  return out;
}

Json strengths_json() {
  Json out = Json::array();
  for (const StrengthStep& s : kStrengths) out.push_back({{"above", s.above}, {"words", s.words}});
  return out;
}

std::string probability_text(double p) {
  if (std::isnan(p)) return "not known";
  if (p > 0 && p < 0.001) return "less than 0.001";
  if (p < 1 && p > 0.999) return "more than 0.999";
  return fmt::format("{:.{}f}", p, p < 0.01 || p > 0.99 ? 3 : 2);
}

StudyWords words_of(const DocumentParts& r) {
  StudyWords out;
  for (std::size_t i = 1; i < r.models.size(); ++i)
    if (probability_of(r.models[i]) > probability_of(r.models[out.best])) out.best = i;
  out.sentences.push_back(finding(r, out.best));
  // A model that cannot matter is not refined any further, so its alarms do not count.
  std::vector<std::string> doubtful;
  bool told = false;
  for (const ModelParts& m : r.models) {
    const std::string verdict = m.result.text("verdict");
    told = told || level(verdict) > 0;
    if (level(verdict) < 2 || (m.result.json().value("dropped", Json()) == true)) continue;
    if (level(verdict) > level(out.trust)) out.trust = verdict;
    doubtful.push_back(quoted(m.name));
  }
  if (doubtful.empty() && is_unjudged(r.models[out.best])) {
    out.trust = name(Verdict::unjudged);
  } else if (doubtful.empty() && told) {
    out.trust = "trust";
    out.sentences.emplace_back("The runs raised no alarm: these numbers can be trusted.");
  } else if (told) {
    const std::string which = fmt::format("{}", fmt::join(doubtful, ", "));
    out.sentences.push_back(out.trust == "run longer"
                                ? fmt::format("Run longer before you rely on it: see the alarms of {}.", which)
                                : fmt::format("Do not trust these numbers yet: see the alarms of {}.", which));
  }
  if (const std::string unjudged = unjudged_sentence(r, out.best); !unjudged.empty()) out.sentences.push_back(unjudged);
  return out;
}

std::string summary_text(const DocumentParts& r, const StudyWords& words) {
  std::string out = fmt::format("{}\n\n", fmt::join(words.sentences, "\n"));
  out += fmt::format("{:<32}  {:>14}  {:>10}  {:>11}\n", "model", "log evidence", "error", "probability");
  constexpr std::size_t kMostRows = 40;
  for (std::size_t i = 0; i < std::min(r.models.size(), kMostRows); ++i) {
    const Stored& m = r.models[i].result;
    const auto cell = [&](const char* key, int digits) {
      const double v = m.number(key);
      return std::isnan(v) ? std::string("-") : fmt::format("{:.{}f}", v, digits);
    };
    out += fmt::format("{}  {:>14}  {:>10}  {:>11}\n", fitted(r.models[i].name, 32), cell("log_evidence", 3),
                       cell("log_evidence_se", 3), cell("probability", 4));
  }
  return out;
}

}  // namespace evident::report
