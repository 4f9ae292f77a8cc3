#include "external/library.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <filesystem>
#include <mutex>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/dist/distribution.hpp"
#include "evident/external/model.h"
#include "external/dynamic_library.hpp"
#include "external/inside_library.hpp"

namespace evident::external {
namespace {

constexpr std::size_t kMaxParameters = 100'000, kMaxText = 10'000, kMaxObserved = 100;

/// A text of the library, which may be null, long or without an end within reason.
std::string bounded(const char* text) {
  if (text == nullptr) return {};
  std::size_t size = 0;
  while (size < kMaxText && text[size] != '\0') ++size;
  return {text, size};
}

/// The functions of the interface; null where the library has none.
struct Functions {
  explicit Functions(const std::string& file) : library(file) {
    const auto abi = required<decltype(evident_model_abi)>("evident_model_abi");
    if (const int found = abi(); found != EVIDENT_MODEL_ABI)
      throw InputError(fmt::format(
          "the library was built for version {} of the interface, and this program has version {}; build it "
          "again with the header of this program",
          found, EVIDENT_MODEL_ABI));
    create = required<decltype(evident_model_create)>("evident_model_create");
    destroy = required<decltype(evident_model_destroy)>("evident_model_destroy");
    log_likelihood = required<decltype(evident_model_log_likelihood)>("evident_model_log_likelihood");
    find(last_error, "evident_model_last_error");
    find(parameter_count, "evident_model_parameter_count");
    find(parameter_name, "evident_model_parameter_name");
    find(parameter_prior, "evident_model_parameter_prior");
    find(gradient, "evident_model_gradient");
    find(observation_count, "evident_model_observation_count");
    find(observed, "evident_model_observed");
    find(draw, "evident_model_draw");
    find(predict, "evident_model_predict");
  }

  std::string error() const {
    const std::string text = last_error != nullptr ? bounded(last_error()) : "";
    return text.empty() ? "the library gave no reason" : text;
  }

  DynamicLibrary library;
  decltype(&evident_model_create) create = nullptr;
  decltype(&evident_model_destroy) destroy = nullptr;
  decltype(&evident_model_log_likelihood) log_likelihood = nullptr;
  decltype(&evident_model_last_error) last_error = nullptr;
  decltype(&evident_model_parameter_count) parameter_count = nullptr;
  decltype(&evident_model_parameter_name) parameter_name = nullptr;
  decltype(&evident_model_parameter_prior) parameter_prior = nullptr;
  decltype(&evident_model_gradient) gradient = nullptr;
  decltype(&evident_model_observation_count) observation_count = nullptr;
  decltype(&evident_model_observed) observed = nullptr;
  decltype(&evident_model_draw) draw = nullptr;
  decltype(&evident_model_predict) predict = nullptr;

 private:
  template <class Function>
  Function* required(const char* name) const {
    Function* found = library.find<Function>(name);
    if (found == nullptr)
      throw InputError(fmt::format("the library has no function {}; see evident/external/model.h", name));
    return found;
  }
  template <class Function>
  void find(Function*& out, const char* name) {
    out = library.find<Function>(name);
  }
};

/// Whatever a library written in C++ throws must not look like an error of evident's own.
template <class F>
auto contained(const std::string& file, std::string_view what, F&& f) {
  const InsideLibrary inside(file, what);
  try {
    return f();
  } catch (const std::exception& e) {
    throw FatalError(fmt::format("the library threw an exception {}: {}", what, e.what()));
  } catch (...) {
    throw FatalError(fmt::format("the library threw an exception {}", what));
  }
}

class LibraryModel final : public Model {
 public:
  explicit LibraryModel(LibraryOptions options) : options_(std::move(options)), library_(loaded(options_.file)) {
    const InsideLibrary inside(options_.file, "while the model was made");
    space_ = options_.parameters;
    prepare_setup();
    try {
      model_ = contained(options_.file, "while it made the model", [&] { return library_.create(&setup_); });
    } catch (const RunError& e) {
      throw InputError(e.message());
    }
    if (model_ == nullptr) throw InputError(fmt::format("the library made no model: {}", library_.error()));
    try {
      if (space_.size() == 0) ask_parameters();
      if (library_.observed != nullptr) ask_observed();
    } catch (...) {
      library_.destroy(model_);
      throw;
    }
  }
  ~LibraryModel() override {
    const InsideLibrary inside(options_.file, "in evident_model_destroy");
    library_.destroy(model_);
  }
  LibraryModel(const LibraryModel&) = delete;
  LibraryModel& operator=(const LibraryModel&) = delete;

  const ParameterSpace& parameters() const override { return space_; }

  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    std::ranges::fill(out, kNaN);  // what the library leaves out is no number
    call("in evident_model_log_likelihood",
         [&] { return library_.log_likelihood(model_, theta.data(), theta.stride(), theta.size(), out.data()); });
    for (double& v : out)
      if (v == kInf) v = kNaN;
  }

  bool has_gradient() const override { return library_.gradient != nullptr; }
  void gradient(ConstBlock theta, Block d_log_prior, Block d_log_likelihood) const override {
    space_.gradient(theta, d_log_prior);
    fill(d_log_likelihood);
    call("in evident_model_gradient", [&] {
      return library_.gradient(model_, theta.data(), theta.stride(), theta.size(), d_log_likelihood.data(),
                               d_log_likelihood.stride());
    });
  }

