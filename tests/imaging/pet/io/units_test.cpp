#include "imaging/pet/io/units.hpp"

#include "imaging/pet/files.hpp"

namespace evident::imaging {
namespace {

TEST(Units, ActivityComesInKilobecquerelPerMillilitre) {
  const std::vector<std::pair<std::string, double>> known = {{"Bq/mL", 1e-3},
                                                             {"bq/ml", 1e-3},
                                                             {"Bq/cc", 1e-3},
                                                             {"BQML", 1e-3},
                                                             {"kBq/mL", 1},
                                                             {"KBq/CC", 1},
                                                             {"kBq/cm3", 1},
                                                             {" kBq / mL ", 1},
                                                             {"MBq/mL", 1e3},
                                                             {"MBq/L", 1},
                                                             {"nCi/mL", 0.037},
                                                             {"nCi/cc", 0.037},
                                                             {"uCi/mL", 37},
                                                             {"\xC2\xB5"
                                                              "Ci/mL",
                                                              37},
                                                             {"\xCE\xBC"
                                                              "Ci/cc",
                                                              37},
                                                             {"mCi/mL", 37000},
                                                             {"kBq/cm^3", 1},
                                                             {"GBq/L", 1e3}};
  for (const auto& [unit, factor] : known) {
    ASSERT_TRUE(find_activity_factor(unit)) << unit;
    EXPECT_NEAR(*find_activity_factor(unit) / factor, 1, 1e-12) << unit;
  }
}

TEST(Units, DoubtfulOrUnknownActivityIsRefusedWithAList) {
  for (const char* unit : {"", "/", "kBq", "kBq/", "/mL", "counts", "g/ml", "mBq/mL", "MCi/mL", "kBq/mL/mL", "kBq/m"}) {
    EXPECT_FALSE(find_activity_factor(unit)) << unit;
  }
  EXPECT_FALSE(find_activity_factor(std::string(1 << 20, 'k')));
  EXPECT_FALSE(find_activity_factor(std::string("kBq\0/mL", 7)));
  const std::string message = message_of([] { activity_factor("counts", "a_pet.json: 'Units'"); });
  EXPECT_EQ(
      message,
      "a_pet.json: 'Units' is \"counts\", which is not a known unit of activity; use Bq, kBq, MBq, nCi, uCi or mCi "
      "per mL, cc, cm3 or L, for example \"kBq/mL\"");
  EXPECT_THAT(message_of([] { activity_factor("g/ml", "x"); }), HasSubstr("uptake values"));
}

TEST(Units, Time) {
  for (const char* unit : {"s", "sec", "seconds", "S", " second "}) EXPECT_EQ(find_time_factor(unit), 1) << unit;
  for (const char* unit : {"min", "minutes", "Minute", "mins"}) EXPECT_EQ(find_time_factor(unit), 60) << unit;
  for (const char* unit : {"h", "hours", "hr"}) EXPECT_EQ(find_time_factor(unit), 3600) << unit;
  EXPECT_EQ(find_time_factor("ms"), 1e-3);
  EXPECT_EQ(message_of([] { time_factor("m", "the time unit"); }),
            "the time unit is \"m\", which is not a known unit of time; use s, min or h");
}

TEST(Units, DecayOfCarbonIsThePublishedConstant) {
  for (const char* name : {"C11", "C-11", "11C", "[11C]", "c11", "^11^Carbon", "Carbon-11", "11-C", "[C-11]"}) {
    ASSERT_TRUE(find_decay_constant(name)) << name;
    EXPECT_NEAR(*find_decay_constant(name), kC11, 1e-10) << name;
  }
}

TEST(Units, HalfLives) {
  const auto minutes = [](const char* name) { return std::log(2.0) / decay_constant(name, "x") / 60; };
  EXPECT_NEAR(minutes("F18"), 109.77, 0.1);
  EXPECT_NEAR(minutes("[18F]"), 109.77, 0.1);
  EXPECT_NEAR(minutes("^18^Fluorine"), 109.77, 0.1);
  EXPECT_NEAR(minutes("O15"), 2.04, 0.01);
  EXPECT_NEAR(minutes("13N"), 9.97, 0.01);
  EXPECT_NEAR(minutes("Ga-68"), 67.7, 0.2);
  EXPECT_NEAR(minutes("64Cu") / 60, 12.70, 0.01);
  EXPECT_NEAR(minutes("89Zr") / 60, 78.4, 0.1);
  EXPECT_NEAR(minutes("I124") / 60 / 24, 4.18, 0.01);
  EXPECT_NEAR(minutes("Rb82"), 1.26, 0.02);
  EXPECT_NEAR(minutes("Br-76") / 60, 16.2, 0.1);
  EXPECT_NEAR(minutes("Tc94m"), 52, 0.1);
  EXPECT_NEAR(minutes("94mTc"), 52, 0.1);
}

TEST(Units, UnknownNuclidesAreRefusedWithAList) {
  for (const char* name : {"", "C", "11", "C12", "F-19", "C11x", "C1.1", "Tc94", "Tc99m", "11C18F", "FDG"}) {
    EXPECT_FALSE(find_decay_constant(name)) << name;
  }
  const std::string message = message_of([] { decay_constant("Tc99m", "a.json: 'TracerRadionuclide'"); });
  EXPECT_THAT(message, HasSubstr("a.json: 'TracerRadionuclide' is \"Tc99m\""));
  EXPECT_THAT(message, HasSubstr("C11, N13"));
}

TEST(Units, NamesWithUnits) {
  EXPECT_EQ(split_unit("start[seconds]").name, "start");
  EXPECT_EQ(split_unit("start[seconds]").unit, "seconds");
  EXPECT_EQ(split_unit(" plasma (kBq/mL) ").unit, "kBq/mL");
  EXPECT_EQ(split_unit("putamen").unit, "");
  EXPECT_EQ(split_unit("]").name, "]");
  EXPECT_EQ(split_unit("").name, "");
  EXPECT_EQ(split_unit("[s]").name, "");
}

}  // namespace
}  // namespace evident::imaging
