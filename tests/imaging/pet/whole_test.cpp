// From the files of a data set to the model: what comes out must be the study that was written.
#include <fmt/format.h>

#include "imaging/pet/blood/blood.hpp"
#include "imaging/pet/files.hpp"
#include "imaging/pet/fit/priors.hpp"
#include "imaging/pet/io/bids.hpp"
#include "imaging/pet/io/scan.hpp"
#include "imaging/pet/io/tacs.hpp"
#include "models/pet/compartments.hpp"
#include "models/pet/reference.hpp"
#include "models/pet/simulate.hpp"

namespace evident::imaging {
namespace {

namespace fs = std::filesystem;

// Injection 90 s after time zero; image in Bq/mL, not corrected; blood in nCi/mL and minutes, corrected to time zero.
class Study : public testing::Test {
 protected:
  static constexpr double kInjection = 90;

  Study() {
    fs::create_directories(folder_.path() / "sub-01/pet");
    folder_.write("dataset_description.json", "{}");
    folder_.write("sub-01/pet/sub-01_pet.nii.gz", "");
    std::string starts, durations, blood = "time\tplasma_radioactivity\tmetabolite_parent_fraction\n";
    double t = kInjection;
    for (const auto& [count, length] : {std::pair{1, 55}, {3, 10}, {7, 30}, {12, 120}, {6, 300}, {3, 600}}) {
      for (int k = 0; k < count; ++k) {
        starts += fmt::format("{}{}", starts.empty() ? "" : ", ", t);
        durations += fmt::format("{}{}", durations.empty() ? "" : ", ", length);
        t += length;
      }
    }
    folder_.write("sub-01/pet/sub-01_pet.json", SidecarText{.starts = "[" + starts + "]",
                                                            .durations = "[" + durations + "]",
                                                            .injection = "90",
                                                            .corrected = "false",
                                                            .reference = ""}
                                                    .text());
    for (std::size_t i = 0; i < study_.blood_time.size(); ++i) {
      blood += fmt::format("{:.17g}\t{:.17g}\t1\n", (study_.blood_time[i] + kInjection) / 60,
                           study_.blood_activity[i] / 0.037 * std::exp(kC11 * kInjection));
    }
    folder_.write("sub-01/pet/sub-01_recording-manual_blood.tsv", blood);
    folder_.write(
        "sub-01/pet/sub-01_recording-manual_blood.json",
        R"({"MetaboliteAvail": true, "time": {"Units": "min"}, "plasma_radioactivity": {"Units": "nCi/mL"}})");
  }

  TemporaryFolder folder_;
  PetStudy study_ = simulate_pet({}, Streams({.seed = 5}));
};

TEST_F(Study, ComesBackAsItWasWritten) {
  const BidsPetScan found = find_bids_pet(folder_.path(), {.participants = {"01"}}).scans.at(0);
  const Scan scan = read_scan(found.image.string(), study_.frames.time.size());
  const InputFunction input = read_blood(found.blood, blood_options(scan));
  ASSERT_EQ(input.time.size(), study_.blood_time.size());
  for (std::size_t i = 0; i < input.time.size(); ++i) {
    EXPECT_NEAR(input.time[i], study_.blood_time[i], 1e-9);
    EXPECT_NEAR(input.plasma[i], study_.blood_activity[i], 1e-6 * (1 + std::abs(study_.blood_activity[i])));
  }
  const PetFrames frames = pet_frames(scan);
  for (std::size_t i = 0; i < frames.time.size(); ++i) EXPECT_NEAR(frames.time[i], study_.frames.time[i], 1e-9);

  // A curve that decays in the scanner, as the image holds it, is the curve without decay after the factors.
  Numbers curve;
  for (std::size_t i = 0; i < frames.time.size(); ++i) {
    const double counted =
        study_.activity[i] * 1000 / frame_decay_factor(scan.timing.start[i], scan.timing.duration[i], kC11);
    curve.push_back(counted * scan.frame_factor[i]);
    EXPECT_NEAR(curve[i], study_.activity[i], 1e-6 * study_.activity[i]);
  }

  // Likelihood of the model that all of this makes, against the study's own.
  const PetOptions options = pet_prior("zhou2013-n", 2, scan.remaining_decay());
  const PetCompartments model(options, input.pet_input(PetInterpolation::spline), frames, curve);
  const Numbers theta = {4e-3, 2e-3, 5e-4, 1e-2, 0.1};
  const double wanted =
      pet_log_likelihood_exact(options, study_.input(), {study_.frames.time, frames.dt}, study_.activity, theta);
  const double got = pet_log_likelihood_exact(options, model.table()->input(), frames, curve, theta);
  EXPECT_NEAR(got, wanted, 1e-4);
}

TEST_F(Study, UnderstoodNamesBloodToo) {
  const BidsPetScan found = find_bids_pet(folder_.path()).scans.at(0);
  const Scan scan = read_scan(found.image.string(), study_.frames.time.size());
  const InputFunction input = read_blood(found.blood, blood_options(scan));
  const auto lines = understood(scan, &input);
  EXPECT_THAT(lines,
              Contains(HasSubstr("frames:   32 of 32, 0 to 5335 s from injection: 1 x 55 s, 3 x 10 s, 7 x 30 s")));
  EXPECT_THAT(lines, Contains(HasSubstr("plasma:   ")));
  EXPECT_THAT(lines, Contains("blood:    no whole blood"));
}

}  // namespace
}  // namespace evident::imaging
