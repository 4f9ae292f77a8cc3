#include "study/known_models.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/temporary_folder.hpp"

namespace evident::study {
namespace {

TEST(KnownModels, OfALargeFamilyAreAllThatWereVisited) {
  const TemporaryFolder folder;
  std::string data = "y";
  for (int j = 0; j < 14; ++j) data += ",x" + std::to_string(j);
  for (int i = 0; i < 20; ++i) {
    data += "\n" + std::to_string(i % 5);
    for (int j = 0; j < 14; ++j) data += "," + std::to_string((i * (2 * j + 3) + j) % 31);
  }
  folder.write("data.csv", data + "\n");
  const Study study = read_study(folder.write("s.toml",
                                              "[data]\nfile = \"data.csv\"\n[sampler]\nmethod = \"all-in-one\"\n"
                                              "particles = 64\ncess = 0.8\nreplicates = 1\n[family]\n"
                                              "kind = \"linear-regression\"\ninclusion = 0.5\n"));
  const Comparison result = run(study);
  const std::vector<Candidate> known = known_models(study, result);
  ASSERT_EQ(known.size(), result.models.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_EQ(known[i].name, result.models[i].name);
    EXPECT_EQ(known[i].name, study.family->family->name(*result.models[i].index));
    EXPECT_EQ(known[i].model.get(), &study.family->family->model(*result.models[i].index));
  }
  EXPECT_GT(std::ranges::max(result.models, {}, &ModelResult::index).index, ModelIndex{10000});
}

}  // namespace
}  // namespace evident::study
