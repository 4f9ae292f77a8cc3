#include "imaging/pet/io/sidecar.hpp"

#include "imaging/pet/files.hpp"

namespace evident::imaging {
namespace {

namespace fs = std::filesystem;

class SidecarFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, std::string_view text) {
    fs::create_directories((folder_.path() / name).parent_path());
    return folder_.write(name, text);
  }
  Sidecar read(std::string_view text) { return read_sidecar({write("x_pet.json", text)}); }
  std::string problem(std::string_view text) {
    return message_of([&] { read(text); });
  }
  TemporaryFolder folder_;
};

TEST_F(SidecarFiles, ReadsTheFields) {
  const Sidecar s = read(SidecarText{.more = R"("TimeZero": "13:04:42", "ScanStart": 0, "TracerName": "CIMBI-36",
      "InjectedRadioActivity": 573, "InjectedRadioActivityUnits": "MBq", "ModeOfAdministration": "bolus")"}
                             .text());
  EXPECT_EQ(s.frame_times_start, (Numbers{0, 60, 120, 240}));
  EXPECT_EQ(s.frame_duration, (Numbers{60, 60, 120, 300}));
  EXPECT_EQ(s.injection_start, 0);
  EXPECT_EQ(s.decay_corrected, true);
  EXPECT_EQ(s.units, "Bq/mL");
  EXPECT_EQ(s.radionuclide, "C11");
  EXPECT_EQ(s.tracer, "CIMBI-36");
  EXPECT_EQ(s.injected_activity, 573) << "the capital A of the specification's example";
  EXPECT_EQ(s.injected_units, "MBq");
  EXPECT_TRUE(s.warnings.empty());
}

TEST_F(SidecarFiles, WrongTypesNameFieldAndFile) {
  EXPECT_THAT(problem(SidecarText{.starts = "\"0, 60\""}.text()),
              HasSubstr("x_pet.json: 'FrameTimesStart' must be a list of numbers, but is the text \"0, 60\""));
  EXPECT_THAT(problem(SidecarText{.starts = "[0, \"60\"]"}.text()),
              HasSubstr("'FrameTimesStart': entry 2 must be a number, but is the text \"60\""));
  EXPECT_THAT(problem(SidecarText{.durations = "[1, null]"}.text()), HasSubstr("entry 2 must be a number"));
  EXPECT_THAT(problem(SidecarText{.durations = "{\"a\": 1}"}.text()), HasSubstr("but is an object"));
  EXPECT_THAT(problem(SidecarText{.corrected = "1"}.text()),
              HasSubstr("'ImageDecayCorrected' must be true or false, but is 1"));
  EXPECT_THAT(problem(SidecarText{.units = "[\"Bq/mL\"]"}.text()), HasSubstr("'Units' must be a text"));
  EXPECT_THAT(problem(SidecarText{.injection = "\"13:04:42\""}.text()), HasSubstr("'InjectionStart' must be a number"));
}

TEST_F(SidecarFiles, QuotedFlagsPassWithAWarning) {
  const Sidecar s = read(SidecarText{.corrected = "\"True\""}.text());
  EXPECT_EQ(s.decay_corrected, true);
  ASSERT_EQ(s.warnings.size(), 1u);
  EXPECT_THAT(s.warnings[0], HasSubstr("ImageDecayCorrected"));
}

TEST_F(SidecarFiles, WhatIsOnlyShownMayBeOdd) {
  EXPECT_NO_THROW(read(R"({"InjectedRadioactivity": "n/a", "TracerName": 3, "TimeZero": 0})"));
  EXPECT_FALSE(read(R"({"Units": null})").units) << "null is absent";
}

