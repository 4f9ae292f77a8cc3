// A folder of results, as `evident report` reads it: result.json, study.json, predictions, draws and a trace of a model
// called "m". The answer is the data of a report, which is JSON, or an InputError.
#include <array>
#include <nlohmann/json.hpp>

#include "evident/base/error.hpp"
#include "fuzz.hpp"
#include "report/study_report.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::array<const char*, 6> names = {"result.json", "study.json",  "m-predictive.json",
                                                "m-draws.csv", "m-prior.csv", "m-trace.csv"};
  static fuzz::Folder folder;
  const auto parts = fuzz::parts_of(fuzz::text_of({bytes, size}), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) folder.fill(names[i], parts[i]);
  try {
    const std::string json = evident::report::study_report_json(folder.path());
    fuzz::require(nlohmann::json::accept(json), "the data of a report are JSON");
  } catch (const evident::InputError&) {
  }
  return 0;
}
