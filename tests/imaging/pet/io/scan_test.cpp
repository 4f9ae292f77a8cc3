#include "imaging/pet/io/scan.hpp"

#include <cmath>

#include "base/option.hpp"
#include "imaging/pet/files.hpp"
#include "imaging/pet/io/tacs.hpp"

namespace evident::imaging {
namespace {

class ScanFiles : public testing::Test {
 protected:
  Scan read(const SidecarText& sidecar, const ScanOptions& options = {}, std::size_t frames = 4) {
    folder_.write("x_pet.json", sidecar.text());
    return read_scan(image(), frames, options);
  }
  std::string problem(const SidecarText& sidecar, const ScanOptions& options = {}, std::size_t frames = 4) {
    return message_of([&] { read(sidecar, options, frames); });
  }
  std::string image() const { return (folder_.path() / "x_pet.nii.gz").string(); }
  TemporaryFolder folder_;
};

TEST_F(ScanFiles, PlainScan) {
  const Scan scan = read({});
  EXPECT_EQ(scan.timing.start, (Numbers{0, 60, 120, 240}));
  EXPECT_EQ(scan.used, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(scan.frame_factor, (Numbers{1e-3, 1e-3, 1e-3, 1e-3}));
  EXPECT_NEAR(scan.decay_constant, kC11, 1e-10);
  EXPECT_EQ(scan.remaining_decay(), 0);
  EXPECT_TRUE(scan.notes.empty());
  EXPECT_TRUE(scan.warnings.empty());
}

TEST_F(ScanFiles, MissingFieldsSayHowToMend) {
  EXPECT_THAT(problem({.starts = ""}),
              HasSubstr("x_pet.json: 'FrameTimesStart' is missing; add it, or give option frames=FILE"));
  EXPECT_THAT(problem({.durations = ""}), HasSubstr("'FrameDuration' is missing"));
  EXPECT_THAT(problem({.injection = ""}),
              HasSubstr("'InjectionStart' is missing; add it, or give option injection_start=SECONDS"));
  EXPECT_THAT(problem({.corrected = ""}), HasSubstr("'ImageDecayCorrected' is missing"));
  EXPECT_THAT(problem({.reference = ""}), HasSubstr("'ImageDecayCorrectionTime' is missing"));
  EXPECT_THAT(problem({.units = ""}),
              HasSubstr("'Units' is missing; add it, or give option units, for example option units=Bq/mL"));
  EXPECT_THAT(
      problem({.nuclide = ""}),
      HasSubstr("'TracerRadionuclide' is missing; add it, or give option nuclide, for example option nuclide=C11"));
  EXPECT_THAT(problem({.nuclide = "\"Xy9\""}), HasSubstr("x_pet.json: 'TracerRadionuclide' is \"Xy9\""));
  EXPECT_THAT(problem({.units = "\"counts\""}), HasSubstr("x_pet.json: 'Units' is \"counts\""));
  EXPECT_THAT(message_of([&] { read_scan((folder_.path() / "y.nii").string(), 4); }), HasSubstr("there is no sidecar"));
}

TEST_F(ScanFiles, OptionsOverrideTheSidecar) {
  const Scan scan =
      read({.injection = "", .corrected = "", .reference = "", .units = "", .nuclide = ""},
           {.units = "kBq/cc", .nuclide = "F18", .decay_corrected = true, .decay_reference = 0, .injection_start = 0});
  EXPECT_EQ(scan.frame_factor.front(), 1);
  EXPECT_NEAR(std::log(2.0) / scan.decay_constant / 60, 109.77, 0.1);
}

TEST_F(ScanFiles, CountsAgainstTheImage) {
  EXPECT_THAT(problem({}, {}, 5),
              HasSubstr("the image has 5 frames, but there are 4 frame starts and 4 frame durations"));
  EXPECT_THAT(problem({.starts = "[0, 60, 120, 240, 540]"}), HasSubstr("the end of the last frame: remove it"));
}

TEST_F(ScanFiles, TimesAreShiftedToInjection) {
  const Scan scan = read({.injection = "100", .reference = "100"});
  EXPECT_EQ(scan.used, (std::vector<std::size_t>{2, 3})) << "the second is centred at 90 s, before the injection";
  EXPECT_EQ(scan.timing.start, (Numbers{20, 140}));
  EXPECT_EQ(scan.frame_factor, (Numbers{1e-3, 1e-3}));
  EXPECT_THAT(scan.notes, Contains(HasSubstr("injection at 100 s after time zero")));
  EXPECT_THAT(scan.warnings, Contains("2 frames before the injection are left out"));
  EXPECT_THAT(problem({.injection = "9999", .reference = "9999"}), HasSubstr("all frames lie before the injection"));
  EXPECT_EQ(read({.injection = "-30"}).timing.start.front(), 30) << "injected before time zero";
}

TEST_F(ScanFiles, DecayReferenceIsMovedToInjection) {
  const Scan scan = read({.reference = "600"});
  EXPECT_NEAR(scan.frame_factor[2], 1e-3 * std::exp(kC11 * 600), 1e-9);
  EXPECT_THAT(scan.notes, Contains(HasSubstr("decay reference moved from 600 s to injection")));
  EXPECT_THAT(problem({.reference = "1e8"}), HasSubstr("half-lives"));
}

TEST_F(ScanFiles, UncorrectedImagesAreCorrectedWithTheFrameAverage) {
  const Scan scan = read({.corrected = "false", .reference = ""});
  // The average over a frame of e^(-decay t), by Simpson's rule, times the factor, is 1.
  for (std::size_t i = 0; i < 4; ++i) {
    double sum = 0;
    constexpr int n = 200;
    for (int k = 0; k <= n; ++k) {
      const double weight = k == 0 || k == n ? 1 : k % 2 ? 4 : 2;
      sum += weight * std::exp(-kC11 * (scan.timing.start[i] + scan.timing.duration[i] * k / n));
    }
    EXPECT_NEAR(scan.frame_factor[i] * 1e3 * sum / (3 * n), 1, 1e-7);
  }
  EXPECT_THAT(scan.notes, Contains(HasSubstr("not corrected for decay")));
  EXPECT_EQ(scan.remaining_decay(), 0);
}

TEST_F(ScanFiles, DataAsCountedOnDemand) {
  const Scan corrected = read({}, {.target = DecayTarget::uncorrected});
  const Scan counted = read({.corrected = "false"}, {.target = DecayTarget::uncorrected});
  for (std::size_t i = 0; i < 4; ++i) {
    const double decay = frame_decay_factor(corrected.timing.start[i], corrected.timing.duration[i], kC11);
    EXPECT_NEAR(corrected.frame_factor[i] * decay, 1e-3, 1e-10);
    EXPECT_EQ(counted.frame_factor[i], 1e-3);
  }
  EXPECT_NEAR(counted.remaining_decay(), kC11, 1e-10);
  EXPECT_EQ(pet_frames(counted).dt, counted.timing.duration);
}

TEST_F(ScanFiles, NoiseWeightsFallWithTheDecay) {
  const Scan scan = read({});
  const PetFrames frames = pet_frames(scan);
  EXPECT_EQ(frames.time, (Numbers{30, 90, 180, 390}));
  for (std::size_t i = 0; i < 4; ++i) {
    // Nearly that of the middle; exactly that of counting, see below.
    EXPECT_NEAR(frames.dt[i] / (scan.timing.duration[i] * std::exp(-kC11 * frames.time[i])), 1, 2e-3);
  }
  const PetFrames middles = pet_frames(read({}, {.noise_dt = NoiseDt::midtime_diff}));
  EXPECT_NEAR(middles.dt[3], 210 / frame_decay_factor(scan.timing.start[3], scan.timing.duration[3], kC11), 1e-4);
  EXPECT_NEAR(middles.dt[0], 30 / frame_decay_factor(scan.timing.start[0], scan.timing.duration[0], kC11), 1e-6);
}

// Counts of a decaying source: the variance of the corrected rate is what the weights say.
TEST_F(ScanFiles, NoiseWeightsMatchCounting) {
  const Scan scan = read({});
  const PetFrames frames = pet_frames(scan);
  for (std::size_t i = 0; i < 4; ++i) {
    const double activity = 5;  // corrected; the counts of the frame have variance = mean
    const double decay = frame_decay_factor(scan.timing.start[i], scan.timing.duration[i], kC11);
    const double counts = activity / decay * scan.timing.duration[i];
    const double variance = counts * std::pow(decay / scan.timing.duration[i], 2);
    EXPECT_NEAR(variance / (activity / frames.dt[i]), 1, 1e-6);
  }
}

TEST_F(ScanFiles, FramesFromATable) {
  ScanOptions options{.frames = folder_.write("frames.tsv", "start\tduration\n0\t1\n1\t2\n"),
                      .time_unit = "min",
                      .units = "kBq/mL",
                      .nuclide = "C-11",
                      .decay_corrected = true};
  const std::string bare = (folder_.path() / "bare.nii").string();
  const Scan scan = read_scan(bare, 2, options);
  EXPECT_EQ(scan.timing.duration, (Numbers{60, 120}));
  EXPECT_THAT(scan.notes, Contains(HasSubstr("times are taken as seconds from injection")));
  EXPECT_THAT(message_of([&] { read_scan(bare, 3, options); }), HasSubstr("frames.tsv: the image has 3 frames"));
  options.units = "";
  EXPECT_THAT(message_of([&] { read_scan(bare, 2, options); }), HasSubstr("bare.nii: 'Units' is missing"));
}

TEST_F(ScanFiles, MinutesNeedTheirUnit) {
  std::string starts = "[0", durations = "[5";
  for (int i = 1; i < 18; ++i) {
    starts += ',';
    starts += std::to_string(5 * i);
    durations += ",5";
  }
  const SidecarText minutes{.starts = starts + "]", .durations = durations + "]"};
  EXPECT_THAT(problem(minutes, {}, 18), HasSubstr("looks like minutes"));
  EXPECT_EQ(read(minutes, {.time_unit = "min"}, 18).timing.last_end(), 5400);
  EXPECT_EQ(read(minutes, {.time_unit = "s"}, 18).timing.last_end(), 90);
}

TEST_F(ScanFiles, ImpossibleDecayIsFound) {
  EXPECT_THAT(problem({.starts = "[0, 60, 120, 90000]", .corrected = "false", .nuclide = "\"O15\""}),
              HasSubstr("nothing is left of O15"));
}

TEST_F(ScanFiles, ScanStartThatDoesNotFitIsToldOf) {
  EXPECT_THAT(read({.more = "\"ScanStart\": 50"}).warnings, Contains(HasSubstr("ScanStart is 50 s")));
}

TEST_F(ScanFiles, UnderstoodSaysItAll) {
  const Scan scan = read({.reference = "600", .more = R"("TracerName": "DPN", "InjectedRadioactivity": 185,
                          "InjectedRadioactivityUnits": "MBq", "ModeOfAdministration": "bolus")"});
  const auto lines = understood(scan);
  EXPECT_THAT(lines, Contains("frames:   4 of 4, 0 to 540 s from injection: 2 x 60 s, 1 x 120 s, 1 x 300 s"));
  EXPECT_THAT(lines, Contains("units:    Bq/mL, times 0.001 is kBq/mL"));
  EXPECT_THAT(lines,
              Contains("decay:    C11, half-life 20.38 min; the data come corrected to 600 s after injection and "
                       "are used corrected to injection"));
  EXPECT_THAT(lines, Contains("tracer:   DPN, 185 MBq, bolus"));
  EXPECT_THAT(lines, Contains(HasSubstr("dt = duration x mean decay of the frame")));
  EXPECT_THAT(lines, Contains(HasSubstr("note:     decay reference moved")));
}

TEST_F(ScanFiles, TablesOfCurves) {
  const TacTable tacs = read_tacs(folder_.write("r.tac", "start[seconds]\tend[kBq/cc]\tcer\n0\t60\t1\n60\t180\t2\n"));
  const Scan scan = read_scan(tacs, {.nuclide = "C11"});
  EXPECT_EQ(scan.frame_factor, (Numbers{1, 1}));
  EXPECT_EQ(scan.timing.duration, (Numbers{60, 120}));
  EXPECT_THAT(scan.warnings,
              Contains("the curves are taken as corrected for decay; if not, give " + option("decay_corrected", "no")));
  EXPECT_THAT(message_of([&] { read_scan(tacs); }), HasSubstr("option nuclide"));

  const TacTable middles =
      read_tacs(folder_.write("m.csv", "mid,cer\n27.5,1\n60,2\n70,3\n"), {.activity_unit = "kBq/mL"});
  const PetFrames frames =
      pet_frames(read_scan(middles, {.nuclide = "C11", .decay_corrected = false, .target = DecayTarget::uncorrected}));
  EXPECT_EQ(frames.time, (Numbers{27.5, 60, 70}));
  EXPECT_EQ(frames.dt, (Numbers{27.5, 32.5, 10}));
}

}  // namespace
}  // namespace evident::imaging
