// The options of `evident pet` as its help shows them: in groups, in lines of 80 characters.
#include <string_view>

#include "choices.hpp"
#include "cmd/pet/options.hpp"

namespace evident::cli {
namespace {

constexpr std::size_t kWidth = 52;  // of the help's second column

std::string wrapped(std::string_view text) {
  std::string out;
  while (text.size() > kWidth) {
    const std::size_t space = text.rfind(' ', kWidth);
    if (space == std::string_view::npos) break;
    out += std::string(text.substr(0, space)) + "\n";
    text.remove_prefix(space + 1);
  }
  return out + std::string(text);
}

/// Declares the options of one group.
class Group {
 public:
  Group(CLI::App& app, std::string name) : app_(app), name_(std::move(name)) {}

  template <class T>
  void value(const char* option, T& target, const char* kind, std::string_view text) {
    app_.add_option(option, target, wrapped(text))->type_name(kind)->group(name_);
  }
  /// One of a few words.
  template <class T>
  void choice(const char* option, T& target, const char* kind, const std::vector<std::string>& words,
              std::string_view text) {
    offer(app_.add_option(option, target, wrapped(text)), words)->type_name(kind)->group(name_);
  }
  /// May be given several times, with one value each.
  void list(const char* option, std::vector<std::string>& target, const char* kind, std::string_view text) {
    app_.add_option(option, target, wrapped(text))->type_name(kind)->group(name_)->expected(1)->take_all();
  }
  void flag(const char* option, bool& target, std::string_view text) {
    app_.add_flag(option, target, wrapped(text))->group(name_);
  }

 private:
  CLI::App& app_;
  std::string name_;
};

}  // namespace

void PetCommandOptions::declare(CLI::App& app) {
  app.add_option("BIDS_ROOT", bids_root_, "a BIDS data set")->type_name(" ");
  app.add_option("DERIVATIVES", bids_out_, "folder for the results of a data set")->type_name(" ");
  offer(app.add_option("LEVEL", level_, "of the analysis: participant"), {"participant"})->type_name(" ");

  Group bids(app, "A BIDS data set (these may be given several times)");
  bids.list("--participant-label", participants_, "ID", "only this participant");
  bids.list("--session-label", sessions_, "ID", "only this session");
  bids.list("--tracer-label", tracers_, "ID", "only this tracer");
  bids.list("--run-label", runs_, "ID", "only this run");

  Group scan(app, "One scan, or a table of regions");
  scan.value("--image", image_, "FILE", "a dynamic image, NIfTI; its sidecar is found beside it");
  scan.value("--tacs", tacs_, "FILE", "curves of regions instead: BIDS .tsv, PMOD .tac, Turku .dft, CSV");
  scan.list("--region", regions_, "NAME", "only this region of the table; may be given several times");
  scan.value("--out", out_, "DIR", "folder for the results");

  Group files(app, "Files");
  files.list("--blood", blood_, "FILE",
             "blood samples, BIDS .tsv or PMOD; may be given several times: manual and autosampler are merged");
  files.value("--input-function", input_, "FILE", "a finished input function instead of blood samples");
  files.flag("--plasma-from-blood", plasma_from_blood_, "take whole blood for plasma");
  files.value("--mask", mask_, "FILE", "voxels to fit (default: the bright ones)");
  files.value("--atlas", atlas_, "FILE", "labels, for a table of regions");
  files.value("--json", json_, "FILE", "sidecar, when it is not beside the image");
  files.value("--frames", frames_, "FILE", "table of frame starts and durations, instead of the sidecar's");

  Group silent(app, "Where the files say nothing");
  silent.value("--units", units_, "UNIT", "of the image or table, such as Bq/mL");
  silent.value("--blood-units", blood_units_, "UNIT", "of the blood, such as kBq/mL");
  silent.choice("--time-unit", time_unit_, "UNIT", {"s", "min"}, "s or min");
  silent.value("--nuclide", nuclide_, "NAME", "radionuclide, such as C11; none: no decay");
  silent.choice("--decay-corrected", decay_corrected_, "YES/NO", {"yes", "no"},
                "whether the values are corrected for decay");
  silent.value("--decay-reference", decay_reference_, "S", "the time they are corrected to, in s after time zero");
  silent.value("--injection-start", injection_start_, "S", "time of the injection, in s after time zero");

  Group model(app, "Model");
  model.value("--models", models_, "LIST", "compartments to compare (default 1,2,3)");
  model.choice("--prior", prior_, "NAME", {"wide", "zhou2013-n", "zhou2013-i"},
               "wide (default), zhou2013-n, zhou2013-i or a TOML file");
  model.choice("--noise", noise_, "KIND", {"t", "normal"}, "t or normal (default: that of the prior)");
  model.choice("--noise-dt", noise_dt_, "KIND", {"duration", "midtime-diff"},
               "what a frame's variance is divided by: duration (default) or midtime-diff");
  model.value("--vb", vb_, "X", "blood volume, a fixed fraction (default 0)");
  model.choice("--delay", delay_, "S", {"auto"}, "seconds from blood to tissue, or auto (default)");
  model.choice("--frame", frame_, "KIND", {"average", "middle"},
               "what is predicted of a frame: average (default, where durations are known) or middle");
  model.choice("--interpolation", interpolation_, "KIND", {"linear", "spline"},
               "of the input: linear (default) or spline");
  model.choice("--model-decay", model_decay_, "YES/NO", {"yes", "no"},
               "yes: fit data as counted, not corrected for decay (default no)");
  model.value("--blood-tail", blood_tail_, "X", "share of the scan that blood may be extrapolated (default 0.2)");

  Group sampler(app, "Sampler");
  sampler.choice("--preset", preset_, "NAME", {"paper", "fast"}, "paper (default: 1000 particles, CESS 0.999) or fast");
  sampler.value("--particles", particles_, "N", "particles of each run");
  sampler.value("--cess", cess_, "X", "conditional effective sample size to keep at each step, in (0, 1)");
  sampler.value("--seed", seed_, "S", "seed of the random numbers (default 1)");

  Group running(app, "Running");
  running.flag("--dry-run", dry_run_, "tell what was understood and how long it will take; write nothing");
  running.flag("--resume", resume_, "go on with a run that was stopped");
  running.flag("--force", force_, "replace the results of an earlier run");
  running.choice("--fill", fill_, "X", {"nan", "0"}, "value of maps outside of the mask: nan (default) or 0");
  running.value("--threads,--nthreads", threads_, "K", "0 = one per core (default); results do not depend on it");
  running.value("--mem", memory_, "SIZE", "memory that may be used, such as 2G");
  running.value("--chunk", chunk_, "N", "curves that are saved together (default 32 voxels, 1 region)");
  running.flag("--quiet", quiet_, "no progress on standard error");
}

}  // namespace evident::cli
