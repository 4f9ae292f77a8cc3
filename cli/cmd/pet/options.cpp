#include "cmd/pet/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "arguments.hpp"
#include "base/option.hpp"
#include "base/suggest.hpp"
#include "evident/base/error.hpp"
#include "imaging/pet/io/bids.hpp"
#include "imaging/pet/io/units.hpp"
#include "output.hpp"
#include "study/sampler_options.hpp"

namespace evident::cli {
namespace {

namespace fs = std::filesystem;
using namespace imaging;

template <class T>
T choice(const char* key, const std::string& word, const std::map<std::string, T>& known) {
  const auto found = known.find(word);
  if (found != known.end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& [name, value] : known) names.push_back(name);
  throw InputError(fmt::format("{}: '{}' is none of {}", option(key), word, fmt::join(names, ", ")));
}

std::vector<std::size_t> model_list(const std::string& text) {
  std::vector<std::size_t> out;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::size_t m = whole_number("models", text.substr(begin, end - begin), 1, 3);
    if (std::ranges::find(out, m) != out.end())
      throw InputError(fmt::format("{}: {} is given twice", option("models"), m));
    out.push_back(m);
    begin = end + 1;
  }
  std::ranges::sort(out);
  return out;
}

/// "500M", "2G", or bytes.
std::uint64_t bytes_of(const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string unit = text.substr(digits);
  const std::uint64_t factor = choice<std::uint64_t>("mem", unit,
                                                     {{"", 1},
                                                      {"K", 1U << 10U},
                                                      {"M", 1U << 20U},
                                                      {"G", 1U << 30U},
                                                      {"KB", 1U << 10U},
                                                      {"MB", 1U << 20U},
                                                      {"GB", 1U << 30U}});
  return whole_number("mem", text.substr(0, digits), 1, std::uint64_t{1} << 40U) * factor;
}

fs::path existing(const char* key, const std::string& file) {
  if (file.empty()) throw InputError(option(key) + " must not be empty");
  std::error_code failed;
  if (!fs::exists(file, failed)) throw InputError(fmt::format("{}: there is no file '{}'", option(key), file));
  return file;
}

/// "sub-01_pet.nii.gz" -> "sub-01"; "scan.nii.gz" -> "scan".
std::string prefix_of(const fs::path& file) {
  std::string name = file.filename().string();
  for (const char* end : {".gz", ".nii", ".tsv", ".csv", ".tac", ".dft", "_pet", "_tacs"})
    if (name.ends_with(end)) name.erase(name.size() - std::string_view(end).size());
  return name.empty() ? "scan" : name;
}

}  // namespace

PetRequest PetCommandOptions::common() const {
  const std::map<std::string, bool> yes_no = {{"yes", true}, {"no", false}, {"true", true}, {"false", false}};
  PetRequest r;
  if (mask_) r.mask = existing("mask", *mask_);
  if (atlas_) r.atlas = existing("atlas", *atlas_);
  if (json_) r.scan.json = existing("json", *json_).string();
  if (frames_) r.scan.frames = existing("frames", *frames_).string();
  if (time_unit_) {
    time_factor(*time_unit_, option("time_unit"));  // refuses what it does not know
    r.scan.time_unit = *time_unit_;
  }
  if (units_) {
    activity_factor(*units_, option("units"));
    r.scan.units = *units_;
  }
  if (nuclide_) {
    decay_constant(*nuclide_, option("nuclide"));
    r.scan.nuclide = *nuclide_;
  }
  if (blood_units_) {
    activity_factor(*blood_units_, option("blood_units"));
    r.blood_units = *blood_units_;
  }
  constexpr double kDay = 86400;
  if (decay_reference_) r.scan.decay_reference = real_number("decay_reference", *decay_reference_, -kDay, kDay, false);
  if (injection_start_) r.scan.injection_start = real_number("injection_start", *injection_start_, -kDay, kDay, false);
  if (decay_corrected_) r.scan.decay_corrected = choice("decay_corrected", *decay_corrected_, yes_no);
  if (model_decay_ && choice("model_decay", *model_decay_, yes_no)) r.scan.target = DecayTarget::uncorrected;
  if (noise_dt_)
    r.scan.noise_dt = choice<NoiseDt>("noise_dt", *noise_dt_,
                                      {{"duration", NoiseDt::duration}, {"midtime-diff", NoiseDt::midtime_diff}});
  if (input_) r.input_function = existing("input_function", *input_).string();
  for (const std::string& file : blood_) r.blood.push_back(existing("blood", file).string());
  r.plasma_from_blood = plasma_from_blood_;
  if (blood_tail_) r.tail_limit = real_number("blood_tail", *blood_tail_, 0, 10, false);
  if (interpolation_) r.spline = choice<bool>("interpolation", *interpolation_, {{"linear", false}, {"spline", true}});
  if (models_) r.models = model_list(*models_);
  if (noise_) r.noise = choice<PetNoise>("noise", *noise_, {{"t", PetNoise::student}, {"normal", PetNoise::normal}});
  if (vb_) r.vb = real_number("vb", *vb_, 0, 0.5, false);
  if (!delay_)
    r.delay.reset();
  else if (*delay_ != "auto")
    r.delay = real_number("delay", *delay_, -300, 300, false);
  if (prior_) r.prior = *prior_;
  if (frame_) r.average_frames = choice<bool>("frame", *frame_, {{"middle", false}, {"average", true}});
  if (preset_)
    r.preset = choice<PetPreset>("preset", *preset_, {{"paper", PetPreset::paper}, {"fast", PetPreset::fast}});
  if (particles_) r.particles = whole_number("particles", *particles_, 2, study::kMaxParticles);
  if (cess_) r.cess = real_number("cess", *cess_, 0, 1, true);
  if (seed_) r.seed = whole_number("seed", *seed_, 0, std::numeric_limits<std::uint64_t>::max());
  if (memory_) r.memory = bytes_of(*memory_);
  if (chunk_) r.chunk = whole_number("chunk", *chunk_, 1, 4096);
  if (fill_) r.fill_zero = choice<bool>("fill", *fill_, {{"nan", false}, {"0", true}});
  r.command = command();
  r.spelling = flag;
  return r;
}

