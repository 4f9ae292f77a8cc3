#include "imaging/pet/blood/blood.hpp"

#include <cmath>

#include "imaging/pet/files.hpp"

namespace evident::imaging {
namespace {

using Files = std::vector<std::string>;

const std::string kUnits =
    R"("time": {"Units": "s"}, "plasma_radioactivity": {"Units": "kBq/mL"}, "whole_blood_radioactivity": {"Units": "kBq/mL"})";

class Blood : public testing::Test {
 protected:
  std::string write(const std::string& stem, std::string_view tsv, const std::string& json = "{" + kUnits + "}") {
    if (!json.empty()) folder_.write(stem + ".json", json);
    return folder_.write(stem + ".tsv", tsv);
  }
  std::string problem(std::string_view tsv, const std::string& json = "{" + kUnits + "}", const BloodOptions& o = {}) {
    const std::string file = write("b_recording-manual_blood", tsv, json);
    return message_of([&] { read_blood({file}, o); });
  }
  InputFunction read(std::string_view tsv, const std::string& json = "{" + kUnits + "}", const BloodOptions& o = {}) {
    return read_blood({write("b_recording-manual_blood", tsv, json)}, o);
  }
  TemporaryFolder folder_;
};

// The example of the BIDS specification.
TEST_F(Blood, ManualSamples) {
  const InputFunction input = read(
      "time\tplasma_radioactivity\twhole_blood_radioactivity\tmetabolite_parent_fraction\tmetabolite_polar_fraction\n"
      "0\t0\t0\t1\t0\n145\t43.31\t33.79\t0.5749\t0.1336\n292\t48.96\t37.42\t0.3149\t0.2746\n602\t39.84\t32.05\t0.1469\t"
      "0.3548\n",
      "{\"PlasmaAvail\": true, \"WholeBloodAvail\": true, \"MetaboliteAvail\": true, " + kUnits + "}");
  EXPECT_EQ(input.time, (Numbers{0, 145, 292, 602}));
  EXPECT_NEAR(input.plasma[1], 43.31 * 0.5749, 1e-12);
  EXPECT_NEAR(input.plasma[3], 39.84 * 0.1469, 1e-12);
  EXPECT_EQ(input.blood, (Numbers{0, 33.79, 37.42, 32.05}));
  EXPECT_EQ(input.measured_to, 602);
  EXPECT_TRUE(input.warnings.empty()) << input.warnings.front();
  EXPECT_NEAR(input.pet_input()(145), 43.31 * 0.5749, 1e-9);
  EXPECT_NEAR(input.blood_input()(292), 37.42, 1e-9);
}

TEST_F(Blood, UnitsAreConverted) {
  const std::string tsv = "time\tplasma_radioactivity\n1\t2000\n2\t4000\n";
  EXPECT_EQ(read(tsv, R"({"time": {"Units": "min"}, "plasma_radioactivity": {"Units": "Bq/mL"}})").time,
            (Numbers{60, 120}));
  EXPECT_EQ(read(tsv, R"({"plasma_radioactivity": {"Units": "Bq/mL"}})").plasma, (Numbers{2, 4}));
  EXPECT_NEAR(read(tsv, R"({"plasma_radioactivity": {"Units": "nCi/cc"}})").plasma[0], 74, 1e-10);
  EXPECT_EQ(read(tsv, "{}", {.activity_unit = "kBq/mL"}).plasma[0], 2000);
  EXPECT_THAT(problem(tsv, "{}"), HasSubstr("the unit of column 'plasma_radioactivity' is not known; add "
                                            "\"plasma_radioactivity\": {\"Units\": \"kBq/mL\"}"));
  EXPECT_THAT(problem(tsv, R"({"plasma_radioactivity": {"Units": "cps"}})"), HasSubstr("is \"cps\""));
  EXPECT_THAT(problem(tsv, R"({"plasma_radioactivity": {"Units": 3}})"), HasSubstr("must be a text, but is 3"));
  EXPECT_THAT(problem(tsv, R"({"plasma_radioactivity": "kBq/mL"})"), HasSubstr("not known"));
}

TEST_F(Blood, MissingPlasma) {
  const std::string tsv = "time\twhole_blood_radioactivity\n0\t0\n10\t5\n20\t3\n";
  EXPECT_THAT(problem(tsv), HasSubstr("there is no plasma"));
  EXPECT_THAT(problem(tsv), HasSubstr("has time, whole_blood_radioactivity"));
  EXPECT_THAT(problem(tsv), HasSubstr("give option plasma_from_blood"));
  EXPECT_THAT(problem(tsv, "{\"PlasmaAvail\": true, " + kUnits + "}"), HasSubstr("says PlasmaAvail, but there is no"));
  const InputFunction input = read(tsv, "{" + kUnits + "}", {.plasma_from_blood = true});
  EXPECT_EQ(input.plasma, (Numbers{0, 5, 3}));
  EXPECT_THAT(input.warnings, Contains(HasSubstr("whole blood is taken for plasma")));
  EXPECT_THAT(problem("time\tother\tmore\n0\t1\t2\n", "{}", {.plasma_from_blood = true}),
              HasSubstr("there is no plasma"));
}

TEST_F(Blood, ParentFraction) {
  const std::string without = "time\tplasma_radioactivity\n1\t2\n2\t4\n";
  EXPECT_THAT(read(without).warnings, Contains(HasSubstr("no parent fraction")));
  EXPECT_THAT(read(without, "{\"MetaboliteAvail\": false, " + kUnits + "}").warnings, Contains(HasSubstr("no parent")));
  EXPECT_THAT(problem(without, "{\"MetaboliteAvail\": true, " + kUnits + "}"), HasSubstr("says MetaboliteAvail"));
  const std::string late =
      "time\tplasma_radioactivity\tmetabolite_parent_fraction\n0\t4\tn/a\n10\t4\tn/a\n20\t4\t0.5\n30\t4\tn/a\n";
  const InputFunction input = read(late);
  EXPECT_EQ(input.plasma[0], 4) << "1 at injection";
  EXPECT_NEAR(input.plasma[1], 3, 1e-12) << "half-way between 1 and 0.5";
  EXPECT_EQ(input.plasma[3], 2) << "constant after the last sample";
  EXPECT_EQ(input.parent_samples.time, (Numbers{20}));
  const std::string at_zero = "time\tplasma_radioactivity\tmetabolite_parent_fraction\n0\t4\t0.9\n20\t4\t0.5\n";
  EXPECT_NEAR(read(at_zero).plasma[0], 3.6, 1e-12) << "a sample at injection counts";
}

TEST_F(Blood, ParentFractionInPercent) {
  const std::string tsv = "time\tplasma_radioactivity\tmetabolite_parent_fraction\n0\t4\t100\n20\t4\t50\n";
  EXPECT_THAT(problem(tsv), HasSubstr("holds 100, but fractions lie between 0 and 1; if these are percent"));
  EXPECT_EQ(read(tsv, "{\"metabolite_parent_fraction\": {\"Units\": \"percent\"}, " + kUnits + "}").plasma,
            (Numbers{4, 2}));
  const InputFunction over = read("time\tplasma_radioactivity\tmetabolite_parent_fraction\n0\t4\t1.02\n20\t4\t-0.01\n");
  EXPECT_EQ(over.plasma, (Numbers{4, 0}));
  EXPECT_THAT(over.warnings, Contains(HasSubstr("2 values outside 0 to 1")));
}

TEST_F(Blood, CellsAndOrder) {
  const InputFunction input =
      read("time\tplasma_radioactivity\twhole_blood_radioactivity\n20\t4\tn/a\n0\tn/a\t1\n10\t2\t3\n10\t4\t3\n");
  EXPECT_EQ(input.time, (Numbers{10, 20}));
  EXPECT_EQ(input.plasma, (Numbers{3, 4}));
  EXPECT_THAT(input.warnings, Contains(HasSubstr("sorted")));
  EXPECT_THAT(input.warnings, Contains(HasSubstr("averaged")));
  EXPECT_THAT(problem("time\tplasma_radioactivity\n0\t1\n1\tlow\n"),
              HasSubstr("b_recording-manual_blood.tsv:3: column 'plasma_radioactivity': 'low' is not a number"));
  EXPECT_THAT(problem("time\tplasma_radioactivity\nn/a\t1\n"), HasSubstr(":2: column 'time'"));
  EXPECT_THAT(problem("when\tplasma_radioactivity\n0\t1\n"), HasSubstr("has no column 'time'; it has when"));
  EXPECT_THAT(problem("time\tplasma_radioactivity\n0\tn/a\n"), HasSubstr("there is no plasma"));
  EXPECT_THAT(problem("time\tplasma_radioactivity\n0\t1\n"), HasSubstr("at least 2 plasma samples"));
  EXPECT_THAT(problem("time\tplasma_radioactivity\n0\t0\n5\t0\n"), HasSubstr("no activity above 0"));
  EXPECT_THAT(problem("time\tplasma_radioactivity\n-9\t1\n-5\t2\n"), HasSubstr("before the injection"));
  EXPECT_THAT(problem(std::string("time\tplasma_radioactivity\n0\t\0"
                                  "1\n",
                                  30)),
              HasSubstr("not a text file"));
  EXPECT_NO_THROW(read("\xEF\xBB\xBFtime\tplasma_radioactivity\r\n0\t1\r\n5\t2\r\n"));
}

TEST_F(Blood, AutosamplerAndManualSamples) {
  std::string fast = "time\twhole_blood_radioactivity\n";
  for (int t = 0; t <= 120; ++t) fast += std::to_string(t) + "\t" + std::to_string(t < 20 ? 0 : 100) + "\n";
  const std::string autosampler =
      write("s_recording-autosampler_blood", fast, "{\"DispersionCorrected\": false, " + kUnits + "}");
  const std::string manual = write("s_recording-manual_blood",
                                   "time\tplasma_radioactivity\twhole_blood_radioactivity\n"
                                   "60\t150\t100\n100\t130\t100\n600\t60\t50\n1200\t30\t25\n");
  const InputFunction input = read_blood({autosampler, manual});
  EXPECT_EQ(input.time.size(), 123u) << "121 of the autosampler, two later";
  const PetInput plasma = input.pet_input();
  EXPECT_NEAR(plasma(30), 150, 1e-9) << "before the first pair: its ratio";
  EXPECT_NEAR(plasma(80), 140, 1e-9) << "between two pairs: linear";
  EXPECT_NEAR(plasma(10), 0, 1e-9);
  EXPECT_NEAR(plasma(600), 60, 1e-9) << "as measured";
  EXPECT_EQ(input.blood_time.back(), 1200);
  EXPECT_EQ(input.plasma_samples.time, (Numbers{60, 100, 600, 1200})) << "for plots: as measured";
  EXPECT_THAT(input.notes, Contains(HasSubstr("not corrected for dispersion")));
  EXPECT_THAT(input.notes, Contains(HasSubstr("plasma-over-blood ratio of 4 samples")));
  EXPECT_EQ(read_blood({manual, autosampler}).plasma, input.plasma) << "the order of files does not matter";
}

TEST_F(Blood, ManualPlasmaWithoutWholeBloodUsesTheAutosamplers) {
  const std::string autosampler =
      write("s_recording-autosampler_blood", "time\twhole_blood_radioactivity\n0\t0\n50\t100\n100\t80\n");
  const std::string manual =
      write("s_recording-manual_blood", "time\tplasma_radioactivity\n75\t180\n900\t20\n1800\t10\n");
  const InputFunction input = read_blood({manual, autosampler});
  EXPECT_NEAR(input.pet_input()(50), 200, 1e-9) << "180 / 90 at 75 s";
  EXPECT_NEAR(input.blood_input()(900), 10, 1e-9) << "whole blood carried on with plasma over the ratio";
}

TEST_F(Blood, DifferentCalibrationIsTold) {
  const std::string autosampler =
      write("s_recording-autosampler_blood", "time\twhole_blood_radioactivity\n0\t0\n50\t100\n100\t80\n");
  const std::string manual =
      write("s_recording-manual_blood",
            "time\tplasma_radioactivity\twhole_blood_radioactivity\n50\t2\t2\n100\t2\t2\n900\t1\t1\n");
  EXPECT_THAT(read_blood({manual, autosampler}).warnings, Contains(HasSubstr("check calibration")));
}

TEST_F(Blood, NoRatioNoDerivedPlasma) {
  const std::string autosampler =
      write("s_recording-autosampler_blood", "time\twhole_blood_radioactivity\n0\t0\n50\t100\n");
  const std::string manual = write("s_recording-manual_blood", "time\tplasma_radioactivity\n75\t180\n900\t20\n");
  const InputFunction input = read_blood({manual, autosampler});
  EXPECT_EQ(input.time, (Numbers{75, 900}));
  EXPECT_THAT(input.warnings, Contains(HasSubstr("no sample has both")));
}

TEST_F(Blood, TailWithinItsLimit) {
  std::string tsv = "time\tplasma_radioactivity\twhole_blood_radioactivity\n";
  for (int t = 60; t <= 4800; t += 60) {
    const std::string value = std::to_string(100 * std::exp(-t / 2000.0));
    tsv += std::to_string(t) + "\t" + value + "\t" + value + "\n";
  }
  const InputFunction input = read(tsv, "{" + kUnits + "}", {.scan_end = 5400});
  EXPECT_EQ(input.time.back(), 5400);
  EXPECT_EQ(input.measured_to, 4800);
  EXPECT_NEAR(input.plasma.back() / (100 * std::exp(-2.7)), 1, 1e-3);
  EXPECT_EQ(input.blood_time.back(), 5400);
  EXPECT_THAT(input.warnings, Contains(HasSubstr("plasma from 4800 to 5400 s is extrapolated with one exponential")));
  EXPECT_THAT(problem(tsv, "{" + kUnits + "}", {.scan_end = 6100}),
              HasSubstr("ends at 4800 s but the last frame at 6100 s"));
  EXPECT_NO_THROW(read(tsv, "{" + kUnits + "}", {.scan_end = 6100, .tail_limit = 0.3}));
  EXPECT_THAT(read(tsv, "{" + kUnits + "}", {.scan_end = 4800}).warnings, Not(Contains(HasSubstr("extrapolated"))));
}

TEST_F(Blood, MinutesAreSuspectedWhenTheBloodIsTooShort) {
  const std::string tsv = "time\tplasma_radioactivity\n0\t0\n1\t50\n30\t9\n90\t4\n";
  EXPECT_THAT(problem(tsv, "{" + kUnits + "}", {.scan_end = 5400}),
              HasSubstr("are the times of the blood in minutes?"));
}

TEST_F(Blood, TimesAndDecayFollowTheImage) {
  const std::string tsv = "time\tplasma_radioactivity\n100\t0\n200\t8\n700\t4\n";
  const BloodOptions shifted{.injection_start = 100, .decay_constant = kC11};
  const InputFunction input = read(tsv, "{" + kUnits + "}", shifted);
  EXPECT_EQ(input.time, (Numbers{0, 100, 600}));
  EXPECT_NEAR(input.plasma[1], 8 * std::exp(-kC11 * 100), 1e-9) << "time zero was 100 s before the injection";
  BloodOptions counted = shifted;
  counted.decay_corrected = false;
  EXPECT_NEAR(read(tsv, "{" + kUnits + "}", counted).plasma[2], 4 * std::exp(kC11 * 600), 1e-9);
  counted.target = DecayTarget::uncorrected;
  EXPECT_EQ(read(tsv, "{" + kUnits + "}", counted).plasma[2], 4) << "as counted, like the image";
  EXPECT_THAT(problem(tsv, "{" + kUnits + "}", {.injection_start = 100}), HasSubstr("needs the radionuclide"));
}

TEST_F(Blood, Pmod) {
  const std::string plasma = folder_.write("plasma.bld", "sample-time[minutes]\tplasma[kBq/cc]\n0\t0\n1\t50\n");
  const std::string whole =
      folder_.write("blood.bld", "sample-time[seconds]          whole-blood[Bq/cc]\n0   0\n60   4000\n");
  const std::string parent = folder_.write("parent.bld", "sample-time[seconds]\tparent-fraction[1/1]\n0\t1\n60\t0.5\n");
  const InputFunction input = read_blood({plasma, whole, parent});
  EXPECT_EQ(input.time, (Numbers{0, 60}));
  EXPECT_EQ(input.plasma, (Numbers{0, 25}));
  EXPECT_EQ(input.blood, (Numbers{0, 4}));
  const std::string value = folder_.write("v.crv", "sample-time[seconds]\tvalue[kBq/cc]\n0\t0\n60\t7\n");
  EXPECT_EQ(read_input_function(value).plasma, (Numbers{0, 7}));
}

TEST_F(Blood, Bloodstream) {
  const std::string units =
      R"({"time": {"Units": "s"}, "AIF": {"Units": "kBq/mL"}, "plasma_radioactivity": {"Units": "kBq/mL"},
                                "whole_blood_radioactivity": {"Units": "Bq/mL"}})";
  const std::string file =
      write("sub-01_inputfunction",
            "time\twhole_blood_radioactivity\tplasma_radioactivity\tmetabolite_parent_fraction\tAIF\n"
            "0\t0\t0\t1\t0\n30\t5000\t8\t0.9\t7.1\n60\t3000\t4\t0.8\t3.3\n",
            units);
  const InputFunction input = read_input_function(file, {.scan_end = 60});
  EXPECT_EQ(input.plasma, (Numbers{0, 7.1, 3.3})) << "the AIF as it is";
  EXPECT_EQ(input.blood, (Numbers{0, 5, 3}));
  const std::string product = write(
      "sub-02_inputfunction", "time\tplasma_radioactivity\tmetabolite_parent_fraction\n0\t0\t1\n30\t8\t0.5\n", units);
  EXPECT_EQ(read_input_function(product).plasma, (Numbers{0, 4}));
  const std::string blood_only =
      write("sub-03_inputfunction", "time\twhole_blood_radioactivity\tx\n0\t0\t1\n30\t8\t1\n", units);
  EXPECT_THAT(message_of([&] { read_input_function(blood_only); }), HasSubstr("needs the column AIF"));
  EXPECT_THAT(message_of([&] { read_input_function(file, {.scan_end = 600}); }), HasSubstr("ends at 60 s"));
}

