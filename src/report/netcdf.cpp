#include "report/netcdf.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

#include "base/option.hpp"
#include "base/version.hpp"
#include "evident/base/error.hpp"
#include "report/document_parts.hpp"
#include "report/draw_streams.hpp"
#include "report/files.hpp"
#include "report/netcdf_file.hpp"
#include "report/new_data.hpp"

namespace evident::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCells = 4'000'000;  // observations times draws, of each group: 32 MB before compression

/// A variable of the file: one parameter, or those called name[1], name[2], ... together.
struct Variable {
  std::string name = {};
  std::vector<std::size_t> rows = {};
  bool list = false;
};

/// "b[2]" -> ("b", 2); 0 when the name is not of this form.
std::pair<std::string, std::size_t> split(const std::string& name) {
  const std::size_t open = name.rfind('[');
  if (open == std::string::npos || open == 0 || name.back() != ']') return {name, 0};
  std::size_t number = 0;
  const char* const end = name.data() + name.size() - 1;
  const auto [stop, status] = std::from_chars(name.data() + open + 1, end, number);
  if (status != std::errc{} || stop != end) return {name, 0};
  return {name.substr(0, open), number};
}

std::vector<Variable> variables_of(const std::vector<std::string>& names) {
  std::vector<Variable> out;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto [base, number] = split(names[j]);
    const bool goes_on = number > 1 && !out.empty() && out.back().list && out.back().name == base &&
                         out.back().rows.size() == number - 1;
    if (goes_on) {
      out.back().rows.push_back(j);
    } else if (number == 1) {
      out.push_back({base, {j}, true});
    } else {
      out.push_back({names[j], {j}, false});
    }
  }
  return out;
}

/// A group with the dimensions chain, of one, and draw.
class DrawGroup {
 public:
  DrawGroup(const NetcdfFile& file, const std::string& name, std::size_t draws)
      : group_(file.group(name)), draws_(draws) {
    chain_ = group_.dimension("chain", 1);
    draw_ = group_.dimension("draw", draws);
    const std::int64_t zero = 0;
    group_.whole_numbers("chain", {chain_}, {&zero, 1});
    std::vector<std::int64_t> count(draws);
    for (std::size_t i = 0; i < draws; ++i) count[i] = static_cast<std::int64_t>(i);
    group_.whole_numbers("draw", {draw_}, count);
  }

  const NetcdfGroup& group() const { return group_; }

  void scalar(const std::string& name, std::span<const double> values) {
    group_.numbers(netcdf_name(name, taken_), {chain_, draw_}, values);
  }

  /// Values of a draw are neighbours; `labels` are the coordinates of their dimension.
  void list(const std::string& name, std::span<const double> values, std::span<const std::int64_t> labels) {
    const std::string own = netcdf_name(name, taken_), along = netcdf_name(own + "_dim_0", taken_);
    const int dimension = group_.dimension(along, labels.size());
    group_.whole_numbers(along, {dimension}, labels);
    group_.numbers(own, {chain_, draw_, dimension}, values);
  }

  /// Rows of `values` by their names, of the draws `columns`.
  void parameters(const std::vector<std::string>& names, ConstBlock values, std::span<const std::size_t> columns) {
    for (const Variable& v : variables_of(names)) {
      std::vector<double> out;
      out.reserve(draws_ * v.rows.size());
      for (const std::size_t i : columns)
        for (const std::size_t j : v.rows) out.push_back(values(j, i));
      v.list ? list(v.name, out, counting(v.rows.size(), 1)) : scalar(v.name, out);
    }
  }

  static std::vector<std::int64_t> counting(std::size_t count, std::int64_t first) {
    std::vector<std::int64_t> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = first + static_cast<std::int64_t>(i);
    return out;
  }

 private:
  NetcdfGroup group_;
  std::size_t draws_;
  int chain_ = 0, draw_ = 0;
  std::vector<std::string> taken_ = {"chain", "draw"};
};

/// One model, one file.
class ModelFile {
 public:
  ModelFile(const fs::path& path, const DocumentParts& document, const ModelParts& m, const Model* model,
            const CompareOptions& options)
      : file_(path),
        result_(document.result),
        m_(m),
        draws_(*m.draws),
        model_(model),
        options_(options),
        executor_(options.threads),
        picked_(pick(draws_.weights, draws_.weights.size())) {}

  void write() {
    describe(file_.root());
    posterior();
    if (!draws_.log_likelihood.empty() && !draws_.log_prior.empty()) sample_stats();
    if (m_.prior || model_ != nullptr) prior();
    if (model_ != nullptr) of_model();
    file_.close();
  }

 private:
  void describe(const NetcdfGroup& g) const {
    g.attribute("inference_library", std::string("evident"));
    g.attribute("inference_library_version", std::string(version()));
    g.attribute("model", m_.name);
    g.attribute("method", result_.text("method"));
    g.attribute("seed", result_.json().value("seed", Json()).dump());
    g.attribute("log_evidence", m_.result.number("log_evidence"));
    g.attribute("log_evidence_se", m_.result.number("log_evidence_se"));
    interval(g, "log_evidence");
    g.attribute("probability", m_.result.number("probability"));
    interval(g, "probability");
    if (const std::string verdict = m_.result.text("verdict"); !verdict.empty()) g.attribute("verdict", verdict);
  }

