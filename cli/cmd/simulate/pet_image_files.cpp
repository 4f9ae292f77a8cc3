#include "cmd/simulate/pet_image_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/version.hpp"
#include "evident/base/error.hpp"
#include "imaging/nifti/nifti_writer.hpp"
#include "report/files.hpp"

namespace evident::cli {
namespace {

namespace fs = std::filesystem;
using imaging::Datatype;
using imaging::Phantom;
using Json = nlohmann::ordered_json;

constexpr const char* kBidsVersion = "1.9.0";

class Tree {
 public:
  explicit Tree(fs::path folder) : folder_(std::move(folder)) {}

  /// The path of a file; makes its folder and remembers its name.
  fs::path file(const std::string& name) {
    fs::path path = folder_ / name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) throw RunError(fmt::format("{}: {}", path.parent_path().string(), error.message()));
    names_.push_back(name);
    return path;
  }
  void text(const std::string& name, const std::string& content) { report::write_file(file(name), content); }
  void json(const std::string& name, const Json& content) { text(name, content.dump(2) + "\n"); }
  const std::vector<std::string>& names() const { return names_; }

 private:
  fs::path folder_;
  std::vector<std::string> names_;
};

void write_data_set(Tree& tree, const PhantomStory& story) {
  tree.json("dataset_description.json",
            {{"Name", "Simulated dynamic PET with a known truth"},
             {"BIDSVersion", kBidsVersion},
             {"DatasetType", "raw"},
             {"License", "CC0"},
             {"Authors", {"evident simulate pet-image"}},
             {"HowToAcknowledge", "Simulated data; no acknowledgement is needed."},
             {"GeneratedBy", {{{"Name", "evident"}, {"Version", version()}, {"Description", story.command}}}}});
  tree.text(
      "README.md",
      fmt::format(
          "# Simulated dynamic PET\n\nOne subject, made by\n\n    {}\n\n"
          "The image is in Bq/mL, the blood in kBq/mL: mind the factor of 1000. Both are corrected for decay to\n"
          "the injection at time 0. The input function is plasma_radioactivity times metabolite_parent_fraction.\n"
          "derivatives/truth holds the mask, the regions, and the number of compartments, V_T and K1 of every\n"
          "voxel; truth.json there tells how they were made.\n",
          story.command));
  tree.text(".bidsignore", "manifest.json\n");
  tree.text("participants.tsv", "participant_id\nsub-01\n");
  tree.json("participants.json", {{"participant_id", {{"Description", "The simulated subject"}}}});
}

void describe_image(Tree& tree, const Phantom& phantom) {
  std::vector<double> correction;
  for (const double d : phantom.decay_factors()) correction.push_back(1 / d);
  tree.json("sub-01/pet/sub-01_pet.json", {{"Manufacturer", "none"},
                                           {"ManufacturersModelName", "evident phantom"},
                                           {"Units", "Bq/mL"},
                                           {"BodyPart", "phantom"},
                                           {"TracerName", "phantom"},
                                           {"TracerRadionuclide", "C11"},
                                           {"InjectedRadioactivity", 400},
                                           {"InjectedRadioactivityUnits", "MBq"},
                                           {"InjectedMass", 1},
                                           {"InjectedMassUnits", "ug"},
                                           {"SpecificRadioactivity", 400},
                                           {"SpecificRadioactivityUnits", "MBq/ug"},
                                           {"ModeOfAdministration", "bolus"},
                                           {"TimeZero", "12:00:00"},
                                           {"ScanStart", 0},
                                           {"InjectionStart", 0},
                                           {"FrameTimesStart", phantom.starts()},
                                           {"FrameDuration", phantom.durations()},
                                           {"AcquisitionMode", "list mode"},
                                           {"ImageDecayCorrected", true},
                                           {"ImageDecayCorrectionTime", 0},
                                           {"DecayCorrectionFactor", correction},
                                           {"ReconMethodName", "simulated"},
                                           {"ReconMethodParameterLabels", {"none"}},
                                           {"ReconMethodParameterUnits", {"none"}},
                                           {"ReconMethodParameterValues", {0}},
                                           {"ReconFilterType", "none"},
                                           {"ReconFilterSize", 0},
                                           {"AttenuationCorrection", "none"}});
}

void write_image(Tree& tree, const Phantom& phantom) {
  const imaging::Geometry& geometry = phantom.anatomy().geometry;
  imaging::NiftiWriter writer(tree.file("sub-01/pet/sub-01_pet.nii.gz"), geometry,
                              {.type = Datatype::float32,
                               .frames = phantom.starts().size(),
                               .frame_step = 1,
                               .description = "evident phantom"});
  std::vector<float> volume(geometry.voxels());
  for (std::size_t f = 0; f < phantom.starts().size(); ++f) {
    phantom.frame(f, volume);
    writer.write_volume(volume);
  }
  writer.finish();
}

void write_blood(Tree& tree, const imaging::PhantomBlood& blood) {
  std::string rows = "time\tplasma_radioactivity\twhole_blood_radioactivity\tmetabolite_parent_fraction\n";
  for (const double t : blood.sample_times)
    rows += fmt::format("{}\t{}\t{}\t{}\n", t, blood.parent(t) / blood.fraction(t), blood.whole_blood(t),
                        blood.fraction(t));
  tree.text("sub-01/pet/sub-01_recording-manual_blood.tsv", rows);
  const auto column = [](const char* what, const char* units) { return Json{{"Description", what}, {"Units", units}}; };
  tree.json("sub-01/pet/sub-01_recording-manual_blood.json",
            {{"PlasmaAvail", true},
             {"WholeBloodAvail", true},
             {"MetaboliteAvail", true},
             {"MetaboliteMethod", "simulated"},
             {"MetaboliteRecoveryCorrectionApplied", false},
             {"DispersionCorrected", true},
             {"WithdrawalRate", 0},
             {"TubingType", "none"},
             {"TubingLength", 0},
             {"DispersionConstant", 0},
             {"Haematocrit", 0.4},
             {"BloodDensity", 1.06},
             {"time", column("Time since the injection", "s")},
             {"plasma_radioactivity", column("Activity of plasma, corrected for decay", "kBq/mL")},
             {"whole_blood_radioactivity", column("Activity of whole blood, corrected for decay", "kBq/mL")},
             {"metabolite_parent_fraction", column("Share of the plasma's activity that is parent", "arbitrary")}});
}

/// One value per voxel inside, 0 elsewhere.
template <class Value>
std::vector<float> spread(const imaging::Anatomy& anatomy, Value value) {
  std::vector<float> volume(anatomy.geometry.voxels(), 0.0f);
  for (std::size_t i = 0; i < anatomy.indices.size(); ++i) volume[anatomy.indices[i]] = static_cast<float>(value(i));
  return volume;
}

Json rates_json(const imaging::RateConstants& k) {
  Json out = {{"K1", k.K1}, {"k2", k.k2}};
  if (k.k3 > 0) out.update({{"k3", k.k3}, {"k4", k.k4}});
  if (k.k5 > 0) out.update({{"k5", k.k5}, {"k6", k.k6}});
  return out;
}

void write_truth_maps(Tree& tree, const Phantom& phantom) {
  const imaging::Anatomy& anatomy = phantom.anatomy();
  const std::string stem = "derivatives/truth/sub-01/pet/sub-01_";
  const auto map = [&](const std::string& name, Datatype type, const char* what, const char* units, auto value) {
    imaging::write_nifti(tree.file(stem + name + ".nii.gz"), anatomy.geometry,
                         std::span<const float>(spread(anatomy, value)), {.type = type, .description = what});
    tree.json(stem + name + ".json", {{"Description", what}, {"Units", units}});
  };
  map("desc-brain_mask", Datatype::uint8, "1 inside", "none", [](std::size_t) { return 1; });
  map("desc-regions_dseg", Datatype::uint8, "Labels of the regions", "none",
      [&](std::size_t i) { return anatomy.regions[anatomy.region[i]].label; });
  map("meas-order_mimap", Datatype::uint8, "True number of tissue compartments", "none",
      [&](std::size_t i) { return phantom.rates(i).order(); });
  map("meas-VT_mimap", Datatype::float32, "True volume of distribution", "mL/cm3",
      [&](std::size_t i) { return phantom.rates(i).volume(); });
  map("meas-K1_mimap", Datatype::float32, "True rate of inflow", "mL/cm3/min",
      [&](std::size_t i) { return phantom.rates(i).K1; });
  std::string rows = "index\tname\n";
  for (const auto& region : anatomy.regions) rows += fmt::format("{}\t{}\n", region.label, region.name);
  tree.text(stem + "desc-regions_dseg.tsv", rows);
}

void write_truth(Tree& tree, const Phantom& phantom, const PhantomStory& story) {
  const imaging::Anatomy& anatomy = phantom.anatomy();
  tree.json("derivatives/truth/dataset_description.json",
            {{"Name", "Truth of a simulated PET scan"},
             {"BIDSVersion", kBidsVersion},
             {"DatasetType", "derivative"},
             {"GeneratedBy", {{{"Name", "evident"}, {"Version", version()}, {"Description", story.command}}}}});
  write_truth_maps(tree, phantom);
  Json regions = Json::array();
  for (std::size_t r = 0; r < anatomy.regions.size(); ++r) {
    const auto& region = anatomy.regions[r];
    regions.push_back({{"label", region.label},
                       {"name", region.name},
                       {"voxels", std::count(anatomy.region.begin(), anatomy.region.end(), r)},
                       {"compartments", region.rates.order()},
                       {"rates_per_minute", rates_json(region.rates)},
                       {"VT", region.rates.volume()},
                       {"source", region.source}});
  }
  const double precision = phantom.options().precision;
  tree.json("derivatives/truth/truth.json",
            {{"kind", "pet-image"},
             {"command", story.command},
             {"seed", story.seed},
             {"voxels", anatomy.indices.size()},
             {"noise", story.noise},
             {"precision", std::isfinite(precision) ? Json(precision) : Json(nullptr)},
             {"variance", "C / (precision * FrameDuration / DecayCorrectionFactor), C in kBq/mL, time in s"},
             {"input", story.input},
             {"blood_volume", phantom.options().blood_volume},
             {"half_life_s", Phantom::kHalfLife},
             {"variation", "K1 within 10 %, k2 by -5, 0 or 5 %, k3 by -10, 0 or 10 %; the maps hold each voxel's own"},
             {"regions", regions}});
}

}  // namespace

std::vector<std::string> write_phantom(const Phantom& phantom, const PhantomStory& story, const fs::path& folder) {
  Tree tree(folder);
  write_data_set(tree, story);
  describe_image(tree, phantom);
  write_image(tree, phantom);
  write_blood(tree, phantom.options().blood);
  write_truth(tree, phantom, story);
  return tree.names();
}

}  // namespace evident::cli
