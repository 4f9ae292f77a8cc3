#include "models/regression/regression_family.hpp"

#include <bit>
#include <cmath>
#include <mutex>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "models/regression/jumps.hpp"

namespace evident {

InclusionPrior::InclusionPrior(std::size_t covariates, double probability)
    : covariates_(covariates), probability_(probability) {
  if (covariates > RegressionData::kMaxCovariates)
    throw InputError("at most " + std::to_string(RegressionData::kMaxCovariates) + " covariates, not " +
                     std::to_string(covariates));
  if (!(probability > 0 && probability < 1))
    throw InputError("the prior probability that a covariate is in must lie between 0 and 1");
}

double InclusionPrior::log_probability(ModelIndex k) const {
  if (k >> covariates_ != 0) return -kInf;
  const auto in = static_cast<double>(std::popcount(k)), all = static_cast<double>(covariates_);
  return in * std::log(probability_) + (all - in) * std::log1p(-probability_);
}

ModelIndex InclusionPrior::draw(Stream& random) const {
  ModelIndex k = 0;
  for (std::size_t j = 0; j < covariates_; ++j)
    if (random.uniform() < probability_) k |= ModelIndex{1} << j;
  return k;
}

RegressionFamily::RegressionFamily(std::shared_ptr<const RegressionData> data, const RegressionOptions& options,
                                   std::shared_ptr<const ModelPrior> prior)
    : data_(std::move(data)), options_(options), prior_(std::move(prior)) {
  if (!prior_) prior_ = std::make_shared<InclusionPrior>(data_->covariates());
  regression(0);  // options out of range are found now
  jumps_.push_back(regression::make_add(data_, options));
  jumps_.push_back(regression::make_swap(data_, options));
}

const LinearRegression& RegressionFamily::regression(ModelIndex k) const {
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = made_.find(k); found != made_.end()) return *found->second;
  }
  auto made = std::make_unique<LinearRegression>(data_, options_, k);
  const std::unique_lock lock(mutex_);
  return *made_.try_emplace(k, std::move(made)).first->second;  // the first one stays
}

std::string RegressionFamily::name(ModelIndex k) const {
  std::string text;
  for (std::size_t j = 0; j < data_->covariates(); ++j)
    if (k >> j & 1) text += (text.empty() ? "" : " + ") + data_->names()[j];
  return text.empty() ? "intercept only" : text;
}

}  // namespace evident