  void interval(const NetcdfGroup& g, const std::string& of) const {
    const std::vector<double> ends = m_.result.numbers((of + "_interval").c_str());
    g.attribute(of + "_lower", ends.empty() ? kNaN : ends.front());
    g.attribute(of + "_upper", ends.empty() ? kNaN : ends.back());
  }

  void posterior() {
    DrawGroup g(file_, "posterior", picked_.size());
    describe(g.group());
    g.parameters(draws_.names, draws_.values, picked_);
  }

  void sample_stats() {
    DrawGroup g(file_, "sample_stats", picked_.size());
    std::vector<double> prior, likelihood, both;
    for (const std::size_t i : picked_) {
      prior.push_back(draws_.log_prior[i]);
      likelihood.push_back(draws_.log_likelihood[i]);
      both.push_back(prior.back() + likelihood.back());
    }
    g.scalar("lp", both);
    g.scalar("log_prior", prior);
    g.scalar("log_likelihood", likelihood);
  }

  /// What only adds to the draws may fail: the run is done and good. A note tells of it.
  bool tried(const char* what, const auto& compute) const {
    try {
      compute();
      return true;
    } catch (const Error& e) {
      file_.root().attribute(fmt::format("note_{}", what), fmt::format("not there: {}", e.what()));
      return false;
    }
  }

  void prior() {
    const Draws draws = m_.prior ? *m_.prior : prior_draws(m_.name, *model_, options_);
    DrawGroup g(file_, "prior", draws.weights.size());
    std::vector<std::size_t> all(draws.weights.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    g.parameters(draws.names, draws.values, all);
  }

  void of_model() {
    observed_ = model_->observed();
    std::erase_if(observed_, [](const Observed& o) { return o.values.empty(); });
    std::size_t count = 0;
    for (const Observed& o : observed_) count += o.values.size();
    if (count > 0) {
      observed_data();
      posterior_predictive(count);
    }
    if (model_->has_sequence() && model_->observation_count() > 0) log_likelihood(model_->observation_count());
  }

  void observed_data() {
    const NetcdfGroup data = file_.group("observed_data");
    std::vector<std::string> taken, taken_axes;
    std::vector<std::pair<std::string, const Observed*>> axes;
    for (const Observed& o : observed_) {
      const std::string own = netcdf_name(o.name, taken), along = netcdf_name(own + "_dim_0", taken);
      const int d = data.dimension(along, o.values.size());
      data.whole_numbers(along, {d}, DrawGroup::counting(o.values.size(), 0));
      data.numbers(own, {d}, o.values);
      if (o.axis.size() == o.values.size()) axes.emplace_back(own, &o);
    }
    if (axes.empty()) return;
    const NetcdfGroup constant = file_.group("constant_data");
    for (const auto& [own, o] : axes) {  // what observations are drawn against
      const std::string axis = o->axis_name.empty() ? own + "_axis" : o->axis_name;
      const int d = constant.dimension(netcdf_name(own + "_dim_0", taken_axes), o->axis.size());
      constant.numbers(netcdf_name(axis, taken_axes), {d}, o->axis);
    }
  }

  /// The parameters of the draws, fewer where their observations would be too many.
  BlockStorage some_draws(std::size_t observations) const {
    const std::size_t most = std::max<std::size_t>(20, kMostCells / observations);
    const std::size_t count = std::min(picked_.size(), most), rows = model_->parameters().size();
    BlockStorage out(rows, count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < rows; ++j) out(j, i) = draws_.values(j, picked_[i * picked_.size() / count]);
    return out;
  }

  void for_blocks(std::size_t count, const std::function<void(std::size_t first, std::size_t size)>& work) const {
    executor_.for_each(block_count(count), [&](std::size_t b) {
      const std::size_t first = b * kBlockSize;
      work(first, std::min(kBlockSize, count - first));
    });
  }

  /// Rows first .. of `values`, a column a draw, as one variable.
  static void put(DrawGroup& g, const std::string& name, ConstBlock values, std::size_t first, std::size_t count) {
    std::vector<double> out;
    out.reserve(values.size() * count);
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t k = 0; k < count; ++k) out.push_back(values(first + k, i));
    g.list(name, out, DrawGroup::counting(count, 0));
  }

  void posterior_predictive(std::size_t observations) {
    const BlockStorage theta = some_draws(observations);
    BlockStorage values(observations, theta.size());
    const Streams streams = draw_streams(options_, m_.name, kPredictivePart);
    const ConstBlock from = theta;
    const bool done = tried("posterior_predictive", [&] {
      for_blocks(theta.size(), [&](std::size_t first, std::size_t size) {
        model_->draw_observations(from.columns(first, size), streams, static_cast<std::uint32_t>(first),
                                  values.block().columns(first, size));
      });
    });
    if (!done) return;
    DrawGroup g(file_, "posterior_predictive", theta.size());
    std::size_t first = 0;
    for (const Observed& o : observed_) {
      put(g, o.name, values, first, o.values.size());
      first += o.values.size();
    }
  }

