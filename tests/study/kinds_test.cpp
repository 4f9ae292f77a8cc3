// The kinds that need more than one column: their fields reach the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evident/study/study.hpp"
#include "study/messages.hpp"
#include "support/temporary_folder.hpp"

namespace evident::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class KindsTest : public testing::Test {
 protected:
  KindsTest() {
    std::string series = "time,x1,x2\n", frames = "time,dt,y\n", plasma = "time,CP\n";
    for (int i = 1; i <= 10; ++i) {
      series += std::to_string(i) + ",1,0.5\n";
      frames += std::to_string(60 * i) + ",60,1\n";
    }
    for (int i = 0; i <= 80; ++i)
      plasma += std::to_string(10 * i) + "," + std::to_string(i * std::exp(-0.1 * i)) + "\n";
    folder_.write("series.csv", series);
    folder_.write("frames.csv", frames);
    folder_.write("plasma.csv", plasma);
  }

  std::shared_ptr<const Model> model(const std::string& data, const std::string& kind,
                                     const std::string& fields) const {
    const std::string text =
        "[data]\nfile = \"" + data + "\"\n[[model]]\nname = \"a\"\nkind = \"" + kind + "\"\n" + fields;
    return read_study(folder_.write("s.toml", text)).models[0].candidate.model;
  }
  std::shared_ptr<const Model> goodwin(const std::string& fields) const {
    return model("series.csv", "goodwin", fields);
  }
  std::shared_ptr<const Model> pet(const std::string& fields) const {
    return model("frames.csv", "pet-compartments", fields);
  }

  TemporaryFolder folder_;
};

TEST_F(KindsTest, GoodwinReadsItsFields) {
  EXPECT_THAT(goodwin("components = 3\n")->parameters().names(), ElementsAre("a0", "a1", "a2", "k1", "k2"));
  const auto m = goodwin("components = 4\nprior = \"gamma(shape=2, rate=3)\"\n");
  EXPECT_EQ(m->parameters().size(), 6u);
  EXPECT_THAT(m->parameters().prior_text(0), HasSubstr("shape=2"));
  EXPECT_NO_THROW(goodwin("components = 3\ncolumns = \"x2\"\nstates = [2]\n"));
  EXPECT_THAT(message_of([&] { goodwin("components = 3\nstates = [1]\n"); }), HasSubstr("has 1 entries for 2 columns"));
  EXPECT_THAT(message_of([&] { goodwin("components = 3\nprior = \"gama(2, 3)\"\n"); }),
              HasSubstr("is not a distribution"));
  EXPECT_THAT(message_of([&] { goodwin("components = 3\nprior = \"gamma(2, 3)\"\nprior_rate = 1\n"); }),
              HasSubstr("has no effect"));
  EXPECT_TRUE(goodwin("components = 3\n")->has_own_move());
  EXPECT_FALSE(goodwin("components = 3\nown_tries = 0\n")->has_own_move());
  EXPECT_THAT(message_of([&] { goodwin("components = 99\n"); }), HasSubstr("between 2 and 16"));
}

TEST_F(KindsTest, PetReadsItsFields) {
  const std::string base = "compartments = 2\ninput = \"plasma.csv\"\n";
  EXPECT_THAT(pet(base)->parameters().names(), ElementsAre("phi1", "phi2", "theta1", "theta2", "lambda"));
  EXPECT_EQ(pet(base + "precision = \"marginal\"\n")->parameters().size(), 4u);
  EXPECT_EQ(pet(base + "noise = \"student\"\n")->parameters().size(), 6u);
  EXPECT_TRUE(pet(base + "precision = \"gibbs\"\n")->has_own_move());
  EXPECT_NO_THROW(pet(base + "preset = \"zhou2013-i\"\ninterpolation = \"linear\"\nphi_upper = [0.5, 0.25]\n"));
  EXPECT_THAT(message_of([&] { pet(base + "noise = \"student\"\nprecision = \"gibbs\"\n"); }),
              HasSubstr("needs noise"));
  EXPECT_THAT(message_of([&] { pet(base + "phi_lower = [1]\nphi_upper = [0.5]\n"); }), HasSubstr("leaves no room"));
  EXPECT_THAT(message_of([&] { pet("compartments = 2\n"); }), HasSubstr("needs input"));
  EXPECT_THAT(message_of([&] { pet("compartments = 2\ninput = \"none.csv\"\n"); }),
              HasSubstr("'input' in [[model]] names"));
  EXPECT_THAT(message_of([&] { pet(base + "input_column = \"CB\"\n"); }), HasSubstr("plasma.csv: has no column 'CB'"));
}

TEST_F(KindsTest, PetWithBloodAndFrameAverages) {
  const std::string base = "compartments = 1\ninput = \"plasma.csv\"\n";
  const auto value = [&](const std::string& fields) {
    BlockStorage theta(3, 1);
    theta(0, 0) = 5e-3, theta(1, 0) = 5e-4, theta(2, 0) = 1;
    std::vector<double> out(1);
    pet(base + fields)->log_likelihood(theta.block(), out);
    return out[0];
  };
  const double plain = value("");
  EXPECT_EQ(value("vb = 0\n"), plain);
  EXPECT_NE(value("vb = 0.05\nblood_column = \"CP\"\n"), plain);
  // The column of times, taken for starts: frames that come half a frame later.
  const double later = value("start = \"time\"\nduration = \"dt\"\n");
  EXPECT_NE(later, plain);
  EXPECT_NE(value("start = \"time\"\nduration = \"dt\"\nvb = 0.05\nblood_column = \"CP\"\n"), later);
  EXPECT_THAT(message_of([&] { pet(base + "vb = 0.05\n"); }), HasSubstr("plasma.csv: has no column 'CB'"));
  EXPECT_THAT(message_of([&] { pet(base + "vb = 5\n"); }), HasSubstr("below 1"));
  EXPECT_THAT(message_of([&] { pet(base + "duration = \"dt\"\n"); }), HasSubstr("needs start"));
  EXPECT_THAT(message_of([&] { pet(base + "start = \"time\"\n"); }), HasSubstr("no column 'duration'"));
}

}  // namespace
}  // namespace evident::study
