#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

#include "evident/base/error.hpp"
#include "formula/ode.hpp"
#include "formula/ode_program.hpp"
#include "formula/program.hpp"
#include "formula/select.hpp"

namespace evident::formula {

Code code_of(Op op) { return static_cast<Code>(static_cast<int>(op) - static_cast<int>(Op::neg)); }

namespace {

constexpr std::size_t kMaxCurveNumbers = 1 << 25;  ///< that one thread keeps of solutions

bool reduces(Op op) { return op == Op::sum_rows || op == Op::min_rows || op == Op::max_rows || op == Op::group_sum; }

/// Which nodes are needed for the outputs, and at which stage each can be had.
struct Plan {
  std::vector<bool> needed;
  std::vector<std::uint32_t> stage;
  std::uint32_t stages = 1;

  Plan(const Graph& g, std::span<const NodeId> outputs) : needed(g.size()), stage(g.size()) {
    for (const NodeId id : outputs) needed[id] = true;
    for (std::size_t id = g.size(); id-- > 0;)
      if (needed[id])
        for (const NodeId a : g.arguments(static_cast<NodeId>(id))) needed[a] = true;
    for (std::size_t id = 0; id < g.size(); ++id) {
      if (!needed[id]) continue;
      for (const NodeId a : g.arguments(static_cast<NodeId>(id))) stage[id] = std::max(stage[id], stage[a]);
      const Op op = g[static_cast<NodeId>(id)].op;
      if (reduces(op) || op == Op::solved || op == Op::ode_slope) ++stage[id];
      stages = std::max(stages, stage[id] + 1);
    }
  }
};

class Compiler {
 public:
  Compiler(const Graph& g, std::span<const NodeId> outputs, std::uint32_t parameters)
      : g_(g), plan_(g, outputs), outputs_(outputs) {
    p_.parameters = parameters;
    p_.scalar_slots = parameters;
  }

  Program run() {
    stages();
    for (const NodeId id : outputs_) p_.outputs.push_back(scalar_operand(id));
    return std::move(p_);
  }

  /// The outputs are rows: a last sweep stores them.
  Program run_rows(std::uint32_t dimension) {
    stages();
    Sweep sweep{.rows = g_.rows(dimension), .stores = true};
    fill(sweep, {}, outputs_);
    add(plan_.stages - 1, std::move(sweep));
    p_.row_outputs = outputs_.size();
    return std::move(p_);
  }

 private:
  void stages() {
    for (NodeId id = 0; id < g_.size(); ++id)
      if (plan_.needed[id] && g_[id].op == Op::parameter) p_.used.push_back(g_[id].which);
    p_.stages.resize(plan_.stages);
    for (std::uint32_t s = 0; s < plan_.stages; ++s) {
      scalar_steps(s);
      solve(s);
      go_back(s);
      sweeps(s);
    }
  }

  std::uint32_t new_slots(std::uint32_t count) {
    const std::uint32_t first = p_.scalar_slots;
    p_.scalar_slots += count;
    return first;
  }

  Operand constant(double value) {
    const auto [at, is_new] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value), p_.constants.size());
    if (is_new) p_.constants.push_back(value);
    return {Operand::constant, static_cast<std::uint32_t>(at->second)};
  }

  Operand column(NodeId id) {
    const auto [at, is_new] = columns_.try_emplace(g_[id].which, p_.columns.size());
    if (is_new) p_.columns.push_back(g_.shared_column(g_[id].which));
    return {Operand::data, static_cast<std::uint32_t>(at->second)};
  }

  std::uint32_t index(std::uint32_t which) {
    const auto [at, is_new] = indices_.try_emplace(which, p_.indices.size());
    if (is_new) p_.indices.push_back(g_.shared_index(which));
    return static_cast<std::uint32_t>(at->second);
  }

