#include "formula/ode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/suggest.hpp"
#include "formula/build.hpp"
#include "formula/differentiate.hpp"

namespace evident::formula {
namespace {

constexpr std::size_t kMaxStates = 1000;

/// Which definitions mention one of `names`, directly or by another one before them.
std::vector<bool> mentioning(const std::vector<Definition>& let, std::set<std::string> names) {
  std::vector<bool> out;
  for (const Definition& d : let) {
    const std::vector<std::string> used = names_in(d.formula);
    out.push_back(std::ranges::any_of(used, [&](const std::string& n) { return names.contains(n); }));
    if (out.back()) names.insert(d.key.text);
  }
  return out;
}

std::set<std::string> state_names(const OdeText& text) {
  std::set<std::string> out;
  for (const StateText& s : text.states) out.insert(s.key.text);
  return out;
}

class OdeMaker {
 public:
  OdeMaker(const OdeText& text, const std::vector<Definition>& let, Builder& builder)
      : text_(text), let_(let), b_(builder), g_(builder.graph()) {}

  void run() {
    if (text_.states.empty())
      text_.time.fail(0, "there is no state; write one line for each: n = { start = \"n0\", rate = \"r * n\" }");
    if (text_.states.size() > kMaxStates)
      text_.states[kMaxStates].key.fail(0, fmt::format("there may be {} states", kMaxStates));
    ode_->states = static_cast<std::uint32_t>(text_.states.size());
    ode_->tolerance = text_.tolerance;
    ode_->absolute = text_.absolute;
    ode_->max_steps = text_.max_steps;
    read_times();
    for (const StateText& s : text_.states) check_name(s.key);
    for (const StateText& s : text_.states) ode_->start.push_back(formed("a start value", {}, s.start));
    read_rates();
    find_inputs();
    add_gains();
    g_.set_ode(ode_);
    for (std::uint32_t k = 0; k < ode_->states; ++k)
      b_.define(text_.states[k].key, text_.states[k].key.text, Value::of(g_.curve(k)));
  }

 private:
  void check_name(const Source& key) const {
    const std::string& name = key.text;
    if (name.find('[') != std::string::npos)
      key.fail(0, "a state is a single value; write one line for each, x1 = { ... }, x2 = { ... }");
    if (b_.find_column(name) != nullptr)
      key.fail(0, fmt::format("'{}' is a column of the data already; give the state another name", name));
    if (b_.knows(name) || std::ranges::any_of(let_, [&](const Definition& d) { return d.key.text == name; }))
      key.fail(0, fmt::format("'{}' is defined already; give the state another name", name));
  }

  void read_times() {
    const std::string& name = text_.time.text;
    const Column* column = b_.find_column(name);
    if (column == nullptr) {
      b_.look_up(text_.time, 0, name);  // tells the nearest name
      text_.time.fail(0, fmt::format("'{}' is no column of the data", name));
    }
    if (!column->texts.empty())
      text_.time.fail(0, fmt::format("column '{}' holds text ({}); times are numbers", name, column->first_text));
    if (!text_.from.text.empty()) {
      const Value from = b_.evaluate(text_.from);
      if (from.kind != Value::scalar || !g_.is_constant(from.node) || !std::isfinite(g_[from.node].value))
        text_.from.fail(0, "the start values hold at a time that is a number or a constant");
      ode_->from = g_[from.node].value;
    }
    const std::vector<double>& t = column->numbers;
    for (std::size_t r = 0; r < t.size(); ++r) {
      if (!std::isfinite(t[r])) text_.time.fail(0, fmt::format("{} in row {} of '{}' is no time", t[r], r + 1, name));
      if (t[r] < ode_->from)
        text_.time.fail(0, fmt::format("{} in row {} of '{}' lies before {}, when the start values hold; set 'from'",
                                       t[r], r + 1, name, ode_->from));
    }
    ode_->times = t;
    std::ranges::sort(ode_->times);
    ode_->times.erase(std::unique(ode_->times.begin(), ode_->times.end()), ode_->times.end());
    std::vector<std::uint32_t> places;
    for (const double v : t)
      places.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(ode_->times, v) - ode_->times.begin()));
    ode_->dimension = b_.dimension_of(*column);
    ode_->index = g_.add_index(ode_->dimension, std::move(places));
  }

