#include "capi/callback_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "capi/guard.hpp"
#include "evident/base/log_math.hpp"

namespace evident::capi {
namespace {

constexpr std::size_t kMaxObserved = 100;

/// The members that the caller's header knows; later ones are null.
evident_functions known_members(const evident_functions& given) {
  constexpr std::size_t kFirst = offsetof(evident_functions, user) + sizeof(void*);
  if (given.size < kFirst)
    throw InputError(fmt::format("functions.size is {}; set it to sizeof(evident_functions)", given.size));
  evident_functions out{};
  std::memcpy(&out, &given, std::min(given.size, sizeof out));
  return out;
}

class CallbackModel final : public Model {
 public:
  CallbackModel(ParameterSpace space, const evident_functions& functions)
      : space_(std::move(space)), f_(known_members(functions)) {
    if ((f_.log_likelihood == nullptr) == (f_.log_likelihood_batch == nullptr))
      throw InputError("functions need either log_likelihood or log_likelihood_batch, and not both");
    if (f_.gradient != nullptr && f_.gradient_batch != nullptr)
      throw InputError("functions have both gradient and gradient_batch; give one of them");
    copy_observed();
  }

  const ParameterSpace& parameters() const override { return space_; }

  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    std::ranges::fill(out, kNaN);  // what the function leaves out is no number
    if (f_.log_likelihood_batch != nullptr) {
      call("log_likelihood_batch",
           [&] { return f_.log_likelihood_batch(f_.user, theta.data(), theta.stride(), theta.size(), out.data()); });
    } else {
      std::vector<double> one(theta.rows());
      for (std::size_t i = 0; i < theta.size(); ++i) {
        copy_column(theta, i, one);
        call("log_likelihood", [&] { return out[i] = f_.log_likelihood(f_.user, one.data()), 0; });
      }
    }
    for (double& v : out)
      if (v == kInf) v = kNaN;
  }

  bool has_gradient() const override { return f_.gradient != nullptr || f_.gradient_batch != nullptr; }
  void gradient(ConstBlock theta, Block d_log_prior, Block d_log_likelihood) const override {
    space_.gradient(theta, d_log_prior);
    fill(d_log_likelihood);
    if (f_.gradient_batch != nullptr) {
      call_batch("gradient_batch", f_.gradient_batch, theta, d_log_likelihood);
      return;
    }
    std::vector<double> one(theta.rows()), slope(theta.rows());
    for (std::size_t i = 0; i < theta.size(); ++i) {
      copy_column(theta, i, one);
      std::ranges::fill(slope, kNaN);
      call("gradient", [&] { return f_.gradient(f_.user, one.data(), slope.data()); });
      for (std::size_t j = 0; j < slope.size(); ++j) d_log_likelihood(j, i) = slope[j];
    }
  }

  std::size_t observation_count() const override { return observations_ > 0 ? observations_ : f_.observation_count; }
  std::vector<Observed> observed() const override { return observed_; }

  void draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first, Block out) const override {
    std::vector<std::uint64_t> seeds(theta.size());
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      const auto particle = static_cast<std::uint32_t>(first + i);
      seeds[i] = streams.at({.particle = particle, .purpose = Purpose::simulate}).bits();
    }
    fill(out);
    call("draw", [&] {
      return f_.draw(f_.user, theta.data(), theta.stride(), theta.size(), seeds.data(), out.data(), out.stride());
    });
  }

  void predict(ConstBlock theta, Block out) const override {
    fill(out);
    if (f_.predict != nullptr) call_batch("predict", f_.predict, theta, out);
  }

 private:
  void copy_observed() {
    const std::size_t count = f_.observed == nullptr ? 0 : f_.observed_count;
    if (count > kMaxObserved)
      throw InputError(fmt::format("observed_count is {}; 0 to {} are possible", count, kMaxObserved));
    if (count > 0 && f_.draw == nullptr)
      throw InputError("functions have observed, but no draw; they need both or neither");
    for (std::size_t k = 0; k < count; ++k) {
      const evident_observed& t = f_.observed[k];
      if (t.values == nullptr && t.size > 0) throw InputError(fmt::format("observed[{}].values is NULL", k));
      Observed out{.name = required(t.name, "the name of an observed table"), .discrete = t.discrete != 0};
      if (t.axis_name != nullptr) out.axis_name = required(t.axis_name, "axis_name");
      out.values.assign(t.values, t.values + t.size);
      if (t.axis != nullptr) out.axis.assign(t.axis, t.axis + t.size);
      observations_ += t.size;
      observed_.push_back(std::move(out));
    }
    f_.observed = nullptr;
  }

  static void copy_column(ConstBlock theta, std::size_t i, std::vector<double>& out) {
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = theta(j, i);
  }

  static void fill(Block out) {
    for (std::size_t r = 0; r < out.rows(); ++r) std::ranges::fill(out.row(r), kNaN);
  }

  template <class F>
  void call_batch(std::string_view what, F function, ConstBlock theta, Block out) const {
    call(what, [&] { return function(f_.user, theta.data(), theta.stride(), theta.size(), out.data(), out.stride()); });
  }

  /// Functions of a C++ program may throw; that must not look like an error of evident's own.
  template <class F>
  void call(std::string_view what, F&& function) const {
    std::unique_lock lock(one_at_a_time_, std::defer_lock);
    if (f_.serial != 0) lock.lock();
    int status = 0;
    try {
      status = function();
    } catch (const std::exception& e) {
      throw FatalError(fmt::format("the function {} threw an exception: {}", what, e.what()));
    } catch (...) {
      throw FatalError(fmt::format("the function {} threw an exception", what));
    }
    if (status != 0) throw FatalError(fmt::format("the function {} failed: it returned {}", what, status));
  }

  ParameterSpace space_;
  evident_functions f_;
  std::vector<Observed> observed_;
  std::size_t observations_ = 0;
  mutable std::mutex one_at_a_time_;
};

}  // namespace

std::shared_ptr<const Model> callback_model(ParameterSpace space, const evident_functions& functions) {
  return std::make_shared<const CallbackModel>(std::move(space), functions);
}

}  // namespace evident::capi
