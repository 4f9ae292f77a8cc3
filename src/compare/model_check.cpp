#include "compare/model_check.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "base/statistics.hpp"
#include "compare/forecast.hpp"
#include "compare/model_check_parts.hpp"
#include "compare/runner.hpp"

namespace evident {
namespace {

constexpr std::uint64_t kTag = 0x6368656b;  // streams of the check's own
constexpr double kMostlyImpossible = 0.99, kSomeNan = 0.001;
constexpr std::size_t kTimedCalls = 5;
constexpr std::size_t kScoutEvaluations = 5000, kNanDraws = 20'000;

/// The log likelihood of every draw; on all threads.
AlignedVector<double> likelihoods(const Model& model, ConstBlock theta, const Context& context) {
  AlignedVector<double> out(theta.size());
  context.executor.for_each(block_count(theta.size()), [&](std::size_t b) {
    const std::size_t first = b * kBlockSize, count = std::min(kBlockSize, theta.size() - first);
    model.log_likelihood(theta.columns(first, count), {out.data() + first, count});
  });
  return out;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Draws whose log likelihood is another one when the particles of a block are in reverse order.
std::size_t count_unsteady(const Model& model, ConstBlock theta, std::span<const double> before) {
  const std::size_t n = std::min(2 * kBlockSize + 5, theta.size());
  BlockStorage turned(theta.rows(), n);
  for (std::size_t j = 0; j < theta.rows(); ++j)
    for (std::size_t i = 0; i < n; ++i) turned(j, i) = theta(j, n - 1 - i);
  AlignedVector<double> after(n);
  model.log_likelihood(turned, after);
  std::size_t out = 0;
  for (std::size_t i = 0; i < n; ++i) out += same(before[i], after[n - 1 - i]) ? 0 : 1;
  return out;
}

/// How often this thread has given the processor away of itself, as it does when it waits for another process.
long times_waited() {
  rusage used{};
  ::getrusage(RUSAGE_THREAD, &used);
  return used.ru_nvcsw;
}

struct CallTime {
  double seconds = kInf, waiting = 0;
};

/// The quickest of a few calls. Time that others take of the processor is none of the model's.
CallTime time_of_call(const Model& model, ConstBlock theta) {
  constexpr double kElsewhere = 0.8;  // of the time: another process computes
  constexpr double kLong = 0.2;
  AlignedVector<double> out(theta.size());
  CallTime best;
  for (std::size_t k = 0; k < kTimedCalls; ++k) {
    const auto start = Clock::now();
    const double worked = thread_seconds();
    const long waited = times_waited();
    model.log_likelihood(theta, out);
    const bool waits = times_waited() > waited;
    const double own = thread_seconds() - worked;
    const double all = std::chrono::duration<double>(Clock::now() - start).count();
    const CallTime one = waits && all - own > kElsewhere * all ? CallTime{all, all - own} : CallTime{own, 0};
    if (one.seconds < best.seconds) best = one;
    if (one.seconds > kLong) break;
  }
  return best;
}

LikelihoodTime time_of(const Model& model, ConstBlock theta) {
  const std::size_t n = std::min(kBlockSize, theta.size());
  const CallTime block = time_of_call(model, theta.columns(0, n)), alone = time_of_call(model, theta.columns(0, 1));
  return {block.seconds / static_cast<double>(n), alone.seconds, block.waiting / static_cast<double>(n)};
}

void judge_likelihood(ModelCheck& c) {
  const auto n = static_cast<double>(c.draws);
  const auto problem = [&](std::string text) { c.findings.push_back({true, std::move(text)}); };
  if (c.nan + c.impossible == c.draws)
    problem(fmt::format("no draw of the prior can have made the data: of {} log likelihoods {} are -inf and {} are NaN",
                        c.draws, c.impossible, c.nan));
  else if (const NanOfPrior& found = c.nan_of_prior; found.nan > 0)
    c.findings.push_back(
        {static_cast<double>(found.nan) > kSomeNan * static_cast<double>(found.draws),
         fmt::format("the log likelihood is NaN for {} of {} draws of the prior, and they count as impossible; it "
                     "should be -inf where a parameter is impossible. One is {}",
                     found.nan, found.draws, found.shown)});
  if (static_cast<double>(c.impossible) > kMostlyImpossible * n && c.nan + c.impossible < c.draws)
    c.findings.push_back(
        {false, fmt::format("only {} of {} draws of the prior are possible; a run draws more of them to find enough",
                            c.draws - c.impossible, c.draws)});
  if (c.unsteady > 0)
    problem(
        fmt::format("the log likelihood of {} draws changed when it was asked for again in another order; it must "
                    "depend on the parameters alone",
                    c.unsteady));
}

void judge_prior(ModelCheck& c) {
  if (c.prior.agrees() && !c.prior.built_in && !c.prior.mass_tested)
    c.findings.push_back({false,
                          "whether the prior density integrates to 1 could not be tested, because no simple density "
                          "comes near to it: a missing constant would not be seen"});
  if (c.prior.agrees()) return;
  std::string text = "draws and density of the prior do not belong together:";
  if (c.prior.outside > 0) text += fmt::format(" {} draws have density zero;", c.prior.outside);
  if (!c.prior.mass_agrees)
    text += fmt::format(" the density integrates to {:.3g}, not 1;", std::exp(c.prior.log_mass.value));
  for (const CoordinateCheck& p : c.prior.coordinates)
    if (!p.agrees) text += fmt::format(" {} (p = {:.1g});", p.name, p.p_value);
  text.pop_back();
  c.findings.push_back({true, std::move(text)});
}

void judge_rest(ModelCheck& c) {
  if (c.gradient && c.gradient->wrong > 0)
    c.findings.push_back(
        {true, fmt::format("the gradient is wrong: {} of {} derivatives differ from differences of the "
                           "log density, by up to {:.2g} (relative) in {}",
                           c.gradient->wrong, c.gradient->tested, c.gradient->largest_error, c.gradient->where)});
  for (const PriorPredictive& p : c.predictive)
    if (p.share_below < 0.001 || p.share_below > 0.999)
      c.findings.push_back(
          {false, fmt::format("the prior hardly allows the data: the {} of {} is {:.4g}, and 90 % of the "
                              "data sets drawn from the prior have {:.4g} to {:.4g}",
                              p.statistic, p.observed, p.of_data, p.of_draws.q05, p.of_draws.q95)});
}

/// As the comparison will, where that takes no more time than a forecast may.
void look_for_modes(const Model& model, const ModelCheckOptions& options, const Context& context, ModelCheck& c,
                    CheckedSoFar& known) {
  ScoutOptions scouting{.most = kScoutEvaluations};
  if (options.islands > 0) scouting = scout_options(options.smc, {.islands = options.islands});
  const double most = static_cast<double>(scouting.most);
  known.scouting = {most, most * known.time.alone};
  if (!options.modes || known.scouting.seconds > options.forecast_limit) return;
  const Executor one_thread(1);
  const WorkClock clock(known.time);
  c.modes = scout(model, scouting, {context.streams, one_thread, context.stop});
  const auto evaluations = static_cast<double>(c.modes->evaluations);
  known.scouting = {evaluations, clock.seconds(evaluations)};
  known.modes = &*c.modes;
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto quantile = [&](double share) { return quantile_of_sorted(values, share); };
  return {mean(values), sd_of_all(values), quantile(0.05), quantile(0.5), quantile(0.95)};
}

bool ModelCheck::has_problem() const { return std::ranges::any_of(findings, &Finding::is_problem); }

ModelCheck check_model(const Model& model, const ModelCheckOptions& options, const Context& given) {
  const Context context{given.streams.part(kTag), given.executor, given.stop};
  const ParameterSpace& space = model.parameters();
  ModelCheck c{.draws = options.draws};
  c.prior = check_prior(model, context);

  BlockStorage theta(space.size(), options.draws);
  model.draw_prior(context.streams, 0, theta);
  for (std::size_t j = 0; j < space.size(); ++j) {
    const auto row = theta.row(j);
    c.parameters.push_back({space.names()[j], space.prior_text(j), spread_of({row.begin(), row.end()})});
  }
  const AlignedVector<double> log_likelihood = likelihoods(model, theta, context);
  c.impossible = static_cast<std::size_t>(std::ranges::count(log_likelihood, -kInf));
  c.nan = static_cast<std::size_t>(std::ranges::count_if(log_likelihood, [](double v) { return std::isnan(v); }));
  c.log_likelihood = spread_of({log_likelihood.begin(), log_likelihood.end()});
  c.unsteady = count_unsteady(model, theta, log_likelihood);
  if (!model.observed().empty()) c.predictive = check_predictive(model, theta, context);
  if (model.has_gradient()) c.gradient = check_gradient(model, theta, log_likelihood);
  CheckedSoFar known{.time = time_of(model, theta)};
  c.seconds_per_likelihood = known.time.in_block;
  look_for_nan(model, theta, log_likelihood, c.nan_of_prior);
  if (options.forecast && c.seconds_per_likelihood * kNanDraws < options.forecast_limit) {
    BlockStorage more(space.size(), kNanDraws);
    model.draw_prior(context.streams.part(kTag), 0, more);
    look_for_nan(model, more, likelihoods(model, more, context), c.nan_of_prior);
  }
  judge_prior(c);
  judge_likelihood(c);
  judge_rest(c);
  look_for_modes(model, options, context, c, known);
  if (options.forecast) {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    c.forecast = forecast_from(compare_in_small(model, options, known, context), options, known,
                               std::min(context.executor.threads(), cores));
  }
  return c;
}

}  // namespace evident
