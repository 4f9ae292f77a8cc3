#include "evident/path/target.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>

#include "base/option.hpp"
#include "base/vector_math.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "model/quick_model.hpp"
#include "path/place.hpp"

namespace evident {
namespace {

std::vector<double> column(ConstBlock theta, std::size_t i) {
  std::vector<double> out;
  for (std::size_t j = 0; j < theta.rows(); ++j) out.push_back(theta(j, i));
  return out;
}

// A block failed: which particle was it? Each is tried alone.
[[noreturn]] void report_exception(const Model& model, ConstBlock theta, const std::string& message) {
  for (std::size_t i = 0; i < theta.size(); ++i) {
    BlockStorage one(theta.rows(), 1);
    for (std::size_t j = 0; j < theta.rows(); ++j) one(j, 0) = theta(j, i);
    AlignedVector<double> out(1);
    try {
      model.log_likelihood(one, out);
    } catch (const std::exception& e) {
      throw FatalError("the model failed: " + message_of(e) + " (at " +
                       place_text(model.parameters(), column(theta, i)) + ")");
    }
  }
  throw FatalError("the model failed: " + message);
}

/// No step towards such a likelihood is small enough, and its evidence is no number.
[[noreturn]] void report_infinite(const Model& model, ConstBlock theta, std::size_t i) {
  throw FatalError("the log likelihood is +inf at " + place_text(model.parameters(), column(theta, i)) +
                   ": no evidence can be computed; look for a division by zero, a scale of zero or an overflow there");
}

}  // namespace

TemperedTarget::TemperedTarget(const Model& model, double alpha, EvaluationCount& count)
    : model_(model), quick_(dynamic_cast<const QuickModel*>(&model)), alpha_(alpha), count_(count) {}

std::size_t TemperedTarget::prior(ConstBlock z, Block theta, std::span<double> log_prior,
                                  std::span<double> log_jacobian) const {
  if (quick_ == nullptr || !quick_->constrain(z, theta, log_prior, log_jacobian)) {
    model_.parameters().constrain(z, theta, log_jacobian);
    model_.log_prior(theta, log_prior);
    for (std::size_t i = 0; i < z.size(); ++i) log_prior[i] += log_jacobian[i];
  }
  return z.size() - vector_math::drop_nan(log_prior.data(), z.size()).impossible;
}

void TemperedTarget::likelihood(ConstBlock theta, std::span<double> out) const {
  try {
    model_.log_likelihood(theta, out);
  } catch (const std::exception& e) {
    report_exception(model_, theta, message_of(e));
  }
  const vector_math::Dropped dropped = vector_math::drop_nan(out.data(), theta.size());
  count_.total += theta.size();
  if (const auto endless = std::ranges::find(out.first(theta.size()), kInf);
      endless != out.begin() + static_cast<std::ptrdiff_t>(theta.size()))
    report_infinite(model_, theta, static_cast<std::size_t>(endless - out.begin()));
  if (dropped.nan == 0) return;
  count_.nan += dropped.nan;
  count_.nan_points.note(theta, dropped.which);
}

void TemperedTarget::gradient(ConstBlock z, ConstBlock theta, Block out, bool* broken) const {
  count_.gradients += theta.size();
  BlockStorage d_prior(theta.rows(), theta.size()), d_likelihood(theta.rows(), theta.size());
  model_.gradient(theta, d_prior, d_likelihood);
  for (std::size_t j = 0; j < theta.rows(); ++j)
    for (std::size_t i = 0; i < theta.size(); ++i) d_prior(j, i) += alpha_ * d_likelihood(j, i);
  model_.parameters().pull_back(z, theta, d_prior, out, true);
  if (broken != nullptr) std::fill_n(broken, out.size(), false);
  for (std::size_t j = 0; j < out.rows(); ++j)
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (std::isfinite(out(j, i))) continue;
      out(j, i) = 0;
      if (broken != nullptr) broken[i] = true;
    }
}

}  // namespace evident
