#include "imaging/pet/io/sidecar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "imaging/pet/io/bids.hpp"
#include "imaging/pet/io/json_fields.hpp"
#include "imaging/pet/io/words.hpp"

namespace evident::imaging {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& p) {
  std::error_code ignored;
  return fs::is_regular_file(p, ignored);
}

// From the file's own folder to the root of the data set. Without a root, the folders that are part of a BIDS layout
// and the one that holds them.
std::vector<fs::path> levels(const fs::path& folder) {
  std::vector<fs::path> all;
  std::size_t layout = 1;
  fs::path at = folder;
  for (int depth = 0; depth < 8; ++depth) {
    all.push_back(at);
    if (is_file(at / "dataset_description.json")) return all;
    const std::string name = at.filename().string();
    if ((name == "pet" || name.starts_with("ses-") || name.starts_with("sub-")) && all.size() == layout) ++layout;
    if (!at.has_parent_path() || at.parent_path() == at) break;
    at = at.parent_path();
  }
  all.resize(std::min(all.size(), layout));
  return all;
}

}  // namespace

std::string Sidecar::where() const {
  if (files.empty()) return "sidecar";
  if (files.size() == 1) return files.front();
  return fmt::format("{} (and {} more)", files.front(), files.size() - 1);
}

std::vector<std::string> find_sidecars(const fs::path& file) {
  std::error_code error;
  const fs::path absolute = fs::absolute(file, error).lexically_normal();
  const BidsName name = parse_bids_name(file.filename().string());
  std::vector<std::string> found;
  // The same name is the nearest of all, whatever the rest of the name looks like.
  std::string stem = file.filename().string();
  const std::string lower = lower_case(stem);
  for (const char* ending : {".nii.gz", ".nii", ".tsv.gz", ".tsv", ".csv", ".tac", ".dft"}) {
    if (lower.ends_with(ending)) {
      stem.resize(stem.size() - std::string_view(ending).size());
      break;
    }
  }
  const fs::path own = file.parent_path() / (stem + ".json");
  if (is_file(own)) found.push_back(own.string());
  if (!name.valid() || name.entities.empty()) return found;

  for (const fs::path& folder : levels(absolute.parent_path())) {
    std::vector<std::pair<std::size_t, std::string>> here;  // number of entities, file
    for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && it != end; it.increment(error)) {
      const std::string file_name = it->path().filename().string();
      if (!file_name.ends_with(".json")) continue;
      const BidsName other = parse_bids_name(file_name);
      if (other.extension != ".json" || other.suffix != name.suffix || !other.within(name)) continue;
      if (fs::path(absolute.parent_path() / (stem + ".json")) == it->path() || !is_file(it->path())) continue;
      here.emplace_back(other.entities.size(), it->path().string());
    }
    std::ranges::sort(here, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (auto& entry : here) found.push_back(std::move(entry.second));
  }
  return found;
}

Sidecar read_sidecar(const std::vector<std::string>& files) {
  const JsonFields fields = JsonFields::read(files);
  Sidecar s;
  s.files = files;
  // Longer lists than this are kept out by the count of frames; the limit is here to give that message, not another.
  constexpr std::size_t most = 100 * kMaxFrames;
  s.frame_times_start = fields.numbers("FrameTimesStart", most);
  s.frame_duration = fields.numbers("FrameDuration", most);
  s.time_zero = fields.text_if_any("TimeZero");
  s.scan_start = fields.number_if_any("ScanStart");
  s.injection_start = fields.number("InjectionStart");
  s.decay_corrected = fields.flag("ImageDecayCorrected", s.warnings);
  s.decay_correction_time = fields.number("ImageDecayCorrectionTime");
  s.units = fields.text("Units");
  s.radionuclide = fields.text("TracerRadionuclide");
  s.tracer = fields.text_if_any("TracerName");
  s.mode_of_administration = fields.text_if_any("ModeOfAdministration");
  s.injected_activity = fields.number_if_any("InjectedRadioactivity");
  s.injected_units = fields.text_if_any("InjectedRadioactivityUnits");
  return s;
}

}  // namespace evident::imaging
