#include "evident/model/model.hpp"

#include <vector>

namespace evident {
namespace {

class LiftedModel final : public Model {
 public:
  LiftedModel(ParameterSpace space, ScalarLikelihood f) : space_(std::move(space)), log_likelihood_(std::move(f)) {}

  const ParameterSpace& parameters() const override { return space_; }

  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    std::vector<double> one(theta.rows());
    for (std::size_t i = 0; i < theta.size(); ++i) {
      for (std::size_t j = 0; j < theta.rows(); ++j) one[j] = theta(j, i);
      out[i] = log_likelihood_(one);
    }
  }

 private:
  ParameterSpace space_;
  ScalarLikelihood log_likelihood_;
};

}  // namespace

std::shared_ptr<const Model> lift(ParameterSpace space, ScalarLikelihood log_likelihood) {
  return std::make_shared<LiftedModel>(std::move(space), std::move(log_likelihood));
}

}  // namespace evident
