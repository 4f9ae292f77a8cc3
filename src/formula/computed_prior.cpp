#include "formula/computed_prior.hpp"

#include <algorithm>
#include <set>

#include "formula/differentiate.hpp"
#include "formula/run.hpp"

namespace evident::formula {

ComputedPrior::ComputedPrior(Graph& g, const Family& family, const std::vector<NodeId>& arguments,
                             std::uint32_t parameters, std::string text)
    : text_(std::move(text)) {
  std::vector<Argument> plain;
  std::vector<std::size_t> rows;
  std::vector<NodeId> values;
  for (const NodeId a : arguments) {
    if (g.is_constant(a)) {
      plain.emplace_back(g[a].value);
      rows.push_back(ScalarItem::npos);
    } else {
      values.push_back(a);
      plain.emplace_back("expression");
      rows.push_back(values.size());
    }
  }
  expressions_ = values.size();
  inner_ = std::make_unique<ScalarItem>(Distribution(family, plain), Scale::automatic, rows);
  std::vector<std::vector<NodeId>> by_value;
  std::set<std::uint32_t> used;
  for (const NodeId v : values) {
    by_value.push_back(differentiate(g, v, parameters));
    for (std::uint32_t j = 0; j < parameters; ++j)
      if (!g.is_constant(by_value.back()[j], 0)) used.insert(j);
  }
  used_.assign(used.begin(), used.end());
  std::vector<NodeId> slopes;
  for (const auto& all : by_value)
    for (const std::uint32_t j : used_) slopes.push_back(all[j]);
  values_ = compile(g, values, parameters);
  slopes_ = compile(g, slopes, parameters);
}

BlockStorage ComputedPrior::little(ConstBlock theta, bool own_is_known) const {
  BlockStorage out(1 + expressions_, theta.size());
  if (own_is_known) std::copy_n(theta.row_data(first), theta.size(), out.block().row_data(0));
  std::vector<double*> rows;
  for (std::size_t k = 0; k < expressions_; ++k) rows.push_back(out.block().row_data(1 + k));
  run(values_, theta, rows);
  return out;
}

void ComputedPrior::give_back(ConstBlock theta, ConstBlock slopes, Block to) const {
  BlockStorage inner(expressions_ * used_.size(), theta.size());
  std::vector<double*> rows;
  for (std::size_t k = 0; k < inner.rows(); ++k) rows.push_back(inner.block().row_data(k));
  run(slopes_, theta, rows);
  for (std::size_t a = 0; a < expressions_; ++a)
    for (std::size_t k = 0; k < used_.size(); ++k)
      for (std::size_t i = 0; i < theta.size(); ++i)
        if (const double s = slopes(1 + a, i); s != 0) to(used_[k], i) += s * inner(a * used_.size() + k, i);
}

void ComputedPrior::draw(Stream& stream, std::span<double> theta) const {
  thread_local BlockStorage one;  // kept: a prior is drawn from thousands of times
  if (one.rows() < values_.parameters) one = BlockStorage(values_.parameters, 1);
  for (const std::uint32_t j : values_.used) std::fill_n(one.block().row_data(j), kLane, theta[j]);
  BlockStorage arguments = little(one, false);
  std::vector<double> all;
  for (std::size_t k = 0; k < arguments.rows(); ++k) all.push_back(arguments(k, 0));
  inner_->draw(stream, all);
  theta[first] = all[0];
}

void ComputedPrior::add_log_density(ConstBlock theta, std::span<double> out) const {
  inner_->add_log_density(little(theta, true), out);
}

void ComputedPrior::add_gradient(ConstBlock theta, Block gradient) const {
  BlockStorage slopes(1 + expressions_, theta.size());
  inner_->add_gradient(little(theta, true), slopes);
  for (std::size_t i = 0; i < theta.size(); ++i) gradient(first, i) += slopes(0, i);
  give_back(theta, slopes, gradient);
}

void ComputedPrior::constrain(ConstBlock z, Block theta, std::span<double> log_jacobian) const {
  BlockStorage all = little(theta, false);
  inner_->constrain(z.some_rows(free_first, 1), all, log_jacobian);
  std::copy_n(all.block().row_data(0), theta.size(), theta.row_data(first));
}

void ComputedPrior::unconstrain(ConstBlock theta, Block z) const {
  inner_->unconstrain(little(theta, true), z.some_rows(free_first, 1));
}

void ComputedPrior::pull_back(ConstBlock z, ConstBlock theta, Block adjoint, Block d_z, bool add_log_jacobian) const {
  BlockStorage slopes(1 + expressions_, theta.size());
  std::copy_n(adjoint.row_data(first), theta.size(), slopes.block().row_data(0));
  inner_->pull_back(z.some_rows(free_first, 1), little(theta, true), slopes, d_z.some_rows(free_first, 1),
                    add_log_jacobian);
  give_back(theta, slopes, adjoint);
}

}  // namespace evident::formula