  /// A value of dimension 0 that is known already.
  Operand scalar_operand(NodeId id) {
    const Node& node = g_[id];
    if (node.op == Op::constant) return constant(node.value);
    if (node.op == Op::parameter) return {Operand::scalar, node.which};
    if (node.op == Op::pick) return {Operand::scalar, slot_.at(g_.arguments(id)[0]) + node.which};
    return {Operand::scalar, slot_.at(id)};
  }

  std::uint32_t push(const std::vector<Operand>& operands) {
    const auto first = static_cast<std::uint32_t>(p_.operands.size());
    p_.operands.insert(p_.operands.end(), operands.begin(), operands.end());
    return first;
  }

  void emit(std::vector<Instruction>& to, Code code, std::uint32_t out, const std::vector<Operand>& operands) {
    to.push_back({code, out, push(operands), static_cast<std::uint32_t>(operands.size())});
  }

  bool is_scalar_step(NodeId id, std::uint32_t s) const {
    const Node& node = g_[id];
    return plan_.needed[id] && plan_.stage[id] == s && node.dimension == 0 && !node.fixed && !reduces(node.op) &&
           node.op != Op::parameter && node.op != Op::pick && node.op != Op::solved && node.op != Op::ode_slope;
  }

  void scalar_steps(std::uint32_t s) {
    for (NodeId id = 0; id < g_.size(); ++id) {
      if (is_scalar_step(id, s)) {
        std::vector<Operand> operands;
        for (const NodeId a : g_.arguments(id)) operands.push_back(scalar_operand(a));
        slot_[id] = new_slots(1);
        emit(p_.stages[s].steps, code_of(g_[id].op), slot_[id], operands);
      } else if (plan_.needed[id] && g_[id].op == Op::gather && plan_.stage[id] == s) {
        line_up(id, s);
      }
    }
  }

  /// The items of a gather must lie side by side; parameters often do.
  void line_up(NodeId id, std::uint32_t s) {
    std::vector<Operand> items;
    for (const NodeId a : g_.arguments(id)) items.push_back(scalar_operand(a));
    bool in_order = true;
    for (std::size_t k = 0; k < items.size(); ++k)
      in_order = in_order && items[k].kind == Operand::scalar && items[k].place == items[0].place + k;
    if (in_order) {
      lined_up_[id] = items[0].place;
      return;
    }
    std::vector<NodeId> key(g_.arguments(id).begin(), g_.arguments(id).end());
    const auto [at, is_new] = copies_.try_emplace(key, 0);
    if (is_new) {
      at->second = new_slots(static_cast<std::uint32_t>(items.size()));
      for (std::size_t k = 0; k < items.size(); ++k)
        emit(p_.stages[s].steps, Code::copy, at->second + static_cast<std::uint32_t>(k), {items[k]});
    }
    lined_up_[id] = at->second;
  }

  /// The differential equation, once what it depends on is known.
  void solve(std::uint32_t s) {
    if (p_.ode || g_.ode() == nullptr) return;
    const Ode& ode = *g_.ode();
    std::vector<std::uint32_t> wanted;
    bool here = false;
    for (NodeId id = 0; id < g_.size(); ++id) {
      if (!plan_.needed[id] || (g_[id].op != Op::curve && g_[id].op != Op::solved)) continue;
      here = plan_.stage[id] == s + (g_[id].op == Op::solved ? 1 : 0);
      if (g_[id].op == Op::curve) wanted.push_back(g_[id].which);
    }
    if (!here) return;
    OdeProgram o{.states = ode.states};
    RatesNodes nodes{.inputs = ode.inputs, .leaves = {ode.time_leaf()}, .results = ode.rate};
    for (std::uint32_t k = 0; k < ode.states; ++k) nodes.leaves.push_back(k);
    o.rates = compile_rates(g_, nodes);
    for (const NodeId id : ode.inputs) o.inputs.push_back(scalar_operand(id));
    for (const NodeId id : ode.start) o.starts.push_back(scalar_operand(id));
    for (const std::uint32_t c : wanted)
      curve_place_[c] = static_cast<std::uint32_t>(o.curves.size()), o.curves.push_back(c);
    o.times = ode.times;
    o.from = ode.from;
    o.tolerance = ode.tolerance;
    o.absolute = ode.absolute;
    o.max_steps = ode.max_steps;
    if (o.curves.size() * o.times.size() > kMaxCurveNumbers / kWidth)
      throw InputError("the states of the differential equation have too many different times");
    p_.ode = std::make_shared<const OdeProgram>(std::move(o));
    p_.ode_stage = s;
    p_.solved = new_slots(1);
    for (NodeId id = 0; id < g_.size(); ++id)
      if (g_[id].op == Op::solved) slot_[id] = p_.solved;
  }

