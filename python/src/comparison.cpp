// Runs a comparison while Python stays alive: Ctrl-C, progress, and exceptions of the user's functions.
#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "base/option.hpp"
#include "bindings.hpp"
#include "compare/identity.hpp"
#include "evident/base/error.hpp"
#include "evident/compare/checkpoint.hpp"
#include "evident/compare/compare.hpp"
#include "evident/report/document.hpp"
#include "evident/results/study_files.hpp"
#include "evident/study/study.hpp"
#include "report/output_folder.hpp"
#include "report/study_report.hpp"
#include "run_watched.hpp"
#include "study/identity.hpp"
#include "study/known_models.hpp"
#include "study/read_options.hpp"

namespace evident::python {
namespace {

using Models = std::vector<std::tuple<std::string, double, std::shared_ptr<Model>>>;

struct Finished {
  report::Document document;
  bool whole = false;  ///< settings, prior draws and predictions are in the document
  CompareOptions options = {};
  std::vector<Candidate> candidates = {};  ///< of a study, as far as they are known; those of Python are kept there
  std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();  ///< of what is added to the document

  std::unique_lock<std::mutex> lock() const {
    const nb::gil_scoped_release unlock;  // who adds may call functions of Python
    return std::unique_lock(*mutex);
  }
};

/// How far each run is, for a progress bar.
class Watch final : public CompareObserver {
 public:
  void on_start(std::size_t, std::size_t) override { ++started_; }
  void on_step(std::size_t, std::size_t, const Trace&) override { ++steps_; }
  void on_finish(std::size_t, std::size_t, const Replicate&) override { ++finished_; }
  void on_round(const RoundNotice& next) override { round_ = next.round; }

  std::tuple<std::size_t, std::size_t, std::size_t, std::size_t> state() const {
    return {started_, finished_, steps_, round_};
  }

