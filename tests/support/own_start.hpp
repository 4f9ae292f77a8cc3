// A model whose initial distribution is not its prior: W_0 = prior / nu must correct it. Its evidence is the density of
// N(1, 1.25) at 0.
#pragma once

#include "evident/dist/distribution.hpp"
#include "evident/model/model.hpp"

namespace evident::test {

class OwnStart final : public Model {
 public:
  OwnStart() {
    space_.add("x", normal(0, 1));
    initial_.add("x", normal(0.5, 1.5));
  }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) out[i] = normal(1, 0.5).log_density(theta(0, i));
  }
  bool has_initial() const override { return true; }
  void draw_initial(const Streams& streams, std::uint32_t first, Block theta) const override {
    initial_.draw(streams, first, theta);
  }
  void log_initial(ConstBlock theta, std::span<double> out) const override { initial_.log_density(theta, out); }

 private:
  ParameterSpace space_, initial_;
};

}  // namespace evident::test
