// What a data set of a batch leaves: a row for each model, or the reason why there is none.
//
//   ItemResult result = result_of(name, comparison);
//   journal.append(number, pack(result));  ...  unpack(journal.payload(number))     // the same to the last bit
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "evident/compare/compare.hpp"

namespace evident::batch {

struct ModelRow {
  std::string name;
  Estimate log_evidence = {}, probability = {};
  Interval probability_interval{};  ///< 95 %
  std::string verdict = {};         ///< empty when the method gives none
  std::vector<ParameterSummary> parameters = {};
};

struct ItemResult {
  std::string name;
  std::string study, data;   ///< files; `data` is empty when it is the study's own
  std::string message = {};  ///< why it failed; empty: it did not
  std::string method = {};
  std::uint64_t seed = 0;
  std::vector<ModelRow> models = {};
  std::vector<std::string> warnings = {};
  double seconds = 0;
  std::vector<std::pair<std::string, std::uint64_t>> inputs =
      {};  ///< files that were read for it alone, with their sums

  bool failed() const { return !message.empty(); }
  /// The most probable model; nothing when none is.
  std::optional<std::size_t> best() const;
};

/// Fills in what the comparison tells.
void add_comparison(const Comparison& comparison, ItemResult& result);

std::vector<std::byte> pack(const ItemResult& result);
/// Throws RunError when the bytes are not those of a result.
ItemResult unpack(std::span<const std::byte> bytes);

}  // namespace evident::batch
