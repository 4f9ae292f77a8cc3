// Every threshold of the verdict: its value, what it means, how often it raises an alarm where nothing is wrong, and
// where it comes from. docs/verdict.md has this list as a table, and a test keeps it so.
//
//   constexpr double kHarmless = threshold("harmless");      // a name that is not in the list does not compile
#pragma once

#include <array>
#include <string_view>

namespace evident {

struct Threshold {
  std::string_view name;
  double value;
  std::string_view meaning;
  std::string_view false_alarms;
  std::string_view source;
};

inline constexpr auto kThresholds = std::to_array<Threshold>({
    // Of any two log evidences
    {"harmless", 0.1, "nats by which log evidences may differ without changing a conclusion", "none: it adds slack",
     "a factor of 1.1 in a Bayes factor"},
    {"errors", 3, "standard errors beyond which two estimates contradict each other", "0.3 % for normal errors",
     "normal quantile"},
    {"grave", 1, "nats; a contradiction above this means do not trust", "as the alarm",
     "a factor of 2.7 in a Bayes factor"},
    {"useless", 0.5, "standard error above which a log evidence settles nothing", "none: it is what it says",
     "two such errors are a factor of 2.7 in a Bayes factor"},
    // Of one run
    {"stuck-acceptance", 0.01, "acceptance below which particles stay where they are", "0 of 500 runs",
     "healthy runs accept 10 % or more"},
    {"stuck-jump", 0.002, "squared jump, in variances, below which particles stay in their modes", "0 of 500 runs",
     "healthy runs have 0.01 or more"},
    {"moved-once", 0.5, "accepted moves a particle in one step, below which rare moves do not add up", "0 of 500 runs",
     "half of the particles have moved"},
    {"moved-far", 0.1, "squared jump of all passes of a step, below which short moves do not add up", "0 of 500 runs",
     "a third of a standard deviation"},
    {"many-steps", 0.2, "share of the steps with refused moves, above which the whole run is stuck", "0 of 500 runs",
     "one step in five"},
    {"few-eves", 10, "effective ancestors below which a run cannot tell its error", "0 of 500 runs",
     "the error from 10 of them is off by a fifth"},
    {"hardly-any-eves", 3, "effective ancestors below which the run rests on a few particles", "0 of 500 runs",
     "the error from 3 of them means nothing"},
    {"variance-rise", 2, "factor by which the variance of the log likelihood may rise along the path", "0 of 500 runs",
     "it falls for one mode; noise made 1.4 at most"},
    {"empty-valley", 0.1, "of the lower peak, between two groups of log likelihoods: nothing crosses", "0 of 500 runs",
     "one particle in ten is between the groups"},
    {"rough-share", 0.25, "relative error of the share of first draws that are possible, of all runs together",
     "none: it is a fact", "1 / sqrt(16): the error from 16 draws is off by an eighth"},
    {"half-of-the-runs", 0.5, "share of the runs that must raise an alarm of single runs", "lowers those above",
     "a majority"},
    // Of islands
    {"fewest-islands", 4, "islands from which their spread can show an outlier", "none: it restricts alarms",
     "a median and a spread need 4"},
    {"carries", 0.5, "share of one island in the mean evidence",
     "fewer than 2 % of sets of islands, with the next three", "the mean is that of one island"},
    {"carries-times", 3, "times its due share that one of few islands must hold", "as above", "3/R for R below 6"},
    {"nearly-all", 0.9, "share of one island above which the others do not matter", "as above", "nine tenths"},
    {"far-island", 5, "robust deviations of one island from the median", "1e-6 for each normal island",
     "normal quantile"},
    {"harmless-spread", 0.2, "nats that islands may differ from the median whatever their errors",
     "none: it adds slack", "twice harmless"},
    {"wide-islands", 2.5, "times their own errors that islands may scatter",
     "0.03 % of 4 islands; 0.1 % when errors are known to 20 %", "chi-squared quantile"},
    {"scatter-of-many", 0.31622776601683794, "scatter of islands below which enough particles found every phase",
     "none: it turns a rough referee into a note",
     "1 / sqrt(few-eves): n particles that find a way scatter by 1 / sqrt(n)"},
    // Of a run that serves several models
    {"few-visitors", 100, "particles of all islands in a model, below which its evidence is not judged",
     "none: it is a fact", "1 / sqrt(100): an error of 0.1"},
    // Of bridge sampling
    {"poor-overlap", 0.02, "effective share of the fresh draws below which a bridge is not used", "none: it is a note",
     "20 effective draws of 1000"},
    {"enough-bridges", 2.0 / 3, "share of the islands that need a usable bridge", "none: the evidence does without",
     "two of three"},
    {"bridge-errors", 4, "of its own errors that the bridge of one island may differ from their mean",
     "0.05 % of 8 normal bridges", "normal quantile"},
    // Of the modes that were found before the runs
    {"unseen-modes", 0.09516258196404048,
     "share of further climbs that would end at a mode which is not known, where runs begin at those that are",
     "none: it is an estimate of what is missed",
     "1 - exp(-harmless): by so much the log evidence is too low if modes hold what their climbs say"},
    // Of the model
    {"few-outside", 0.005, "share of prior draws with density zero that is only a note", "none: it is a fact",
     "the log evidence is off by no more than that"},
    {"edge", 0.1, "standard deviations next to a bound that count as at the bound", "none: it is a scale",
     "a tenth of the posterior's width"},
    {"at-edge", 0.04, "share of the posterior at a bound that is noted", "none: it is a note",
     "5 % for half a normal, 3 % for a flat posterior"},
    {"above-prior", 2, "times the prior's share at the bound that is noted", "none: it is a note",
     "otherwise the data say nothing of the parameter"},
});

consteval double threshold(std::string_view name) {
  for (const Threshold& t : kThresholds)
    if (t.name == name) return t.value;
  throw "there is no threshold of that name";
}

}  // namespace evident
