#include "imaging/pet/maps/outputs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "imaging/nifti/nifti_writer.hpp"
#include "imaging/pet/fit/priors.hpp"
#include "report/files.hpp"

namespace evident::imaging {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool has_map(const FitColumn& c) { return c.measure != "steps" && c.measure != "acceptance"; }

bool is_small_number(const FitColumn& c) { return c.measure == "status" || c.measure == "order"; }

std::string map_name(const std::string& prefix, const FitColumn& c) {
  return fmt::format("{}{}{}_meas-{}_mimap", prefix, c.model.empty() ? "" : "_model-", c.model, c.measure);
}

Json about(const PetPlan& plan) {
  const CurveSetup setup = plan.setup();
  Json out;
  out["Sources"] = Json::array({(plan.is_image() ? plan.request.image : plan.request.tacs).filename().string()});
  for (const std::string& file : plan.input.files) out["Sources"].push_back(fs::path(file).filename().string());
  out["BloodType"] = "arterial";
  out["SoftwareName"] = "evident";
  out["SoftwareVersion"] = version();
  out["CommandLine"] = plan.request.command;
  out["Seed"] = plan.request.seed;
  out["Particles"] = setup.smc.particles;
  out["CESS"] = std::get<CessSchedule>(setup.smc.schedule).target;
  out["BloodVolume"] = plan.request.vb;
  out["DelaySeconds"] = plan.delay;
  out["FramePrediction"] = plan.averages_frames() ? "average" : "middle";
  out["Noise"] = plan.models.front().noise == PetNoise::student ? "Student t" : "Normal";
  for (const PetOptions& o : plan.models) out["Priors"][fmt::format("{}TCM", o.compartments)] = prior_lines(o);
  out["Notes"] = plan.notes;
  out["Warnings"] = plan.written_warnings();
  return out;
}

std::string sidecar(const PetPlan& plan, const FitColumn& c) {
  Json out;
  out["Description"] = c.description + (c.model == "BMA" ? ", averaged over the models by their probabilities" : "");
  out["Units"] = c.unit;
  if (!c.model.empty()) out["ModelName"] = c.model;
  if (c.model == "BMA" || c.measure == "order") out["Models"] = plan.model_names();
  if (c.measure == "status")
    for (const StatusBit& s : status_bits())
      out["Bits"][std::to_string(s.bit)] = std::string(s.name) + ": " + std::string(s.meaning);
  out.update(about(plan));
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_map(const PetPlan& plan, const FitTable& table, std::size_t column, const fs::path& file) {
  const FitColumn& c = table.columns.all()[column];
  const bool small = is_small_number(c);
  const float outside = small || plan.request.fill_zero ? 0.0F : std::numeric_limits<float>::quiet_NaN();
  std::vector<float> volume(plan.geometry.voxels(), outside);
  for (std::size_t i = 0; i < table.size(); ++i) volume[plan.curves.index[i]] = table.row(i)[column];
  write_nifti(file, plan.geometry, volume,
              {.type = small ? Datatype::uint8 : Datatype::float32, .description = "evident " + c.description});
}

std::string blood_tsv(const InputFunction& input) {
  const bool both = input.blood_time == input.time;
  std::string out = both ? "time\tplasma_radioactivity\twhole_blood_radioactivity\n" : "time\tplasma_radioactivity\n";
  for (std::size_t i = 0; i < input.time.size(); ++i)
    out += both ? fmt::format("{}\t{}\t{}\n", input.time[i], input.plasma[i], input.blood[i])
                : fmt::format("{}\t{}\n", input.time[i], input.plasma[i]);
  return out;
}

bool has_regions(const PetPlan& plan) { return !plan.is_image() || !plan.atlas.present.empty(); }

}  // namespace

std::vector<fs::path> output_names(const PetPlan& plan) {
  const std::string& prefix = plan.request.prefix;
  std::vector<fs::path> names;
  if (plan.is_image()) {
    const FitColumns columns = plan.columns();
    for (const FitColumn& c : columns.all()) {
      if (!has_map(c)) continue;
      names.emplace_back(map_name(prefix, c) + ".nii.gz");
      names.emplace_back(map_name(prefix, c) + ".json");
    }
  }
  if (has_regions(plan)) {
    names.emplace_back(prefix + "_kinpar.tsv");
    names.emplace_back(prefix + "_kinpar.json");
  }
  names.emplace_back(prefix + "_bloodproc.tsv");
  return names;
}

std::vector<fs::path> write_outputs(const PetPlan& plan, const FitTable& table, const fs::path& folder) {
  const std::string& prefix = plan.request.prefix;
  if (plan.is_image()) {
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      const FitColumn& c = table.columns.all()[k];
      if (!has_map(c)) continue;
      write_map(plan, table, k, folder / (map_name(prefix, c) + ".nii.gz"));
      report::write_file(folder / (map_name(prefix, c) + ".json"), sidecar(plan, c));
    }
  }
  if (has_regions(plan)) {
    report::write_file(folder / (prefix + "_kinpar.tsv"), regions_tsv(plan, table));
    report::write_file(folder / (prefix + "_kinpar.json"),
                       about(plan).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }
  report::write_file(folder / (prefix + "_bloodproc.tsv"), blood_tsv(plan.input));
  return output_names(plan);
}

void describe_derivatives(const fs::path& root, const fs::path& work) {
  const auto add = [&](const char* name, const std::string& text) {  // appears whole, like the maps
    report::write_file(work / name, text);
    std::error_code failed;
    fs::rename(work / name, root / name, failed);
    if (failed) report::write_file(root / name, text);  // another file system
  };
  if (!fs::exists(root / "dataset_description.json")) {
    Json out;
    out["Name"] = "evident: model comparison of PET scans";
    out["BIDSVersion"] = "1.9.0";
    out["DatasetType"] = "derivative";
    out["GeneratedBy"] = Json::array({Json{{"Name", "evident"}, {"Version", version()}}});
    add("dataset_description.json", out.dump(2) + "\n");
  }
  if (!fs::exists(root / ".bidsignore"))
    add(".bidsignore", "*_mimap.*\n*_kinpar.*\n*_bloodproc.*\n*_report.html\n*_manifest.json\n");
}

}  // namespace evident::imaging