TEST_F(Blood, Shifts) {
  std::string tsv = "time\tplasma_radioactivity\twhole_blood_radioactivity\n10\t50\t40\n";
  for (int t = 60; t <= 600; t += 60) {
    const std::string value = std::to_string(100 * std::exp(-t / 300.0));
    tsv += std::to_string(t) + "\t" + value + "\t" + value + "\n";
  }
  const InputFunction input = read(tsv, "{" + kUnits + "}", {.scan_end = 600});
  const PetInput plain = input.pet_input(), later = input.shifted(7).pet_input(),
                 earlier = input.shifted(-7).pet_input();
  EXPECT_EQ(later(3), 0) << "nothing before it arrives";
  for (double t = 10; t < 590; t += 9) {
    EXPECT_NEAR(later(t + 7), plain(t), 1e-9);
    EXPECT_NEAR(earlier(t), plain(t + 7), 1e-9);
  }
  EXPECT_EQ(earlier.last_time(), 600) << "the end stays";
  EXPECT_NEAR(earlier(600) / (100 * std::exp(-607 / 300.0)), 1, 0.01);
  EXPECT_EQ(input.shifted(0).time, input.time);
  EXPECT_NEAR(input.shifted(7).blood_input()(17), 40, 1e-9);
  EXPECT_THROW(input.shifted(std::nan("")), InputError);
  EXPECT_THROW(input.shifted(1e9), InputError);
}