  NodeId formed(const char* what, std::map<std::string, Value> local, const Source& source) {
    b_.begin_scope(what, std::move(local));
    return single(what, source);
  }

  NodeId single(const char* what, const Source& source) {
    const Value value = b_.evaluate(source);
    if (value.kind != Value::scalar) source.fail(0, fmt::format("{} is a number, not {}", what, described(value)));
    return value.node;
  }

  void read_rates() {
    std::map<std::string, Value> local;
    std::set<std::string> moving = state_names(text_), needed;
    for (std::uint32_t k = 0; k < ode_->states; ++k) local.emplace(text_.states[k].key.text, Value::of(g_.state(k)));
    local.emplace(text_.time.text, Value::of(g_.state(ode_->time_leaf())));
    moving.insert(text_.time.text);
    b_.begin_scope("a rate", std::move(local));
    // Of what [model.let] says about states and time, only that which a rate uses is formed.
    for (const StateText& s : text_.states)
      for (const std::string& name : names_in(s.rate)) needed.insert(name);
    for (auto d = let_.rbegin(); d != let_.rend(); ++d)
      if (needed.contains(d->key.text))
        for (const std::string& name : names_in(d->formula)) needed.insert(name);
    const std::vector<bool> is_moving = mentioning(let_, moving);
    for (std::size_t j = 0; j < let_.size(); ++j)
      if (is_moving[j] && needed.contains(let_[j].key.text))
        b_.add_local(let_[j].key.text, b_.evaluate(let_[j].formula));
    for (const StateText& s : text_.states) ode_->rate.push_back(single("a rate", s.rate));
    b_.end_scope();
  }

  /// What rates and start values take from outside.
  void find_inputs() {
    std::vector<bool> moves(g_.size()), needed(g_.size());
    for (NodeId id = 0; id < g_.size(); ++id) {
      moves[id] = g_[id].op == Op::state;
      for (const NodeId a : g_.arguments(id)) moves[id] = moves[id] || moves[a];
    }
    for (const NodeId id : ode_->rate) needed[id] = true;
    for (const NodeId id : ode_->start) needed[id] = true;
    for (NodeId id = static_cast<NodeId>(g_.size()); id-- > 0;) {
      if (!needed[id]) continue;
      if (!moves[id]) {
        if (!g_[id].fixed) ode_->inputs.push_back(id);
        continue;
      }
      for (const NodeId a : g_.arguments(id)) needed[a] = true;
    }
    std::ranges::reverse(ode_->inputs);
  }

  void add_gains() {
    const auto n = ode_->states, q = static_cast<std::uint32_t>(ode_->inputs.size());
    NodeId total = g_.constant(0);
    std::vector<NodeId> leaves;
    for (std::uint32_t k = 0; k < n; ++k) {
      total = g_.add(total, g_.mul(g_.state(ode_->gain_leaf(k)), ode_->rate[k]));
      leaves.push_back(g_.state(k));
    }
    std::vector<NodeId> sums;
    for (std::uint32_t i = 0; i < q; ++i) sums.push_back(g_.state(ode_->sum_leaf(i)));
    leaves.insert(leaves.end(), ode_->inputs.begin(), ode_->inputs.end());
    const std::vector<NodeId> slopes = differentiate(g_, total, leaves, sums);
    ode_->state_gain.assign(slopes.begin(), slopes.begin() + n);
    for (std::uint32_t i = 0; i < q; ++i) ode_->input_gain.push_back(slopes[n + i] == sums[i] ? kNone : slopes[n + i]);
  }

  const OdeText& text_;
  const std::vector<Definition>& let_;
  Builder& b_;
  Graph& g_;
  std::shared_ptr<Ode> ode_ = std::make_shared<Ode>();
};

}  // namespace

void add_ode(const OdeText& text, const std::vector<Definition>& let, Builder& builder) {
  OdeMaker(text, let, builder).run();
}

std::vector<bool> after_ode(const OdeText& text, const std::vector<Definition>& let) {
  return mentioning(let, state_names(text));
}

}  // namespace evident::formula
