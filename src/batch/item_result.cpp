#include "batch/item_result.hpp"

#include <cmath>

#include "base/estimate_fields.hpp"
#include "base/pack_fields.hpp"
#include "compare/method.hpp"
#include "compare/summary_fields.hpp"
#include "evident/report/document.hpp"

namespace evident::batch {
namespace {

constexpr std::uint32_t kFormat = 2;

// Over replicates where one run serves all models, else from within the runs.
double probability_error(const ModelResult& m) {
  const double sd = m.spread.probability_sd;
  return std::isnan(sd) ? m.probability.standard_error : sd / std::sqrt(static_cast<double>(m.replicates.size()));
}

}  // namespace
}  // namespace evident::batch

namespace evident {

template <>
struct Fields<batch::ModelRow> {
  using T = batch::ModelRow;
  static constexpr auto list =
      std::tuple(field("name", &T::name), field("log_evidence", &T::log_evidence),
                 field("probability", &T::probability), field("probability_interval", &T::probability_interval),
                 field("verdict", &T::verdict), field("parameters", &T::parameters));
};
static_assert(lists_every_field<batch::ModelRow>);

template <>
struct Fields<batch::ItemResult> {
  using T = batch::ItemResult;
  static constexpr auto list = std::tuple(
      field("name", &T::name), field("study", &T::study), field("data", &T::data), field("message", &T::message),
      field("method", &T::method), field("seed", &T::seed), field("models", &T::models),
      field("warnings", &T::warnings), field("seconds", &T::seconds), field("inputs", &T::inputs));
};
static_assert(lists_every_field<batch::ItemResult>);

}  // namespace evident

namespace evident::batch {

std::optional<std::size_t> ItemResult::best() const {
  std::optional<std::size_t> out;
  for (std::size_t i = 0; i < models.size(); ++i)
    if (models[i].probability.value > (out ? models[*out].probability.value : 0)) out = i;
  return out;
}

void add_comparison(const Comparison& comparison, ItemResult& result) {
  result.method = info(comparison.method).name;
  for (const ModelResult& m : comparison.models) {
    result.models.push_back({.name = m.name,
                             .log_evidence = {m.log_evidence.value, report::evidence_error(m)},
                             .probability = {m.probability.value, probability_error(m)},
                             .probability_interval = m.probability_interval,
                             .verdict = m.verdict ? std::string(name(*m.verdict)) : std::string(),
                             .parameters = m.parameters});
    for (const std::string& w : m.warnings) result.warnings.push_back(m.name + ": " + w);
  }
  for (const Replicate& run : comparison.runs)
    result.warnings.insert(result.warnings.end(), run.warnings.begin(), run.warnings.end());
}

std::vector<std::byte> pack(const ItemResult& r) {
  Packer out;
  out.put(kFormat);
  put_value(out, r);
  return out.finish();
}

ItemResult unpack(std::span<const std::byte> bytes) {
  Unpacker in(bytes);
  if (in.get<std::uint32_t>() != kFormat) Unpacker::refuse();
  ItemResult r;
  get_value(in, r);
  in.end();
  if (!r.failed() && !r.best()) Unpacker::refuse();
  return r;
}

}  // namespace evident::batch
