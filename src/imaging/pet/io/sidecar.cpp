#include "imaging/pet/io/sidecar.hpp"

#include <fmt/format.h>

#include "imaging/pet/io/inheritance.hpp"
#include "imaging/pet/io/json_fields.hpp"

namespace evident::imaging {

std::string Sidecar::where() const {
  if (files.empty()) return "sidecar";
  if (files.size() == 1) return files.front();
  return fmt::format("{} (and {} more)", files.front(), files.size() - 1);
}

std::vector<std::string> find_sidecars(const std::filesystem::path& image) { return applicable_json(image); }

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
