#include "evident/model/parameters.hpp"

#include <algorithm>
#include <string_view>

#include "base/suggest.hpp"
#include "evident/base/error.hpp"
#include "model/item.hpp"
#include "model/ordered.hpp"

namespace evident {
namespace {

/// Rows of theta that the prior's arguments stand for.
std::vector<std::size_t> argument_rows(const ParameterSpace& space, const std::string& name,
                                       const Distribution& prior) {
  std::vector<std::size_t> rows;
  for (const Argument& a : prior.arguments()) {
    if (!a.is_constant() && a.parameter == name)
      throw InputError("the prior of '" + name + "' depends on '" + name + "' itself");
    rows.push_back(a.is_constant() ? ScalarItem::npos : space.index(a.parameter));
  }
  return rows;
}

std::string component(const std::string& name, std::size_t j) { return name + "[" + std::to_string(j + 1) + "]"; }

}  // namespace

void ParameterSpace::add_row(const std::string& name, bool is_free) {
  if (name.empty()) throw InputError("a parameter has no name");
  if (!rows_.try_emplace(name, names_.size()).second) throw InputError("two parameters are called '" + name + "'");
  names_.push_back(name);
  if (is_free) free_names_.push_back(name);
}

ParameterSpace& ParameterSpace::add(const std::string& name, Distribution prior, Scale scale) {
  std::vector<std::size_t> rows = argument_rows(*this, name, prior);
  std::shared_ptr<ScalarItem> item;
  try {
    item = std::make_shared<ScalarItem>(std::move(prior), scale, std::move(rows));
  } catch (const InputError& e) {
    throw InputError("parameter '" + name + "': " + e.message());
  }
  item->first = names_.size();
  item->free_first = free_names_.size();
  add_row(name);
  items_.push_back(std::move(item));
  return *this;
}

ParameterSpace& ParameterSpace::add_simplex(const std::string& name, std::vector<double> concentration) {
  auto item = std::make_shared<SimplexItem>(Dirichlet(std::move(concentration)));
  item->first = names_.size();
  item->free_first = free_names_.size();
  item->size = item->prior.size();
  item->free_size = item->size - 1;
  for (std::size_t j = 0; j < item->size; ++j) add_row(component(name, j), j + 1 < item->size);
  items_.push_back(std::move(item));
  return *this;
}

ParameterSpace& ParameterSpace::add_multivariate_normal(const std::string& name, std::vector<double> mean,
                                                        std::vector<double> covariance) {
  auto item = std::make_shared<NormalVectorItem>(MultivariateNormal(std::move(mean), std::move(covariance)));
  item->first = names_.size();
  item->free_first = free_names_.size();
  item->size = item->free_size = item->prior.size();
  for (std::size_t j = 0; j < item->size; ++j) add_row(component(name, j));
  items_.push_back(std::move(item));
  return *this;
}

void ParameterSpace::Item::append(ParameterSpace& to, const std::vector<std::string>& names,
                                  const std::shared_ptr<Item>& item) {
  item->first = to.names_.size();
  item->free_first = to.free_names_.size();
  item->size = item->free_size = names.size();
  for (const std::string& name : names) to.add_row(name);
  to.items_.push_back(item);
}

void add_ordered(ParameterSpace& space, const std::string& name, const Distribution& prior, std::size_t count) {
  if (count == 0) throw InputError("the ordered vector '" + name + "' has no entries");
  std::vector<std::string> names;
  for (std::size_t j = 0; j < count; ++j) names.push_back(component(name, j));
  std::shared_ptr<OrderedItem> item;
  try {
    item =
        std::make_shared<OrderedItem>(prior, space.size(), space.free_size(), count, argument_rows(space, name, prior));
  } catch (const InputError& e) {
    throw InputError("parameter '" + name + "': " + e.message());
  }
  ParameterSpace::Item::append(space, names, item);
}

std::size_t ParameterSpace::index(std::string_view name) const {
  const auto found = rows_.find(name);
  if (found == rows_.end()) {
    const std::vector<std::string_view> known(names_.begin(), names_.end());
    throw InputError("no parameter '" + std::string(name) + "' before it" + did_you_mean(name, known));
  }
  return found->second;
}

std::string ParameterSpace::prior_text(std::size_t j) const {
  for (const auto& item : items_)
    if (j >= item->first && j < item->first + item->size) return item->prior_text();
  return {};
}

bool ParameterSpace::priors_are_built_in() const {
  return std::ranges::all_of(items_, [](const auto& item) { return item->is_built_in(); });
}

void ParameterSpace::draw(Stream& stream, std::span<double> theta) const {
  for (const auto& item : items_) item->draw(stream, theta);
}

void ParameterSpace::draw(const Streams& streams, std::uint32_t first, Block theta) const {
  std::vector<double> one(size());
  for (std::size_t i = 0; i < theta.size(); ++i) {
    Stream stream =
        streams.at({.step = 0, .particle = first + static_cast<std::uint32_t>(i), .purpose = Purpose::prior});
    draw(stream, one);
    for (std::size_t j = 0; j < size(); ++j) theta(j, i) = one[j];
  }
}

void ParameterSpace::log_density(ConstBlock theta, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (const auto& item : items_) item->add_log_density(theta, out);
}

void ParameterSpace::gradient(ConstBlock theta, Block out) const {
  for (std::size_t j = 0; j < size(); ++j) std::fill_n(out.row_data(j), out.size(), 0.0);
  for (const auto& item : items_) item->add_gradient(theta, out);
}

void ParameterSpace::constrain(ConstBlock z, Block theta, std::span<double> log_jacobian) const {
  std::fill(log_jacobian.begin(), log_jacobian.end(), 0.0);
  for (const auto& item : items_) item->constrain(z, theta, log_jacobian);
}

void ParameterSpace::unconstrain(ConstBlock theta, Block z) const {
  for (const auto& item : items_) item->unconstrain(theta, z);
}

void ParameterSpace::pull_back(ConstBlock z, ConstBlock theta, ConstBlock d_theta, Block d_z,
                               bool add_log_jacobian) const {
  BlockStorage adjoint(size(), theta.size());
  for (std::size_t j = 0; j < size(); ++j) std::copy_n(d_theta.row_data(j), theta.size(), adjoint.block().row_data(j));
  for (auto item = items_.rbegin(); item != items_.rend(); ++item)
    (*item)->pull_back(z, theta, adjoint, d_z, add_log_jacobian);
}

}  // namespace evident
