// The functions evident_study_*: loading, own models, settings, running.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/version.hpp"
#include "capi/callback_model.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/progress.hpp"
#include "study/read_options.hpp"

namespace evident::capi {
namespace {

constexpr std::size_t kMaxParameters = 100'000, kMaxStudyText = 16u << 20;

/// While it lives the study is running, and nothing else may be done with it.
class Running {
 public:
  explicit Running(evident_study& study) : study_(study) {
    const std::lock_guard lock(study.mutex);
    if (study.running) throw InputError("the study is running; a handle is for one thread at a time");
    study.running = true;
  }
  ~Running() {
    const std::lock_guard lock(study_.mutex);
    study_.running = false;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  evident_study& study_;
};

/// What a thread was told of a study while it was running, which may not change the text of the study itself: another
/// thread may be reading it.
struct Refused {
  std::uint64_t study = 0;
  std::string error;
};
thread_local Refused refused;

/// Calls `f` with the study, which is nobody else's meanwhile.
template <class F>
int with(evident_study* study, F&& f) noexcept {
  if (study == nullptr) return EVIDENT_INPUT_ERROR;
  std::string error;
  const int status = guarded(error, [&] {
    const Running alone(*study);
    f(*study);
  });
  const std::lock_guard lock(study->mutex);
  if (study->running) {  // a callback called, or another thread; the run will have the last word
    refused.error.swap(error);
    refused.study = study->number;
  } else {
    if (refused.study == study->number) refused.study = 0;
    study->error.swap(error);
  }
  return status;
}

void set(evident_study& s, const std::string& key, const std::string& value) {
  const study::SamplerOption& option = study::sampler_option(key);
  if (value.find_first_of("\r\n") != std::string::npos) throw InputError(evident::option(key) + " must be one value");
  std::erase_if(s.settings, [&](const study::Setting& setting) { return setting.key == key; });
  s.settings.push_back(setting_of_text(option, value));
}

void read(evident_study& s) {
  const study::Overrides overrides{
      .settings = s.settings, .code = {.allowed = s.code_allowed, .outside = s.outside_allowed, .stop = s.token()}};
  s.loaded = s.text ? study::parse_study(*s.text, *s.file, overrides) : study::read_study(*s.file, overrides);
}

void load(evident_study& s, std::string file, std::optional<std::string> text) {
  if (!s.own.empty()) throw InputError("the study has models of its own; load into a new one");
  if (s.file) throw InputError(fmt::format("the study is loaded already, from {}", *s.file));
  if (file.empty()) throw InputError("the name of the study's file is empty");
  s.file = std::move(file);
  s.text = std::move(text);
  try {
    read(s);
  } catch (...) {
    s.file.reset();
    s.text.reset();
    throw;
  }
}

ParameterSpace space_of(const evident_parameter* parameters, std::size_t count) {
  if (parameters == nullptr || count == 0) throw InputError("a model needs parameters");
  if (count > kMaxParameters)
    throw InputError(fmt::format("a model may have up to {} parameters, not {}", kMaxParameters, count));
  ParameterSpace out;
  for (std::size_t j = 0; j < count; ++j) {
    const std::string name = required(parameters[j].name, fmt::format("the name of parameter {}", j));
    const std::string prior = required(parameters[j].prior, fmt::format("the prior of '{}'", name));
    if (name.empty()) throw InputError(fmt::format("the name of parameter {} is empty", j));
    try {
      out.add(name, parse_distribution(prior));
    } catch (const InputError& e) {
      throw InputError(fmt::format("prior of '{}': {}", name, e.message()));
    }
  }
  return out;
}

void add_model(evident_study& s, std::string name, double weight, ParameterSpace space,
               const evident_functions* functions) {
  if (s.file) throw InputError("the study was loaded; models of your own need a new one");
  if (functions == nullptr) throw InputError("functions is NULL");
  if (name.empty()) throw InputError("the name of a model is empty");
  for (const Candidate& c : s.own)
    if (c.name == name) throw InputError(fmt::format("two models are called '{}'", name));
  if (!(weight >= 0) || weight > 1e300) throw InputError(fmt::format("weight must be 0 or more, was {}", weight));
  std::shared_ptr<const Model> model = callback_model(std::move(space), *functions);
  s.own.push_back({.name = std::move(name), .weight = weight, .model = std::move(model), .smc = {}});
}

/// The study as it is to be run.
study::Study prepared(evident_study& s) {
  if (s.file) {
    if (!s.loaded) read(s);
    return *s.loaded;
  }
  if (s.own.empty()) throw InputError("the study is empty; load one, or add models to it");
  study::Study out{};
  out.options = study::options_of(s.settings);
  for (const Candidate& c : s.own) out.models.push_back({"callback", c});
  return out;
}

std::unique_ptr<evident_result> run(evident_study& s) {
  // A cancel that comes before the run ends it; one that comes later is for the next. What was loaded may have programs
  // that know the old token, so it is read anew.
  const std::stop_token stop = s.token();
  const std::shared_ptr<void> fresh_stop(nullptr, [&](void*) {
    const std::lock_guard lock(s.mutex);
    if (!s.stop.stop_requested()) return;
    s.stop = std::stop_source();
    s.loaded.reset();
  });
  const auto check = [&] {
    if (stop.stop_requested()) throw Cancelled("the run was cancelled");
  };
  check();
  try {
    auto out = std::make_unique<evident_result>();
    out->study = prepared(s);
    std::unique_ptr<Progress> progress;
    if (s.progress != nullptr) progress = std::make_unique<Progress>(out->study, s.progress, s.progress_user, s.stop);
    out->comparison = study::run(out->study, progress.get(), stop);
    check();
    return out;
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception&) {
    check();  // a stop looks like a failed run
    throw;
  }
}

}  // namespace
}  // namespace evident::capi

using namespace evident::capi;

extern "C" {

int evident_abi(void) { return EVIDENT_ABI; }

const char* evident_version(void) {
  static const std::string text = or_else(std::string(), [] { return std::string(evident::version()); });
  return text.c_str();
}

evident_study* evident_study_new(void) {
  return or_else<evident_study*>(nullptr, [] { return std::make_unique<evident_study>().release(); });
}

void evident_study_free(evident_study* study) { delete study; }

const char* evident_study_error(const evident_study* study) {
  if (study == nullptr) return "the study is NULL";
  return refused.study == study->number ? refused.error.c_str() : study->error.c_str();
}

int evident_study_set(evident_study* study, const char* key, const char* value) {
  return with(study, [&](evident_study& s) {
    set(s, required(key, "key"), required(value, "value"));
    s.loaded.reset();
  });
}

int evident_study_allow_code(evident_study* study, int allowed) {
  return with(study, [&](evident_study& s) {
    s.code_allowed = allowed != 0;
    s.loaded.reset();
  });
}

int evident_study_allow_outside(evident_study* study, int allowed) {
  return with(study, [&](evident_study& s) {
    s.outside_allowed = allowed != 0;
    s.loaded.reset();
  });
}

int evident_study_load(evident_study* study, const char* file) {
  return with(study, [&](evident_study& s) { load(s, required(file, "file"), {}); });
}

int evident_study_load_text(evident_study* study, const char* text, const char* file) {
  return with(study, [&](evident_study& s) { load(s, required(file, "file"), required(text, "text", kMaxStudyText)); });
}

int evident_study_add_model(evident_study* study, const char* name, double weight, const evident_parameter* parameters,
                            size_t parameter_count, const evident_functions* functions) {
  return with(study, [&](evident_study& s) {
    add_model(s, required(name, "name"), weight, space_of(parameters, parameter_count), functions);
  });
}

int evident_study_on_progress(evident_study* study, evident_progress_function function, void* user) {
  return with(study, [&](evident_study& s) { s.progress = function, s.progress_user = user; });
}

int evident_study_run(evident_study* study, evident_result** result) {
  if (result != nullptr) *result = nullptr;
  return with(study, [&](evident_study& s) {
    if (result == nullptr) throw evident::InputError("result is NULL");
    *result = run(s).release();
  });
}

void evident_study_cancel(evident_study* study) {
  if (study == nullptr) return;
  try {
    std::unique_lock lock(study->mutex);
    std::stop_source stop = study->stop;
    lock.unlock();
    stop.request_stop();
  } catch (...) {
  }
}

}  // extern "C"
