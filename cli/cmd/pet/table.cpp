#include "cmd/pet/table.hpp"

#include <array>
#include <limits>

#include "arguments.hpp"
#include "base/option.hpp"
#include "base/words.hpp"
#include "cmd/pet/values.hpp"
#include "imaging/pet/io/units.hpp"
#include "study/sampler_options.hpp"

namespace evident::cli {
namespace {

using namespace imaging;
using enum PetFor;

constexpr double kDay = 86400;

constexpr Words<PetNoise, 2> kNoises = {{{"t", PetNoise::student}, {"normal", PetNoise::normal}}};
constexpr Words<NoiseDt, 2> kNoiseDts = {{{"duration", NoiseDt::duration}, {"midtime-diff", NoiseDt::midtime_diff}}};
constexpr Words<bool, 2> kFrames = {{{"average", true}, {"middle", false}}};
constexpr Words<bool, 2> kInterpolations = {{{"linear", false}, {"spline", true}}};
constexpr Words<PetPreset, 2> kPresets = {{{"paper", PetPreset::paper}, {"fast", PetPreset::fast}}};
constexpr Words<bool, 2> kFills = {{{"nan", false}, {"0", true}}};
constexpr std::array<std::string_view, 2> kTimeUnits = {"s", "min"};
constexpr std::array<std::string_view, 3> kPriors = {"wide", "zhou2013-n", "zhou2013-i"};
constexpr std::array<std::string_view, 1> kDelays = {"auto"};

// Setters of a member that stands alone.
template <auto member, class T>
void of_request(PetCommand& c, T value) {
  c.request.*member = value;
}
template <auto member, class T>
void of_scan(PetCommand& c, T value) {
  c.request.scan.*member = value;
}
template <auto member, class T>
void added_to_request(PetCommand& c, T value) {
  (c.request.*member).push_back(value);
}
template <auto member>
void added_to_query(PetCommand& c, const std::string& label) {
  (c.query.*member).push_back(label);
}
template <const auto& words, auto member>
void word_of_request(PetCommand& c, std::string_view word) {
  c.request.*member = meaning(words, word);
}
void set_noise_dt(PetCommand& c, std::string_view word) { c.request.scan.noise_dt = meaning(kNoiseDts, word); }

// Units are looked up to refuse what is not known.
void set_units(PetCommand& c, const std::string& unit) {
  activity_factor(unit, option("units"));
  c.request.scan.units = unit;
}
void set_blood_units(PetCommand& c, const std::string& unit) {
  activity_factor(unit, option("blood_units"));
  c.request.blood_units = unit;
}
void set_time_unit(PetCommand& c, const std::string& unit) {
  time_factor(unit, option("time_unit"));
  c.request.scan.time_unit = unit;
}
void set_nuclide(PetCommand& c, const std::string& name) {
  decay_constant(name, option("nuclide"));
  c.request.scan.nuclide = name;
}

void set_model_decay(PetCommand& c, bool yes) {
  c.request.scan.target = yes ? DecayTarget::uncorrected : DecayTarget::corrected;
}
void set_delay(PetCommand& c, const std::string& text) {
  if (text != "auto") c.request.delay = real_number("delay", text, -300, 300, false);
}

std::vector<PetOption> of_data_set() {
  return {
      {"participant_label", "ID", PetText{"str", added_to_query<&BidsQuery::participants>}, "only this participant",
       true, program},
      {"session_label", "ID", PetText{"str", added_to_query<&BidsQuery::sessions>}, "only this session", true, program},
      {"tracer_label", "ID", PetText{"str", added_to_query<&BidsQuery::tracers>}, "only this tracer", true, program},
      {"run_label", "ID", PetText{"str", added_to_query<&BidsQuery::runs>}, "only this run", true, program},
  };
}

std::vector<PetOption> of_one_scan() {
  return {
      {"image", "FILE", PetFile{of_request<&PetRequest::image>},
       "a dynamic image, NIfTI; its sidecar is found beside it", false, program},
      {"tacs", "FILE", PetFile{of_request<&PetRequest::tacs>},
       "curves of regions instead: BIDS .tsv, PMOD .tac, Turku .dft, CSV", false, program},
      {"region", "NAME", PetText{"str", added_to_request<&PetRequest::regions>},
       "only this region of the table; may be given several times", true, program},
      {"out", "DIR", PetText{"str", of_request<&PetRequest::folder>}, "folder for the results", false, program},
  };
}

std::vector<PetOption> of_files() {
  return {
      {"blood", "FILE",
       PetFile{[](PetCommand& c, const std::filesystem::path& file) { c.request.blood.push_back(file.string()); }},
       "blood samples, BIDS .tsv or PMOD; may be given several times: manual and autosampler are merged", true,
       program},
      {"input_function", "FILE", PetFile{of_request<&PetRequest::input_function>},
       "a finished input function instead of blood samples"},
      {"plasma_from_blood", "", PetSwitch{[](PetCommand& c) { c.request.plasma_from_blood = true; }},
       "take whole blood for plasma"},
      {"mask", "FILE", PetFile{of_request<&PetRequest::mask>}, "voxels to fit (default: the bright ones)", false,
       program},
      {"atlas", "FILE", PetFile{of_request<&PetRequest::atlas>}, "labels, for a table of regions", false, program},
      {"json", "FILE", PetFile{of_scan<&ScanOptions::json>}, "sidecar, when it is not beside the image", false,
       program},
      {"frames", "FILE", PetFile{of_scan<&ScanOptions::frames>},
       "table of frame starts and durations, instead of the sidecar's"},
  };
}

std::vector<PetOption> of_silent_files() {
  return {
      {"units", "UNIT", PetText{"str", set_units}, "of the image or table, such as Bq/mL"},
      {"blood_units", "UNIT", PetText{"str", set_blood_units}, "of the blood, such as kBq/mL"},
      {"time_unit", "UNIT", PetText{"str", set_time_unit, kTimeUnits}, "s or min"},
      {"nuclide", "NAME", PetText{"str", set_nuclide}, "radionuclide, such as C11; none: no decay"},
      {"decay_corrected", "YES/NO", PetYesNo{of_scan<&ScanOptions::decay_corrected>},
       "whether the values are corrected for decay"},
      {"decay_reference", "S", PetNumber{-kDay, kDay, of_scan<&ScanOptions::decay_reference>},
       "the time they are corrected to, in s after time zero"},
      {"injection_start", "S", PetNumber{-kDay, kDay, of_scan<&ScanOptions::injection_start>},
       "time of the injection, in s after time zero"},
  };
}

std::vector<PetOption> of_model() {
  return {
      {"models", "LIST",
       PetText{"Union[str, Sequence[int]]",
               [](PetCommand& c, const std::string& text) { c.request.models = model_list(text); }},
       "compartments to compare (default 1,2,3)"},
      {"prior", "NAME", PetText{"Union[str, PathLike]", of_request<&PetRequest::prior>, kPriors},
       "wide (default), zhou2013-n, zhou2013-i or a TOML file"},
      {"noise", "KIND", PetWord{names<kNoises>(), word_of_request<kNoises, &PetRequest::noise>},
       "t or normal (default: that of the prior)"},
      {"noise_dt", "KIND", PetWord{names<kNoiseDts>(), set_noise_dt},
       "what a frame's variance is divided by: duration (default) or midtime-diff"},
      {"vb", "X", PetNumber{0, 0.5, of_request<&PetRequest::vb>}, "blood volume, a fixed fraction (default 0)"},
      {"delay", "S", PetText{"Union[float, Literal[\"auto\"]]", set_delay, kDelays},
       "seconds from blood to tissue, or auto (default)"},
      {"frame", "KIND", PetWord{names<kFrames>(), word_of_request<kFrames, &PetRequest::average_frames>},
       "what is predicted of a frame: average (default, where durations are known) or middle"},
      {"interpolation", "KIND",
       PetWord{names<kInterpolations>(), word_of_request<kInterpolations, &PetRequest::spline>},
       "of the input: linear (default) or spline"},
      {"model_decay", "YES/NO", PetYesNo{set_model_decay},
       "yes: fit data as counted, not corrected for decay (default no)"},
      {"blood_tail", "X", PetNumber{0, 10, of_request<&PetRequest::tail_limit>},
       "share of the scan that blood may be extrapolated (default 0.2)"},
  };
}

std::vector<PetOption> of_sampler() {
  return {
      {"preset", "NAME", PetWord{names<kPresets>(), word_of_request<kPresets, &PetRequest::preset>},
       "paper (default: 1000 particles, CESS 0.999) or fast"},
      {"particles", "N", PetWholeNumber{2, study::kMaxParticles, of_request<&PetRequest::particles>},
       "particles of each run"},
      {"cess", "X", PetNumber{0, 1, of_request<&PetRequest::cess>, true},
       "conditional effective sample size to keep at each step, in (0, 1)"},
      {"seed", "S", PetWholeNumber{0, std::numeric_limits<std::uint64_t>::max(), of_request<&PetRequest::seed>},
       "seed of the random numbers (default 1)"},
  };
}

std::vector<PetOption> of_running() {
  return {
      {"dry_run", "", PetSwitch{[](PetCommand& c) { c.dry_run = true; }},
       "tell what was understood and how long it will take; write nothing", false, program},
      {"resume", "", PetSwitch{[](PetCommand& c) { c.resume = true; }},
       "go on with a run that was stopped, if there is one; keep what is done"},
      {"force", "", PetSwitch{[](PetCommand& c) { c.force = true; }}, "replace the results of an earlier run"},
      {"fill", "X", PetWord{names<kFills>(), word_of_request<kFills, &PetRequest::fill_zero>},
       "value of maps outside of the mask: nan (default) or 0"},
      {"threads", "K",
       PetWholeNumber{0, study::kMaxThreads,
                      [](PetCommand& c, std::uint64_t n) { c.threads = static_cast<unsigned>(n); }},
       "0 = one per core (default); results do not depend on it"},
      {"mem", "SIZE",
       PetText{"Union[int, str]",
               [](PetCommand& c, const std::string& text) { c.request.memory = bytes_of("mem", text); }},
       "memory that may be used, such as 2G"},
      {"chunk", "N", PetWholeNumber{1, 4096, of_request<&PetRequest::chunk>},
       "curves that are saved together (default 32 voxels, 1 region)"},
      {"quiet", "", PetSwitch{[](PetCommand& c) { c.quiet = true; }}, "no progress on standard error", false, program},
  };
}

}  // namespace

const std::vector<PetGroup>& pet_options() {
  static const std::vector<PetGroup> groups = {
      {"A BIDS data set (these may be given several times)", of_data_set()},
      {"One scan, or a table of regions", of_one_scan()},
      {"Files", of_files()},
      {"Where the files say nothing", of_silent_files()},
      {"Model", of_model()},
      {"Sampler", of_sampler()},
      {"Running", of_running()},
  };
  return groups;
}

}  // namespace evident::cli
