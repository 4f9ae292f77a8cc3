// What the benches on the suite of problems (tests/problems/suite.hpp) have in common: their options, and their runs.
//
//   const bench::SuiteOptions options = bench::read_suite_options(argc, argv);
//   for (const SuiteEntry& e : problems::suite()) log.add(bench::run_entry(e, options.first, options));
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "evident/smc/sampler.hpp"
#include "known_answers.hpp"
#include "problems/suite.hpp"
#include "trust_log.hpp"

namespace evident::bench {

struct SuiteOptions {
  problems::Half half = problems::Half::design;
  std::size_t seeds = 10;
  std::uint64_t first = 0;  ///< 0: the first one of the half
  std::string setting = "default", log;
  unsigned threads = 0;
  std::uint64_t instances = 0;  ///< of a problem, each with several seeds; 0: each seed has its own
  bool each = false;
  std::vector<std::string> names;
};

/// Takes an option that one bench alone has, with the words that follow; false where it has none of that name.
using OwnOption = std::function<bool(const std::string& word, const std::function<std::string()>& value)>;

inline CompareOptions compare_options(const std::string& setting, std::uint64_t seed) {
  SmcOptions smc = frozen_defaults();
  std::size_t islands = 8;
  if (setting == "small") smc.particles = 200;
  if (setting == "few") smc.particles = 100, islands = 4;
  return {.smc = smc, .seed = seed, .threads = 1, .islands = islands};
}

inline LoggedRun run_entry(const problems::SuiteEntry& entry, std::uint64_t seed, const SuiteOptions& options) {
  LoggedRun out{.setting = options.setting, .problem = entry.name, .seed = seed};
  const problems::Problem problem =
      entry.make(options.instances == 0 ? seed : options.first + (seed - options.first) % options.instances);
  out.answer_error = problem.standard_error;
  try {
    const Outcome o = run_known(problem, compare_options(options.setting, seed));
    if (options.each) {
      std::printf("# %s\n", entry.name.c_str());
      show(seed, o);
    }
    out.set(o);
  } catch (const std::exception& e) {
    out.failure = e.what();
    if (options.each)
      std::printf("# %s\n# seed %llu: %s\n", entry.name.c_str(), static_cast<unsigned long long>(seed), e.what());
  }
  return out;
}

inline SuiteOptions read_suite_options(int argc, char** argv, const OwnOption& own = {}) {
  SuiteOptions o;
  const auto value = [&](int& i) -> std::string {
    if (i + 1 >= argc) throw std::runtime_error(std::string(argv[i]) + " wants a value");
    return argv[++i];
  };
  const auto whole = [&](int& i) -> std::uint64_t {
    const std::string text = value(i);
    char* end = nullptr;
    const std::uint64_t out = std::strtoull(text.c_str(), &end, 10);
    if (end == text.c_str() || *end != '\0') throw std::runtime_error("'" + text + "' is no whole number");
    return out;
  };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--half") {
      const std::string half = value(i);
      if (half != name(problems::Half::design) && half != name(problems::Half::confirmation))
        throw std::runtime_error("--half is design or confirmation");
      o.half = half == name(problems::Half::design) ? problems::Half::design : problems::Half::confirmation;
    } else if (word == "--seeds") {
      o.seeds = whole(i);
    } else if (word == "--first") {
      o.first = whole(i);
    } else if (word == "--setting") {
      o.setting = value(i);
      if (o.setting != "default" && o.setting != "small" && o.setting != "few")
        throw std::runtime_error("--setting is default, small or few");
    } else if (word == "--threads") {
      o.threads = static_cast<unsigned>(whole(i));
    } else if (word == "--log") {
      o.log = value(i);
    } else if (word == "--instances") {
      o.instances = whole(i);
    } else if (word == "--each") {
      o.each = true;
    } else if (own && own(word, [&] { return value(i); })) {
    } else if (word.starts_with("--")) {
      throw std::runtime_error("there is no option " + word);
    } else {
      o.names.push_back(word);
    }
  }
  if (o.first == 0) o.first = o.half == problems::Half::design ? 1 : problems::kFirstConfirmationSeed;
  if (o.seeds == 0 || !is_seed_of(o.half, o.first) || !is_seed_of(o.half, o.first + o.seeds - 1))
    throw std::runtime_error("these are no seeds of the " + std::string(name(o.half)) +
                             " half (see tests/problems/suite.hpp)");
  return o;
}

}  // namespace evident::bench