  /// Of each observation given the earlier ones: for independent observations, of each.
  void log_likelihood(std::size_t observations) {
    const BlockStorage theta = some_draws(observations);
    BlockStorage values(observations, theta.size());
    const ConstBlock from = theta;
    const bool done = tried("log_likelihood", [&] {
      for_blocks(theta.size(), [&](std::size_t first, std::size_t size) {
        AlignedVector<double> out(size);
        for (std::size_t k = 0; k < observations; ++k) {
          model_->log_likelihood_of(from.columns(first, size), k, 1, out);
          for (std::size_t i = 0; i < size; ++i) values(k, first + i) = out[i];
        }
      });
    });
    if (!done) return;
    DrawGroup g(file_, "log_likelihood", theta.size());
    const bool one = observed_.size() == 1 && observed_[0].values.size() == observations;
    put(g, one ? observed_[0].name : "observations", values, 0, observations);
  }

  NetcdfFile file_;
  const Stored& result_;
  const ModelParts& m_;
  const Draws& draws_;
  const Model* model_;
  const CompareOptions& options_;
  Executor executor_;
  std::vector<std::size_t> picked_;
  std::vector<Observed> observed_;
};

/// A name beside the file, which becomes the file at the end or vanishes.
class Pending {
 public:
  explicit Pending(fs::path wanted) : wanted_(std::move(wanted)) {
    temporary_ = wanted_.parent_path() / fmt::format(".{:.200}.{}.part", wanted_.filename().string(), ::getpid());
  }
  ~Pending() {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove(temporary_, ignored);
  }
  Pending(Pending&& other) noexcept
      : wanted_(std::move(other.wanted_)), temporary_(std::exchange(other.temporary_, {})) {}
  Pending& operator=(Pending&&) = delete;

  const fs::path& path() const { return temporary_; }
  fs::path publish() {
    std::error_code error;
    fs::rename(temporary_, wanted_, error);
    if (error) throw RunError(fmt::format("{}: cannot be written: {}", wanted_.string(), error.message()));
    temporary_.clear();
    return wanted_;
  }

 private:
  fs::path wanted_, temporary_;
};

}  // namespace

bool has_netcdf() { return netcdf_is_built_in(); }

std::vector<fs::path> netcdf_files(const fs::path& wanted, const std::vector<std::string>& names) {
  if (names.size() == 1) return {wanted};
  std::vector<fs::path> out;
  const std::string extension = wanted.extension().string();
  for (const std::string& name : safe_file_names(names))
    out.push_back(wanted.parent_path() / fmt::format("{}.{}{}", wanted.stem().string(), name, extension));
  return out;
}

void check_netcdf(const fs::path& wanted, const std::vector<std::string>& names, bool force) {
  if (!has_netcdf())
    throw InputError(option("netcdf") +
                     ": this program was built without netCDF; install libnetcdf-dev and build it again with "
                     "-DEVIDENT_NETCDF=ON");
  const std::string shown = option("netcdf", wanted.string());
  if (!wanted.has_filename()) throw InputError(fmt::format("{}: must be the name of a file", shown));
  const fs::path folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw InputError(fmt::format("{}: '{}' is not an existing folder", shown, folder.string()));
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw InputError(fmt::format("{}: cannot be written: {}", shown, std::strerror(errno)));
  std::vector<fs::path> files = netcdf_files(wanted, names);
  if (names.empty()) files = {wanted};
  for (const fs::path& file : files) {
    if (fs::is_directory(file, error)) throw InputError(option("netcdf", file.string()) + ": is a folder");
    if (fs::exists(file, error) && !force)
      throw InputError(fmt::format("{}: exists; give {} to replace it, or another name",
                                   option("netcdf", file.string()), option("force")));
  }
}

std::vector<fs::path> write_netcdf(const fs::path& wanted, const Document& document,
                                   std::span<const Candidate> candidates, const CompareOptions& options) {
  const std::vector<ModelParts>& models = document.parts().models;
  std::vector<std::string> names;
  for (const ModelParts& m : models) names.push_back(m.name);
  const std::vector<fs::path> files = netcdf_files(wanted, names);
  std::vector<Pending> pending;
  for (std::size_t k = 0; k < models.size(); ++k) {
    if (!models[k].draws) continue;
    const auto found = std::ranges::find(candidates, names[k], &Candidate::name);
    pending.emplace_back(files[k]);
    ModelFile(pending.back().path(), document.parts(), models[k],
              found == candidates.end() ? nullptr : found->model.get(), options)
        .write();
  }
  std::vector<fs::path> out;
  for (Pending& p : pending) out.push_back(p.publish());
  return out;
}

}  // namespace evident::report