  /// The slopes of the solution, once it is known what the value gains by it.
  void go_back(std::uint32_t s) {
    for (NodeId id = 0; id < g_.size(); ++id) {
      if (!plan_.needed[id] || g_[id].op != Op::ode_slope || plan_.stage[id] != s + 1) continue;
      const Ode& ode = *g_.ode();
      OdeBackward b;
      RatesNodes nodes{
          .inputs = ode.inputs, .leaves = {ode.time_leaf()}, .sums = ode.input_gain, .first_sum = p_.ode->sum_slot()};
      for (std::uint32_t k = 0; k < ode.states; ++k) nodes.leaves.push_back(k);
      for (std::uint32_t k = 0; k < ode.states; ++k) nodes.leaves.push_back(ode.gain_leaf(k));
      for (std::uint32_t i = 0; i < ode.inputs.size(); ++i) nodes.leaves.push_back(ode.sum_leaf(i));
      for (std::uint32_t k = 0; k < ode.states; ++k) {
        if (!g_.is_constant(ode.state_gain[k], 0)) {
          b.gainers.push_back(k);
          nodes.results.push_back(ode.state_gain[k]);
        }
        const auto input = std::ranges::find(ode.inputs, ode.start[k]);
        if (input != ode.inputs.end()) b.starts.emplace_back(k, static_cast<std::uint32_t>(input - ode.inputs.begin()));
      }
      b.gains = compile_rates(g_, nodes);
      for (const NodeId a : g_.arguments(id).subspan(ode.inputs.size())) {
        if (g_[a].op == Op::curve) {
          b.curves.push_back(g_[a].which);
        } else if (g_[a].op == Op::group_sum) {
          for (std::uint32_t j = 0; j < ode.times.size(); ++j) b.values.push_back({Operand::scalar, slot_.at(a) + j});
        } else {
          b.values.push_back(scalar_operand(a));
        }
      }
      b.out = slot_[id] = new_slots(static_cast<std::uint32_t>(ode.inputs.size()));
      p_.backward = std::make_shared<const OdeBackward>(std::move(b));
      p_.backward_stage = s;
    }
  }

  void sweeps(std::uint32_t s) {
    std::map<std::uint32_t, std::vector<NodeId>> by_dimension;
    for (NodeId id = 0; id < g_.size(); ++id)
      if (plan_.needed[id] && reduces(g_[id].op) && plan_.stage[id] == s + 1)
        by_dimension[g_[g_.arguments(id)[0]].dimension].push_back(id);
    for (const auto& [dimension, reductions] : by_dimension) {
      Sweep sweep{.rows = g_.rows(dimension)};
      fill(sweep, reductions, {});
      add(s, std::move(sweep));
    }
  }

  void add(std::uint32_t s, Sweep sweep) {
    p_.tile_numbers = std::max(p_.tile_numbers, sweep.tile_slots * sweep.tile_rows * kWidth);
    p_.stages[s].sweeps.push_back(std::move(sweep));
  }

