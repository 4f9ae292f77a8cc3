// A prior whose arguments are expressions of earlier parameters: normal(mu + a, exp(s)).
//
// It is a plain parameter in a little space of its own, whose other rows are the values of the expressions; what the
// plain parameter tells of those rows goes back through the slopes of the expressions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formula/program.hpp"
#include "model/item.hpp"

namespace evident::formula {

class ComputedPrior final : public ParameterSpace::Item {
 public:
  /// `arguments` are scalar nodes of parameters below `parameters`. Throws InputError.
  ComputedPrior(Graph& g, const Family& family, const std::vector<NodeId>& arguments, std::uint32_t parameters,
                std::string text);

  std::string prior_text() const override { return text_; }
  void draw(Stream& stream, std::span<double> theta) const override;
  void add_log_density(ConstBlock theta, std::span<double> out) const override;
  void add_gradient(ConstBlock theta, Block gradient) const override;
  void constrain(ConstBlock z, Block theta, std::span<double> log_jacobian) const override;
  void unconstrain(ConstBlock theta, Block z) const override;
  void pull_back(ConstBlock z, ConstBlock theta, Block adjoint, Block d_z, bool add_log_jacobian) const override;

  /// Where the density can be positive; NaN where that depends on parameters.
  Support support() const { return inner_->fixed; }

 private:
  /// Row 0 is the parameter itself, left at 0 when it is not known yet; the others are the expressions.
  BlockStorage little(ConstBlock theta, bool own_is_known) const;
  /// Adds what rows 1, 2, ... of `slopes` mean for the parameters that the expressions are made of.
  void give_back(ConstBlock theta, ConstBlock slopes, Block to) const;

  std::string text_;
  Program values_, slopes_;
  std::size_t expressions_ = 0;
  std::vector<std::uint32_t> used_;  ///< parameters in the expressions
  std::unique_ptr<ScalarItem> inner_;
};

}  // namespace evident::formula
