// A differential equation as it is solved: a program of its rates, and where everything lies.
//
// The rates are run for all lanes at once by the kernels of any other program. Their slots, kWidth numbers each, are
//
//   inputs | time | states | values on the way
//
// and the rates themselves lie elsewhere, once per stage of the method. The way back has a program, too, with slots
//
//   inputs | time | states | gains | sums | values on the way
//
// which adds to the sums in their place, and gives what the states gain.
#pragma once

#include <cstdint>
#include <vector>

#include "formula/program.hpp"

namespace evident::formula {

struct RatesProgram {
  std::uint32_t slots = 0;
  bool uses_time = false;
  std::vector<Instruction> steps{};  ///< `out`: a slot, or kResult + k for result k
  std::vector<Operand> operands{};   ///< constant, scalar = a slot, tile = a result
  std::vector<double> constants{};

  static constexpr std::uint32_t kResult = 0x80000000u;
};

struct OdeProgram {
  std::uint32_t states = 0;
  RatesProgram rates{};
  std::vector<Operand> inputs{};        ///< scalars of the program around it
  std::vector<Operand> starts{};        ///< scalars or constants of the program around it, one a state
  std::vector<std::uint32_t> curves{};  ///< states that are wanted at the times
  std::vector<double> times{};
  double from = 0, tolerance = 1e-6, absolute = 1e-12;
  std::size_t max_steps = 10'000;

  std::uint32_t time_slot() const { return static_cast<std::uint32_t>(inputs.size()); }
  std::uint32_t state_slot() const { return time_slot() + 1; }
  std::uint32_t gain_slot() const { return state_slot() + states; }
  std::uint32_t sum_slot() const { return gain_slot() + states; }
};

struct OdeBackward {
  RatesProgram gains{};                  ///< a result for each of `gainers`
  std::vector<std::uint32_t> gainers{};  ///< states whose gain is not always 0
  std::vector<std::uint32_t> curves{};   ///< states that the value has something of
  std::vector<Operand> values{};         ///< what it gains, time by time for the first of `curves`, then for the next
  std::vector<std::pair<std::uint32_t, std::uint32_t>> starts{};  ///< a state, and the input that it starts from
  std::uint32_t out = 0;                                          ///< scalar slot for the first input's slope
};

/// What compile_rates makes a program of.
struct RatesNodes {
  std::vector<NodeId> inputs{};         ///< in slots 0, 1, ...
  std::vector<std::uint32_t> leaves{};  ///< which Op::state is in the slots after them
  std::vector<NodeId> results{};
  std::vector<NodeId> sums{};   ///< nodes that replace one of the leaves, or kNone
  std::uint32_t first_sum = 0;  ///< slot of the first
};
RatesProgram compile_rates(const Graph& graph, const RatesNodes& nodes);

}  // namespace evident::formula
