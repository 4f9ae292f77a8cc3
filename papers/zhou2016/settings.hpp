// What the user asked for, and replicates of a run.
//
//   const auto values = replicate<double>(settings, 20, {.data_set = 1}, [&](const Context& context) {
//     return standard_estimate(direct_evidence(model, options, context).trace);
//   });
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "evident/base/context.hpp"

namespace zhou2016 {

struct Settings {
  std::vector<std::string> tables;
  std::optional<std::size_t> replicates;
  std::filesystem::path data;
  std::filesystem::path out = "papers/zhou2016/results";
  bool quick = false;
  std::uint64_t seed = 2016;
  unsigned threads = 1;

  /// Replicates of a table: as asked for, else 2 when quick, else the table's own number.
  std::size_t count(std::size_t usual) const { return replicates.value_or(quick ? 2 : usual); }
  std::size_t particles(std::size_t usual) const { return quick ? usual / 8 : usual; }
};

/// Says on standard error what is being done: some rows take minutes.
template <class... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
  fmt::print(stderr, "{}\n", fmt::format(format, std::forward<Args>(args)...));
}

inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Runs f(context) for each replicate, spread over the threads. Replicate i has the random numbers of its identity, so
/// results do not depend on the number of threads.
template <class T, class F>
std::vector<T> replicate(const Settings& settings, std::size_t count, evident::RunIdentity identity, const F& f) {
  std::vector<std::optional<T>> results(count);
  const evident::Executor executor(settings.threads);
  identity.seed = settings.seed;
  executor.for_each(count, [&](std::size_t i) {
    const evident::Executor one(1);
    evident::RunIdentity own = identity;
    own.replicate = static_cast<std::uint32_t>(i);
    results[i].emplace(f(evident::Context{evident::Streams(own), one}));
  });
  std::vector<T> out;
  for (std::optional<T>& r : results) out.push_back(std::move(*r));
  return out;
}

}  // namespace zhou2016
