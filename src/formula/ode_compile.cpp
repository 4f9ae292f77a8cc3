// From the nodes of rates to steps; a product that is added to something becomes one step with it.
#include <algorithm>
#include <bit>
#include <unordered_map>
#include <unordered_set>

#include "formula/ode.hpp"
#include "formula/ode_program.hpp"

namespace evident::formula {
namespace {

class RatesCompiler {
 public:
  RatesCompiler(const Graph& g, const RatesNodes& nodes) : g_(g), results_(nodes.results) {
    for (const NodeId id : nodes.inputs) place_[id] = {Operand::scalar, p_.slots++};
    for (const std::uint32_t leaf : nodes.leaves) leaves_[leaf] = p_.slots++;
    wanted_ = results_;
    for (std::uint32_t k = 0; k < results_.size(); ++k) out_.try_emplace(results_[k], RatesProgram::kResult + k);
    for (std::uint32_t i = 0; i < nodes.sums.size(); ++i) {
      if (nodes.sums[i] == kNone) continue;
      wanted_.push_back(nodes.sums[i]);
      out_[nodes.sums[i]] = nodes.first_sum + i;
    }
  }

  RatesProgram run() {
    choose();
    allocate();
    return std::move(p_);
  }

 private:
  struct Chosen {
    NodeId node{};
    Code code{};
    std::vector<NodeId> operands{};
  };

  /// Is it there before any step is done?
  bool is_given(NodeId id) const { return g_[id].fixed || g_[id].op == Op::state || place_.contains(id); }

  void choose() {
    std::unordered_map<NodeId, std::size_t> uses;
    std::vector<NodeId> open = wanted_, needed;
    for (const NodeId id : wanted_) uses[id] += 2;  // it is wanted for itself
    std::vector<bool> seen(g_.size());
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      if (seen[id] || is_given(id)) continue;
      seen[id] = true;
      needed.push_back(id);
      for (const NodeId a : g_.arguments(id)) {
        ++uses[a];
        open.push_back(a);
      }
    }
    std::ranges::sort(needed);
    std::vector<bool> absorbed(g_.size());
    const auto once = [&](NodeId a) { return g_[a].op == Op::mul && !is_given(a) && uses[a] == 1; };
    for (const NodeId id : needed) {
      const std::vector<NodeId> x(g_.arguments(id).begin(), g_.arguments(id).end());
      Chosen step{id, code_of(g_[id].op), x};
      const bool sum = g_[id].op == Op::add, difference = g_[id].op == Op::sub;
      for (std::size_t k = 0; k < 2 && (sum || difference); ++k) {
        if (!once(x[k]) || absorbed[x[k]]) continue;
        absorbed[x[k]] = true;
        step.code = sum ? Code::mul_add : k == 0 ? Code::mul_sub : Code::neg_mul_add;
        step.operands = {g_.arguments(x[k])[0], g_.arguments(x[k])[1], x[1 - k]};
        break;
      }
      chosen_.push_back(std::move(step));
    }
    std::erase_if(chosen_, [&](const Chosen& c) { return absorbed[c.node]; });
  }

  Operand operand(NodeId id) {
    if (g_[id].op == Op::constant) {
      const auto [at, is_new] = constants_.try_emplace(std::bit_cast<std::uint64_t>(g_[id].value), p_.constants.size());
      if (is_new) p_.constants.push_back(g_[id].value);
      return {Operand::constant, static_cast<std::uint32_t>(at->second)};
    }
    if (g_[id].op == Op::state) {
      p_.uses_time = p_.uses_time || g_[id].which == g_.ode()->time_leaf();
      return {Operand::scalar, leaves_.at(g_[id].which)};
    }
    return place_.at(id);
  }

  void emit(Code code, std::uint32_t out, const std::vector<NodeId>& x) {
    const auto first = static_cast<std::uint32_t>(p_.operands.size());
    for (const NodeId a : x) p_.operands.push_back(operand(a));
    p_.steps.push_back({code, out, first, static_cast<std::uint32_t>(x.size())});
  }

  /// Slots are used again as soon as their value has been read for the last time.
  void allocate() {
    std::unordered_map<NodeId, std::size_t> last;
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      for (const NodeId a : chosen_[i].operands) last[a] = i;
    std::vector<std::uint32_t> free;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const Chosen& step = chosen_[i];
      const auto wanted = out_.find(step.node);
      std::uint32_t out = 0;
      // Values may take the place of an argument, but for those that are formed by reading arguments twice.
      const bool apart = step.code == Code::log_sum_exp || step.code == Code::pow;
      const auto release = [&] {
        for (const NodeId a : step.operands) {
          if (last[a] != i || !temporary_.contains(a)) continue;
          last[a] = chosen_.size();  // once, though it may stand there twice
          free.push_back(place_.at(a).place);
        }
      };
      if (!apart) release();
      if (wanted != out_.end()) {
        out = wanted->second;
        emit(step.code, out, step.operands);
        const bool is_result = out >= RatesProgram::kResult;
        place_[step.node] =
            is_result ? Operand{Operand::tile, out - RatesProgram::kResult} : Operand{Operand::scalar, out};
      } else {
        if (free.empty()) free.push_back(p_.slots++);
        out = free.back();
        free.pop_back();
        emit(step.code, out, step.operands);
        place_[step.node] = {Operand::scalar, out};
        temporary_.insert(step.node);
      }
      if (apart) release();
    }
    copy_results();
  }

  /// Those that no step has put into their place.
  void copy_results() {
    for (std::uint32_t k = 0; k < results_.size(); ++k) {
      const auto at = place_.find(results_[k]);
      if (at != place_.end() && at->second.kind == Operand::tile && at->second.place == k) continue;
      emit(Code::copy, RatesProgram::kResult + k, {results_[k]});
    }
  }

  const Graph& g_;
  RatesProgram p_;
  std::vector<NodeId> results_, wanted_;
  std::unordered_map<NodeId, std::uint32_t> out_;
  std::vector<Chosen> chosen_;
  std::unordered_map<NodeId, Operand> place_;
  std::unordered_map<std::uint32_t, std::uint32_t> leaves_;
  std::unordered_map<std::uint64_t, std::size_t> constants_;
  std::unordered_set<NodeId> temporary_;
};

}  // namespace

RatesProgram compile_rates(const Graph& graph, const RatesNodes& nodes) { return RatesCompiler(graph, nodes).run(); }

}  // namespace evident::formula