 private:
  std::atomic<std::size_t> started_ = 0, finished_ = 0, steps_ = 0, round_ = 1;
};

/// Hands the state of a run to Python's function, if there is one.
std::function<void()> show(const nb::object& progress, const Watch& watch) {
  if (progress.is_none()) return {};
  return [&progress, &watch] { progress(nb::cast(watch.state())); };
}

std::vector<UserCalls*> calls_of(const std::vector<Candidate>& candidates) {
  std::vector<UserCalls*> out;
  for (const Candidate& c : candidates)
    if (UserCalls* calls = python::calls_of(*c.model)) out.push_back(calls);
  return out;
}

/// Keyword arguments as settings.
study::Settings settings_of(const nb::dict& options) {
  study::Settings out;
  for (const auto& [name, given] : options) {
    const study::SamplerOption& known = study::sampler_option(nb::cast<std::string>(name));
    study::SettingValue value;
    if (!nb::try_cast(given, value))
      throw InputError(fmt::format("{} cannot be an object of type {}; it takes: {}", option(known.name),
                                   nb::type_name(given.type()).c_str(), values_text(known)));
    out.push_back({std::string(known.name), value});
  }
  return out;
}

std::vector<Candidate> candidates_of(const Models& models) {
  std::vector<Candidate> out;
  for (const auto& [name, weight, model] : models) out.push_back({name, weight, model});
  return out;
}

void warn_of_damage(std::size_t pieces) {
  const nb::gil_scoped_acquire lock;
  const std::string text =
      std::to_string(pieces) + " finished pieces of work were damaged on the disk and are done again";
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0) throw nb::python_error();
}

/// Where a comparison keeps what is done; an empty folder: nowhere.
struct Kept {
  std::string folder = {};
  bool resume = false;
  std::vector<std::pair<std::string, std::string>> facts = {};  ///< what Python knows of functions and data
};

/// Runs with a checkpoint, which is removed at the end. `lost`: its result will not
/// reach the user, who interrupted it or whose function raised an exception.
template <class Run>
Comparison run_kept(const Kept& kept, JournalIdentity identity, CompareOptions& options, const Run& run,
                    const std::function<bool()>& lost) {
  for (const auto& [name, value] : kept.facts) identity.fact(name, value);
  Checkpoint checkpoint({.folder = kept.folder, .resume = kept.resume}, identity);
  if (checkpoint.pieces_done_again() > 0) warn_of_damage(checkpoint.pieces_done_again());
  options.checkpoint = &checkpoint;
  try {
    Comparison result = run();
    options.checkpoint = nullptr;
    if (!lost()) checkpoint.finish();
    return result;
  } catch (const RunError& e) {
    options.checkpoint = nullptr;
    checkpoint.sync();
    throw RunError(fmt::format("{}; what is done is kept in {}: call again with {} to go on", e.message(), kept.folder,
                               option("resume")));
  }
}

Finished compare_models(const Models& models, const study::Settings& settings, const nb::object& progress,
                        const Kept& kept) {
  struct State {
    CompareOptions options;
    std::vector<Candidate> candidates;
    Kept kept;
    Comparison comparison = {};
    Watch watch = {};
  };
  const auto state = std::make_shared<State>();
  state->options = study::options_of(settings);
  state->candidates = candidates_of(models);
  state->kept = kept;
  run_watched(calls_of(state->candidates), show(progress, state->watch), [state](const std::stop_token& stop) {
    State& s = *state;
    const auto run = [&] { return compare(s.candidates, s.options, &s.watch, stop); };
    const auto lost = [&] {
      const std::vector<UserCalls*> calls = calls_of(s.candidates);
      return stop.stop_requested() || std::ranges::any_of(calls, [](const UserCalls* c) { return c->failed(); });
    };
    s.comparison = s.kept.folder.empty()
                       ? run()
                       : run_kept(s.kept, comparison_identity(s.candidates, s.options), s.options, run, lost);
  });
  return {.document = report::Document(std::move(state->comparison), {}), .options = state->options};
}

Finished run_study(const std::string& file, study::Overrides overrides, const nb::object& progress, const Kept& kept) {
  struct State {
    std::string file;
    study::Overrides overrides;
    Kept kept;
    study::Study study = {};
    Comparison comparison = {};
    Watch watch = {};
  };
  const auto state = std::make_shared<State>();
  state->file = file;
  state->overrides = std::move(overrides);
  state->kept = kept;
  run_watched({}, show(progress, state->watch), [state](const std::stop_token& stop) {
    State& s = *state;
    s.overrides.code.stop = stop;
    s.study = study::read_study(s.file, s.overrides);
    const auto run = [&] { return study::run(s.study, &s.watch, stop); };
    const auto lost = [&] { return stop.stop_requested(); };
    s.comparison =
        s.kept.folder.empty() ? run() : run_kept(s.kept, study::study_identity(s.study), s.study.options, run, lost);
  });
  return {.document = report::Document(state->comparison, results::run_info(state->study, state->comparison)),
          .options = state->study.options,
          .candidates = study::known_models(state->study, state->comparison)};
}

/// From a results folder, or from its files.
Finished from_folder(const auto& source) { return {.document = report::Document::read(source), .whole = true}; }

/// Does what may call functions of the candidates' models.
void call_models(const std::vector<Candidate>& candidates, const auto& work) {
  run_watched(
      calls_of(candidates), {}, [&](const std::stop_token&) { work(); }, WhenInterrupted::wait);
}

/// The document with all its parts. `models` are those that Python keeps.
const report::Document& whole_document(Finished& f, const Models& models) {
  const auto lock = f.lock();
  if (!f.whole) {
    const std::vector<Candidate> candidates = models.empty() ? f.candidates : candidates_of(models);
    call_models(candidates, [&] { f.document.add_models(candidates, f.options); });
    f.whole = true;
  }
  return f.document;
}

nb::object draws_of(const Draws* given) {
  if (given == nullptr) return nb::none();
  const Draws& draws = *given;
  nb::dict out;
  out["names"] = nb::cast(draws.names);
  out["values"] = to_array(ConstBlock(draws.values.block()));
  out["weights"] = to_array(std::span<const double>(draws.weights));
  out["log_likelihood"] = to_array(std::span<const double>(draws.log_likelihood));
  out["log_prior"] = to_array(std::span<const double>(draws.log_prior));
  return out;
}

/// The prior draws of the model at `place`, which may be unknown.
nb::object prior_of(const Finished& f, std::size_t place, const std::string& name, std::shared_ptr<Model> model) {
  const auto lock = f.lock();
  if (f.document.prior(place) != nullptr || model == nullptr) return draws_of(f.document.prior(place));
  Draws draws;
  call_models({{name, 1, model}}, [&] { draws = report::prior_draws(name, *model, f.options); });
  return draws_of(&draws);
}

nb::dict trace_of(const report::NumberTable* trace) {
  nb::dict out;
  for (std::size_t j = 0; trace != nullptr && j < trace->names.size(); ++j) {
    const std::string& name = trace->names[j];
    out[nb::str(name.c_str(), name.size())] = to_array(std::span<const double>(trace->columns[j]));
  }
  return out;
}

}  // namespace