TEST_F(SidecarFiles, DamagedFiles) {
  EXPECT_THAT(problem(""), HasSubstr("x_pet.json:1:1: is not valid JSON"));
  EXPECT_THAT(problem("{\n \"a\": 1,\n \"b\" 2}"), HasSubstr("x_pet.json:3:6: is not valid JSON"));
  EXPECT_THAT(problem("{\"FrameTimesStart\": [0, 10, 2"), HasSubstr("the file ends too early"));
  EXPECT_THAT(problem("[1, 2]"), HasSubstr("must be one JSON object"));
  EXPECT_THAT(problem("3"), HasSubstr("but is a number"));
  EXPECT_THAT(problem("{\"FrameDuration\": [NaN]}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(problem("{\"FrameDuration\": [1e999]}"), HasSubstr("outside the range"));
  EXPECT_THAT(problem(std::string("{\"Units\": \0\"x\"}", 15)), HasSubstr("is not a text file (byte 11 is zero)"));
  EXPECT_THAT(problem("{\"Units\": \"\xFF\xFE\"}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(problem(std::string(1000000, '[')), HasSubstr("nested more than 100 levels"));
  EXPECT_THAT(message_of([&] { read_sidecar({folder_.path().string()}); }), HasSubstr("is a folder"));
  EXPECT_NO_THROW(read("\xEF\xBB\xBF{\"Units\":\r\n\"Bq/mL\"}\r\n")) << "byte-order mark and CRLF";
}

TEST_F(SidecarFiles, AFieldThatIsGivenTwiceIsRefused) {
  EXPECT_THAT(problem(R"({"Units": "Bq/mL", "TracerName": "x", "Units": "kBq/mL"})"),
              HasSubstr("x_pet.json: the field 'Units' is given twice; remove one of them"));
  EXPECT_THAT(problem(R"({"a": [{"b": 1}, {"c": 1, "c": 2}]})"), HasSubstr("'c' is given twice"));
  EXPECT_NO_THROW(read(R"({"a": {"Units": 1}, "b": [{"Units": 1}, {"Units": 2}]})")) << "of different objects";
}

TEST_F(SidecarFiles, HugeLists) {
  std::string list = "[0";
  for (int i = 1; i < 1000000; ++i) list += ",1";
  EXPECT_EQ(read(SidecarText{.starts = list + "]"}.text()).frame_times_start->size(), 1000000u);
  EXPECT_THAT(problem(SidecarText{.starts = list + ",1]"}.text()), HasSubstr("1000001 entries"));
}

TEST_F(SidecarFiles, InheritanceTakesTheNearest) {
  write("data/dataset_description.json", "{}");
  write("outside_pet.json", R"({"Units": "wrong"})");
  write("data/pet.json", R"({"Units": "Bq/mL", "TracerName": "root", "TracerRadionuclide": "C11"})");
  write("data/trc-A_pet.json", R"({"TracerName": "A"})");
  write("data/trc-B_pet.json", R"({"TracerName": "B"})");
  write("data/sub-01/sub-01_pet.json", R"({"TracerName": "subject", "InjectionStart": 7})");
  write("data/sub-01/ses-x/pet/sub-01_ses-x_trc-A_pet.json", R"({"ScanStart": 1})");
  write("data/sub-01/ses-x/pet/sub-01_ses-x_trc-A_task-rest_pet.json", R"({"ScanStart": 99})");
  write("data/sub-01/ses-x/pet/sub-01_ses-x_trc-A_recording-manual_blood.json", R"({"ScanStart": 98})");
  const fs::path image = folder_.path() / "data/sub-01/ses-x/pet/sub-01_ses-x_trc-A_pet.nii.gz";
  const auto files = find_sidecars(image);
  ASSERT_EQ(files.size(), 4u) << testing::PrintToString(files);
  EXPECT_THAT(files[0], HasSubstr("sub-01_ses-x_trc-A_pet.json"));
  EXPECT_THAT(files[1], HasSubstr("sub-01/sub-01_pet.json"));
  EXPECT_THAT(files[2], HasSubstr("data/trc-A_pet.json"));
  EXPECT_THAT(files[3], HasSubstr("data/pet.json"));
  const Sidecar s = read_sidecar(files);
  EXPECT_EQ(s.tracer, "subject");
  EXPECT_EQ(s.scan_start, 1);
  EXPECT_EQ(s.injection_start, 7);
  EXPECT_EQ(s.radionuclide, "C11");
}

TEST_F(SidecarFiles, WithoutARootOnlyTheLayoutIsSearched) {
  write("pet.json", R"({"Units": "top"})");
  write("study/pet.json", R"({"Units": "study"})");
  write("study/sub-01/pet/sub-01_pet.json", "{}");
  const auto files = find_sidecars(folder_.path() / "study/sub-01/pet/sub-01_pet.nii");
  ASSERT_EQ(files.size(), 2u) << testing::PrintToString(files);
  EXPECT_THAT(files[1], HasSubstr("study/pet.json"));
}

TEST_F(SidecarFiles, OtherNamesHaveTheirOwnSidecarOnly) {
  write("pet.json", "{}");
  const std::string own = write("my scan.v2.json", "{}");
  EXPECT_THAT(find_sidecars(folder_.path() / "my scan.v2.nii.gz"), ElementsAre(own));
  EXPECT_TRUE(find_sidecars(folder_.path() / "other.nii.gz").empty());
  EXPECT_TRUE(find_sidecars("/no/such/folder/sub-01_pet.nii.gz").empty());
}

}  // namespace
}  // namespace evident::imaging
