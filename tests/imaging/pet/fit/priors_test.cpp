#include "imaging/pet/fit/priors.hpp"

#include "imaging/pet/files.hpp"
#include "models/pet/compartments.hpp"
#include "models/pet/simulate.hpp"

namespace evident::imaging {
namespace {

void expect_same(const PetOptions& a, const PetOptions& b) {
  EXPECT_EQ(a.noise, b.noise);
  EXPECT_EQ(a.decay, b.decay);
  ASSERT_EQ(a.theta.size(), b.theta.size());
  for (std::size_t d = 0; d < a.theta.size(); ++d) {
    EXPECT_DOUBLE_EQ(a.theta[d].lower, b.theta[d].lower);
    EXPECT_DOUBLE_EQ(a.theta[d].upper, b.theta[d].upper);
  }
  for (std::size_t d = 0; d < a.phi.size(); ++d) EXPECT_DOUBLE_EQ(a.phi[d].upper, b.phi[d].upper);
}

TEST(Priors, PublishedPresets) {
  expect_same(pet_prior("zhou2013-n", 2, 0), zhou2013_n(2));
  expect_same(pet_prior("zhou2013-i", 3, kC11), zhou2013_i(3, kC11));
  expect_same(pet_prior("zhou2013-i", 1, 0), zhou2013_i(1, 0));
}

TEST(Priors, EveryPresetMakesAModel) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 3}));
  for (const std::string_view name : pet_prior_names()) {
    for (std::size_t m = 1; m <= 3; ++m) {
      for (const double decay : {0.0, kC11}) {
        EXPECT_NO_THROW(
            PetCompartments(pet_prior(std::string(name), m, decay), study.input(), study.frames, study.activity))
            << name << m << decay;
      }
    }
  }
}

TEST(Priors, WideHoldsTheTracersInTheLiterature) {
  const PetOptions wide = pet_prior("wide", 2, 0);
  // K1, k2, k3, k4 per minute: FDG grey, a D2 agonist in putamen, DWAY in raphe, a generic tracer.
  const double tracers[4][4] = {
      {.095, .125, .069, .0055}, {.44, .07, .15, .19}, {.12, .54, .24, .05}, {.0918, .4484, .0482, .1363}};
  for (const auto& k : tracers) {
    const double sum = k[1] + k[2] + k[3], root = std::sqrt(sum * sum - 4 * k[1] * k[3]);
    const double slow = (sum - root) / 2, fast = (sum + root) / 2;
    const double phi1 = k[0] * (k[2] + k[3] - slow) / (fast - slow), phi2 = k[0] - phi1;
    const auto inside = [](const PetBounds& b, double per_minute) {
      return b.lower <= per_minute / 60 && per_minute / 60 <= b.upper;
    };
    EXPECT_TRUE(inside(wide.theta_bounds(0), slow)) << slow;
    EXPECT_TRUE(inside(wide.theta_bounds(1), fast)) << fast;
    EXPECT_TRUE(inside(wide.phi_bounds(0), phi1) && inside(wide.phi_bounds(1), phi2)) << phi1 << " " << phi2;
  }
}

TEST(Priors, Files) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("p.toml",
                   "unit = \"1/min\"\nphi_upper = [0.6]\ntheta_lower = [0.012, 0.06]\ntheta_upper = [0.12, 1.2]\n"
                   "noise = \"normal\"\nprecision_scale = 5\nactivity_floor = 0.02\n");
  const PetOptions o = pet_prior(file, 2, 0);
  EXPECT_EQ(o.compartments, 2u);
  EXPECT_EQ(o.noise, PetNoise::normal);
  EXPECT_NEAR(o.phi_bounds(1).upper, 0.01, 1e-15);
  EXPECT_NEAR(o.theta_bounds(0).lower, 2e-4, 1e-15);
  EXPECT_NEAR(o.theta_bounds(1).upper, 0.02, 1e-15);
  EXPECT_EQ(o.precision_scale, 5);
  EXPECT_EQ(o.precision_shape, 0.1);
  EXPECT_EQ(o.activity_floor, 0.02);
  EXPECT_NEAR(pet_prior(file, 2, kC11).theta_bounds(0).lower, 2e-4 + kC11, 1e-15) << "data as counted";
  const std::string seconds = folder.write("s.toml", "preset = \"zhou2013-n\"\nunit = \"1/s\"\nphi_lower = [1e-4]\n");
  EXPECT_EQ(pet_prior(seconds, 1, 0).phi_bounds(0).lower, 1e-4);
  EXPECT_EQ(pet_prior(seconds, 1, 0).noise, PetNoise::normal);
  EXPECT_NO_THROW(pet_prior(folder.write("nothing.toml", "# all as it is\n"), 1, 0));
}

TEST(Priors, BadFiles) {
  const TemporaryFolder folder;
  const auto problem = [&](const std::string& text) {
    const std::string file = folder.write("p.toml", text);
    return message_of([&] { pet_prior(file, 2, 0); });
  };
  EXPECT_THAT(problem("phi_uper = [1]\n"), HasSubstr("phi_upper"));
  EXPECT_THAT(problem("phi_upper = [1]\n"), HasSubstr("needs unit = \"1/min\" or unit = \"1/s\""));
  EXPECT_THAT(problem("unit = \"1/h\"\n"), HasSubstr("p.toml:1"));
  EXPECT_THAT(problem("unit = \"1/min\"\nphi_lower = [2]\n"), HasSubstr("leaves no room for phi1: from 2 to 1"));
  EXPECT_THAT(problem("unit = \"1/min\"\ntheta_lower = [0]\n"), HasSubstr("above 0"));
  EXPECT_THAT(problem("unit = \"1/min\"\ntheta_lower = [-1]\n"), HasSubstr("p.toml:2"));
  EXPECT_THAT(problem("unit = \"1/min\"\ntheta_upper = [1, 0.5]\n"), HasSubstr("must not decrease"));
  EXPECT_THAT(problem("noise = \"poisson\"\n"), HasSubstr("noise"));
  EXPECT_THAT(problem("precision_shape = 0\n"), HasSubstr("precision_shape"));
  EXPECT_THAT(problem("unit = \n"), HasSubstr("p.toml:1"));
  EXPECT_THAT(message_of([] { pet_prior("zhou2013", 1, 0); }),
              HasSubstr("neither a prior (wide, zhou2013-n, zhou2013-i) nor a file"));
  EXPECT_THAT(message_of([] { pet_prior("none.toml", 1, 0); }), HasSubstr("none.toml: cannot be opened"));
  EXPECT_THROW(pet_prior("wide", 0, 0), InputError);
  EXPECT_THROW(pet_prior("wide", 1, std::nan("")), InputError);
}

TEST(Priors, Lines) {
  const auto lines = prior_lines(pet_prior("wide", 2, 0));
  EXPECT_THAT(lines, Contains("phi:      uniform, 0.0001 to 1 per minute"));
  EXPECT_THAT(lines, Contains("theta:    uniform and increasing, 0.001 to 0.5; 0.001 to 1.5 per minute"));
}

}  // namespace
}  // namespace evident::imaging