void bind_comparison(nb::module_& m) {
  nb::class_<Finished>(m, "Finished", "A finished comparison, as the core has it.")
      .def("json", [](const Finished& f) { return f.document.json(); })
      .def("draws", [](const Finished& f, std::size_t model) { return draws_of(f.document.draws(model)); })
      .def("trace", [](const Finished& f, std::size_t model) { return trace_of(f.document.trace(model)); })
      .def("prior", &prior_of, nb::arg("place"), nb::arg("name"), nb::arg("model").none())
      .def("models",
           [](const Finished& f) {
             nb::dict out;
             for (const Candidate& c : f.candidates)
               out[nb::str(c.name.c_str(), c.name.size())] = nb::cast(std::const_pointer_cast<Model>(c.model));
             return out;
           })
      .def("files", [](Finished& f, const Models& models) { return whole_document(f, models).files(); })
      .def("save",
           [](Finished& f, const Models& models, const std::string& folder) {
             const report::Document& document = whole_document(f, models);
             report::OutputFolder out(folder, true);
             report::write_files(document, out.path());
             out.publish();
           })
      .def("report", [](Finished& f, const Models& models) { return report::study_report(whole_document(f, models)); });
  m.def(
      "compare",
      [](const Models& models, const nb::dict& options, const nb::object& progress, const std::string& checkpoint,
         bool resume, std::vector<std::pair<std::string, std::string>> facts) {
        return compare_models(models, settings_of(options), progress, {checkpoint, resume, std::move(facts)});
      },
      nb::arg("models"), nb::arg("options"), nb::arg("progress").none(), nb::arg("checkpoint") = "",
      nb::arg("resume") = false, nb::arg("facts") = std::vector<std::pair<std::string, std::string>>(),
      "Compares models: (name, weight, model) each. A checkpoint is of the same run when facts are the same.");
  m.def(
      "run_study",
      [](const std::string& file, const nb::dict& options, const std::vector<std::string>& only, bool allow_code,
         bool allow_outside, const nb::object& progress, const std::string& checkpoint, bool resume) {
        const study::Overrides overrides{.settings = settings_of(options),
                                         .models = only,
                                         .code = {.allowed = allow_code, .outside = allow_outside}};
        return run_study(file, overrides, progress, {checkpoint, resume});
      },
      nb::arg("file"), nb::arg("options"), nb::arg("only"), nb::arg("allow_code"), nb::arg("allow_outside"),
      nb::arg("progress").none(), nb::arg("checkpoint") = "", nb::arg("resume") = false, "Runs a study file.");
  m.def("read_folder", [](const std::string& folder) { return from_folder(std::filesystem::path(folder)); });
  m.def("read_files", [](const report::Document::Files& files) { return from_folder(files); });
}

}  // namespace evident::python