  std::size_t observation_count() const override {
    if (observations_ > 0) return observations_;
    return library_.observation_count != nullptr ? library_.observation_count(model_) : 0;
  }
  std::vector<Observed> observed() const override { return observed_; }

  void draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first, Block out) const override {
    std::vector<std::uint64_t> seeds(theta.size());
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      const auto particle = static_cast<std::uint32_t>(first + i);
      seeds[i] = streams.at({.particle = particle, .purpose = Purpose::simulate}).bits();
    }
    fill(out);
    call("in evident_model_draw", [&] {
      return library_.draw(model_, theta.data(), theta.stride(), theta.size(), seeds.data(), out.data(), out.stride());
    });
  }

  void predict(ConstBlock theta, Block out) const override {
    fill(out);
    if (library_.predict == nullptr) return;
    call("in evident_model_predict", [&] {
      return library_.predict(model_, theta.data(), theta.stride(), theta.size(), out.data(), out.stride());
    });
  }

 private:
  static Functions loaded(const std::string& file) {
    const InsideLibrary inside(file, "while it was loaded");
    InsideLibrary::watch_for_exit();
    Functions out(file);
    InsideLibrary::watch_for_exit();
    return out;
  }

  void prepare_setup() {
    for (const TextOption& o : options_.options) c_options_.push_back({o.name.c_str(), o.text.c_str()});
    for (const DataColumn& c : options_.columns)
      c_columns_.push_back({c.name.c_str(), c.values.data(), c.values.size()});
    for (const std::string& name : space_.names()) c_parameters_.push_back(name.c_str());
    setup_ = {.size = sizeof setup_,
              .folder = options_.folder.c_str(),
              .options = c_options_.data(),
              .option_count = c_options_.size(),
              .columns = c_columns_.data(),
              .column_count = c_columns_.size(),
              .parameters = c_parameters_.data(),
              .parameter_count = c_parameters_.size()};
  }

  void ask_parameters() {
    if (library_.parameter_count == nullptr || library_.parameter_name == nullptr ||
        library_.parameter_prior == nullptr)
      throw InputError(
          "the library tells no parameters; write [model.parameters] below the model, as in mu = "
          "\"normal(0, 10)\"");
    const std::size_t count = library_.parameter_count(model_);
    if (count == 0 || count > kMaxParameters)
      throw InputError(fmt::format("the library tells {} parameters; 1 to {} are possible", count, kMaxParameters));
    for (std::size_t j = 0; j < count; ++j) {
      const std::string name = bounded(library_.parameter_name(model_, j));
      const std::string prior = bounded(library_.parameter_prior(model_, j));
      if (name.empty()) throw InputError(fmt::format("the library gives parameter {} no name", j + 1));
      try {
        space_.add(name, parse_distribution(prior));
      } catch (const InputError& e) {
        throw InputError(fmt::format("the library's prior of '{}': {}", name, e.message()));
      }
    }
  }

  void ask_observed() {
    if (library_.draw == nullptr)
      throw InputError("the library has evident_model_observed, but no evident_model_draw; it needs both or neither");
    const evident_observed* tables = nullptr;
    const std::size_t count = library_.observed(model_, &tables);
    if (count > kMaxObserved || (count > 0 && tables == nullptr))
      throw InputError(
          fmt::format("the library tells {} tables of observations; 0 to {} are possible", count, kMaxObserved));
    for (std::size_t k = 0; k < count; ++k) {
      const evident_observed& t = tables[k];
      if (t.values == nullptr && t.size > 0) throw InputError("the library tells observations without values");
      Observed out{.name = bounded(t.name), .axis_name = bounded(t.axis_name), .discrete = t.discrete != 0};
      out.values.assign(t.values, t.values + t.size);
      if (t.axis != nullptr) out.axis.assign(t.axis, t.axis + t.size);
      observations_ += t.size;
      observed_.push_back(std::move(out));
    }
  }

  template <class F>
  void call(std::string_view where, F&& f) const {
    std::unique_lock lock(one_at_a_time_, std::defer_lock);
    if (options_.serial) lock.lock();
    const int status = contained(options_.file, where, f);
    if (status != 0)
      throw FatalError(fmt::format("the library {} failed {}: {}",
                                   std::filesystem::path(options_.file).filename().string(), where, library_.error()));
  }

  static void fill(Block out) {
    for (std::size_t r = 0; r < out.rows(); ++r) std::ranges::fill(out.row(r), kNaN);
  }

  LibraryOptions options_;
  Functions library_;
  ParameterSpace space_;
  std::vector<evident_option> c_options_;
  std::vector<evident_column> c_columns_;
  std::vector<const char*> c_parameters_;
  evident_setup setup_{};
  evident_model* model_ = nullptr;
  std::vector<Observed> observed_;
  std::size_t observations_ = 0;
  mutable std::mutex one_at_a_time_;
};

}  // namespace

std::shared_ptr<const Model> load_library(LibraryOptions options) {
  return std::make_shared<const LibraryModel>(std::move(options));
}

}  // namespace evident::external