  /// Tile slots are reused as soon as their value has been read for the last time.
  void fill(Sweep& sweep, const std::vector<NodeId>& reductions, std::span<const NodeId> stored) {
    const Selection chosen = select(g_, reductions, stored);
    std::unordered_map<NodeId, std::size_t> last;
    const auto note = [&](const std::vector<NodeId>& operands, std::size_t at) {
      for (const NodeId a : operands) last[a] = at;
    };
    for (std::size_t i = 0; i < chosen.steps.size(); ++i) note(chosen.steps[i].operands, i);
    for (const SelectedFold& f : chosen.folds) note(f.operands, chosen.steps.size());
    std::unordered_map<NodeId, std::uint32_t> place;
    std::vector<std::uint32_t> free;
    for (std::size_t i = 0; i < chosen.steps.size(); ++i) {
      const SelectedStep& step = chosen.steps[i];
      std::vector<Operand> operands;
      for (const NodeId a : step.operands) operands.push_back(row_operand(a, place));
      for (const NodeId a : step.operands) {
        const auto held = place.find(a);
        if (held == place.end() || last[a] != i) continue;
        free.push_back(held->second);
        place.erase(held);
      }
      // A value may take the place of its own argument: every kernel reads a number before it writes it. The two that
      // read an argument more than once keep away.
      std::uint32_t out = sweep.tile_slots;
      const bool apart = step.code == Code::log_sum_exp || step.code == Code::linear;
      if (!free.empty() && !apart) {
        out = free.back();
        free.pop_back();
      } else {
        ++sweep.tile_slots;
      }
      place[step.node] = out;
      emit(sweep.steps, step.code, out, operands);
    }
    for (const SelectedFold& f : chosen.folds) {
      const Node& node = g_[f.node];
      if (f.fold == Fold::store) {
        sweep.reductions.push_back({.fold = f.fold, .first = push({row_operand(f.node, place)}), .count = 1});
        continue;
      }
      Reduction r{.fold = f.fold, .groups = node.op == Op::group_sum ? static_cast<std::uint32_t>(node.value) : 1};
      if (node.op == Op::group_sum) r.index = index(node.which);
      r.out = slot_[f.node] = new_slots(r.groups);
      r.state = new_slots(3);
      std::vector<Operand> operands;
      for (const NodeId a : f.operands) operands.push_back(row_operand(a, place));
      r.first = push(operands);
      r.count = static_cast<std::uint32_t>(operands.size());
      sweep.reductions.push_back(r);
    }
    constexpr std::size_t kTileBytes = 24 * 1024;  // most of a first-level cache
    const std::size_t row_bytes = std::max<std::size_t>(sweep.tile_slots, 1) * kWidth * sizeof(double);
    sweep.tile_rows = std::clamp<std::size_t>(kTileBytes / row_bytes, 4, 32) / 4 * 4;
  }

  Operand row_operand(NodeId id, const std::unordered_map<NodeId, std::uint32_t>& place) {
    const Node& node = g_[id];
    if (node.dimension == 0) return scalar_operand(id);
    if (node.op == Op::data) return column(id);
    if (node.op == Op::gather) return {Operand::gather, lined_up_.at(id), index(node.which)};
    if (node.op == Op::curve) return {Operand::curve, curve_place_.at(node.which), index(g_.ode()->index)};
    return {Operand::tile, place.at(id)};
  }

  const Graph& g_;
  const Plan plan_;
  std::span<const NodeId> outputs_;
  Program p_;
  std::unordered_map<std::uint64_t, std::size_t> constants_;
  std::unordered_map<std::uint32_t, std::size_t> columns_, indices_;
  std::unordered_map<NodeId, std::uint32_t> slot_, lined_up_;
  std::map<std::vector<NodeId>, std::uint32_t> copies_;
  std::unordered_map<std::uint32_t, std::uint32_t> curve_place_;
};

}  // namespace

Program compile(const Graph& graph, std::span<const NodeId> outputs, std::uint32_t parameters) {
  return Compiler(graph, outputs, parameters).run();
}

Program compile_rows(const Graph& graph, std::span<const NodeId> outputs, std::uint32_t dimension,
                     std::uint32_t parameters) {
  return Compiler(graph, outputs, parameters).run_rows(dimension);
}

}  // namespace evident::formula