PetRequest PetCommandOptions::one_scan() const {
  PetRequest r = common();
  if (image_) r.image = existing("image", *image_);
  if (tacs_) r.tacs = existing("tacs", *tacs_);
  if (image_ && tacs_)
    throw InputError(fmt::format("{} and {} exclude each other; give one of them", option("image"), option("tacs")));
  if (tacs_ && (mask_ || atlas_))
    throw InputError(
        fmt::format("{} and {} are for images; a table has its regions already", option("mask"), option("atlas")));
  if (image_ && !regions_.empty())
    throw InputError(
        fmt::format("{} is for tables ({}); for images there is {}", option("region"), option("tacs"), option("mask")));
  r.regions = regions_;
  if (!out_ || out_->empty()) throw InputError(option("out", "DIR") + " is needed: the folder for the results");
  r.folder = *out_;
  r.prefix = prefix_of(image_ ? r.image : r.tacs);
  return r;
}

std::vector<PetRequest> PetCommandOptions::bids_scans(std::vector<std::string>& warnings) const {
  if (image_ || tacs_ || out_ || !regions_.empty())
    throw InputError(fmt::format("give either a BIDS data set and a folder, or {} (or {}) and {}, not both",
                                 option("image"), option("tacs"), option("out")));
  if (bids_out_.empty())
    throw InputError(
        "a BIDS data set needs a folder for the results too: evident pet BIDS_ROOT DERIVATIVES participant");
  if (!level_.empty() && level_ != "participant")
    throw InputError(fmt::format("the level must be 'participant', was '{}'", level_));
  const BidsPet found = find_bids_pet(
      bids_root_, {.participants = participants_, .sessions = sessions_, .tracers = tracers_, .runs = runs_});
  warnings = found.warnings;
  std::vector<PetRequest> out;
  for (const BidsPetScan& scan : found.scans) {
    PetRequest r = common();
    r.image = scan.image;
    if (r.blood.empty() && r.input_function.empty()) r.blood = scan.blood;
    r.folder = fs::path(bids_out_) / scan.folder;
    r.prefix = scan.prefix;
    r.derivatives = bids_out_;
    out.push_back(std::move(r));
  }
  return out;
}

std::vector<PetRequest> PetCommandOptions::requests(std::vector<std::string>& warnings) const {
  if (!bids_root_.empty()) return bids_scans(warnings);
  if (!image_ && !tacs_)
    throw InputError(fmt::format("nothing to analyse: give a BIDS data set, or {}, or {}; see 'evident pet --help'",
                                 option("image", "FILE"), option("tacs", "FILE")));
  return {one_scan()};
}

PetRunOptions PetCommandOptions::run() const {
  if (resume_ && force_)
    throw InputError(fmt::format("{} goes on with a run and {} starts it again; give one of them", option("resume"),
                                 option("force")));
  PetRunOptions out{.resume = resume_, .force = force_};
  if (threads_) out.threads = static_cast<unsigned>(whole_number("threads", *threads_, 0, study::kMaxThreads));
  return out;
}

/// What the results depend on, as a command: threads, --resume and the like leave no trace in the files.
std::string PetCommandOptions::command() const {
  std::string out = "evident pet";
  const auto word = [&](const std::string& text) {
    const bool plain = text.find_first_of(" \t\n'\"\\$&|;<>()*?") == std::string::npos && !text.empty();
    out += plain ? " " + text : " '" + text + "'";
  };
  const auto add = [&](const char* name, const std::optional<std::string>& value) {
    if (!value) return;
    word(name);
    word(*value);
  };
  for (const std::string* text : {&bids_root_, &bids_out_, &level_})
    if (!text->empty()) word(*text);
  for (const std::string& id : participants_) add("--participant-label", id);
  for (const std::string& id : sessions_) add("--session-label", id);
  for (const std::string& id : tracers_) add("--tracer-label", id);
  for (const std::string& id : runs_) add("--run-label", id);
  add("--image", image_);
  add("--tacs", tacs_);
  for (const std::string& name : regions_) add("--region", name);
  for (const std::string& file : blood_) add("--blood", file);
  add("--input-function", input_);
  add("--mask", mask_);
  add("--atlas", atlas_);
  add("--json", json_);
  add("--frames", frames_);
  add("--models", models_);
  add("--noise", noise_);
  add("--noise-dt", noise_dt_);
  add("--vb", vb_);
  add("--delay", delay_);
  add("--prior", prior_);
  add("--frame", frame_);
  add("--interpolation", interpolation_);
  add("--model-decay", model_decay_);
  if (plasma_from_blood_) word("--plasma-from-blood");
  add("--blood-tail", blood_tail_);
  add("--blood-units", blood_units_);
  add("--decay-reference", decay_reference_);
  add("--injection-start", injection_start_);
  add("--time-unit", time_unit_);
  add("--units", units_);
  add("--nuclide", nuclide_);
  add("--decay-corrected", decay_corrected_);
  add("--preset", preset_);
  add("--particles", particles_);
  add("--cess", cess_);
  add("--seed", seed_);
  add("--fill", fill_);
  add("--out", out_);
  return out;
}

}  // namespace evident::cli