TEST_F(Blood, HugeFiles) {
  std::string tsv = "time\tplasma_radioactivity\n";
  for (int i = 0; i < 1000000; ++i) tsv += std::to_string(i) + "\t1\n";
  EXPECT_EQ(read(tsv).time.size(), 1000000u);
}

TEST_F(Blood, NumbersThatNoScanHolds) {
  EXPECT_THAT(problem("time\tplasma_radioactivity\n1\t1e308\n2\t5\n"),
              HasSubstr("plasma_radioactivity: 1e+308 kBq/mL is no activity"));
  EXPECT_THAT(
      problem("time\tplasma_radioactivity\n1\t1e308\n2\t5\n", R"({"plasma_radioactivity": {"Units": "MBq/mL"}})"),
      HasSubstr("plasma_radioactivity: inf kBq/mL is no activity"))
      << "not left out as if it were missing";
  EXPECT_THAT(problem("time\tplasma_radioactivity\n1\t1\n1e307\t5\n",
                      R"({"time": {"Units": "min"}, "plasma_radioactivity": {"Units": "kBq/mL"}})"),
              HasSubstr("time: inf s is no time"));
  // Each value is small enough, but plasma over the ratio of plasma to blood is not.
  EXPECT_THAT(problem("time\tplasma_radioactivity\twhole_blood_radioactivity\n1\t1e-25\t1e25\n2\t1\tn/a\n"),
              HasSubstr("whole blood: 1e+50 kBq/mL is no activity"));
}

TEST_F(Blood, NoFiles) {
  EXPECT_THAT(message_of([] { read_blood({}); }), HasSubstr("no blood files"));
}

}  // namespace
}  // namespace evident::imaging
