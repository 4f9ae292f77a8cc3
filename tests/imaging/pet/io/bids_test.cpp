#include "imaging/pet/io/bids.hpp"

#include "imaging/pet/files.hpp"

namespace evident::imaging {
namespace {

namespace fs = std::filesystem;

class BidsTree : public testing::Test {
 protected:
  void add(const std::string& name, std::string_view text = "") {
    fs::create_directories((folder_.path() / name).parent_path());
    folder_.write(name, text);
  }
  void fill() {
    add("dataset_description.json", "{}");
    add("pet.json", "{}");
    add("sub-01/ses-a/pet/sub-01_ses-a_trc-X_pet.nii.gz");
    add("sub-01/ses-a/pet/sub-01_ses-a_trc-X_pet.json", "{}");
    add("sub-01/ses-a/pet/sub-01_ses-a_trc-Y_run-1_pet.nii.gz");
    add("sub-01/ses-a/pet/sub-01_ses-a_trc-X_recording-manual_blood.tsv");
    add("sub-01/ses-a/pet/sub-01_ses-a_trc-X_recording-autosampler_blood.tsv");
    add("sub-01/ses-a/pet/sub-01_ses-a_trc-Y_recording-manual_blood.tsv");
    add("sub-01/ses-b/pet/sub-01_ses-b_pet.nii");
    add("sub-02/pet/sub-02_pet.nii.gz");
    add("sub-03/anat/sub-03_T1w.nii.gz");
    add("derivatives/x/sub-01/pet/sub-01_desc-mc_pet.nii.gz");
  }
  BidsPet find(const BidsQuery& query = {}) { return find_bids_pet(folder_.path(), query); }
  std::vector<std::string> prefixes(const BidsQuery& query = {}) {
    std::vector<std::string> out;
    for (const auto& scan : find(query).scans) out.push_back(scan.prefix);
    return out;
  }
  std::string problem(const BidsQuery& query = {}) {
    return message_of([&] { find(query); });
  }
  TemporaryFolder folder_;
};

TEST(BidsNames, Parts) {
  const BidsName name = parse_bids_name("sub-01_ses-a_trc-X_pet.nii.gz");
  EXPECT_EQ(name.suffix, "pet");
  EXPECT_EQ(name.extension, ".nii.gz");
  EXPECT_EQ(name.value("trc"), "X");
  EXPECT_EQ(name.value("run"), "");
  EXPECT_TRUE(parse_bids_name("sub-01_pet.json").within(name));
  EXPECT_TRUE(parse_bids_name("pet.json").within(name));
  EXPECT_FALSE(parse_bids_name("sub-02_pet.json").within(name));
  EXPECT_TRUE(parse_bids_name("sub-01_recording-manual_blood.tsv").within(name, "recording"));
  for (const char* bad :
       {"my scan.nii", "sub-01__pet.nii", "sub-_pet.nii", "-01_pet.nii", "sub-01_.nii", "", "_", "a_b_c.nii"}) {
    EXPECT_FALSE(parse_bids_name(bad).valid()) << bad;
  }
}

TEST_F(BidsTree, ListsAllScans) {
  fill();
  EXPECT_THAT(prefixes(), ElementsAre("sub-01_ses-a_trc-X", "sub-01_ses-a_trc-Y_run-1", "sub-01_ses-b", "sub-02"));
  const BidsPetScan scan = find().scans.front();
  EXPECT_EQ(scan.subject, "01");
  EXPECT_EQ(scan.session, "a");
  EXPECT_EQ(scan.folder, fs::path("sub-01/ses-a/pet"));
  ASSERT_EQ(scan.blood.size(), 2u) << "not that of the other tracer";
  EXPECT_THAT(scan.blood[0], HasSubstr("trc-X_recording-autosampler"));
  ASSERT_EQ(scan.sidecars.size(), 2u);
  EXPECT_THAT(scan.sidecars[0], HasSubstr("sub-01_ses-a_trc-X_pet.json"));
  EXPECT_TRUE(find().warnings.empty());
}

TEST_F(BidsTree, Filters) {
  fill();
  EXPECT_THAT(prefixes({.participants = {"02"}}), ElementsAre("sub-02"));
  EXPECT_THAT(prefixes({.participants = {"sub-02", "02"}}), ElementsAre("sub-02"));
  EXPECT_THAT(prefixes({.sessions = {"ses-b"}}), ElementsAre("sub-01_ses-b"));
  EXPECT_THAT(prefixes({.tracers = {"Y"}}), ElementsAre("sub-01_ses-a_trc-Y_run-1"));
  EXPECT_THAT(prefixes({.runs = {"1"}}), ElementsAre("sub-01_ses-a_trc-Y_run-1"));
}

TEST_F(BidsTree, ErrorsListWhatIsThere) {
  fill();
  EXPECT_THAT(problem({.participants = {"07"}}), HasSubstr("there is no participant '07'; found: 01, 02, 03"));
  EXPECT_THAT(problem({.sessions = {"z"}}), HasSubstr("there is no session 'z'; found: a, b"));
  EXPECT_THAT(problem({.tracers = {"Q"}}), HasSubstr("found: sub-01_ses-a_trc-X, sub-01_ses-a_trc-Y_run-1"));
  EXPECT_THAT(problem({.participants = {"03"}}), HasSubstr("no PET images"));
  EXPECT_THAT(problem({.participants = {"../sub-01"}}), HasSubstr("there is no participant"));
  EXPECT_THAT(message_of([] { find_bids_pet("/no/such/folder"); }), HasSubstr("is not a folder"));
}

TEST_F(BidsTree, OddTrees) {
  EXPECT_THAT(problem(), HasSubstr("has no folders sub-*"));
  add("sub-01/pet/sub-01_pet.nii");
  add("sub-01/pet/sub-01_pet.nii.gz");
  add("sub-01/pet/sub-99_pet.nii.gz");
  const BidsPet found = find();
  ASSERT_EQ(found.scans.size(), 2u);
  EXPECT_EQ(found.scans[0].image.extension(), ".gz");
  EXPECT_THAT(found.warnings, Contains(HasSubstr("no dataset_description.json")));
  EXPECT_THAT(found.warnings, Contains(HasSubstr("a .nii and a .nii.gz")));
  EXPECT_THAT(found.warnings, Contains(HasSubstr("does not fit the folder")));
}

}  // namespace
}  // namespace evident::imaging
