// The memory in which a differential equation is solved for a block of particles, lane by lane.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "evident/base/block.hpp"
#include "formula/ode_program.hpp"
#include "formula/view.hpp"

namespace evident::formula {

inline constexpr std::size_t kOdeStages = 7;

/// A step of the rates with its arguments found; all of them are numbers per lane.
struct PlacedStep {
  Code code{};
  std::uint32_t count = 0;
  const View* arguments = nullptr;
  double* out = nullptr;
  std::array<const double*, 3> x{};  ///< the first arguments once more
};

/// A program of rates with everything found, once per stage: stages differ in where results are written.
struct PlacedRates {
  AlignedVector<double> constants;  ///< of the program, for all lanes
  std::vector<View> views;
  std::array<std::vector<PlacedStep>, kOdeStages> steps;

  /// result(stage, k): where result k goes; state(stage, k): where state k is, of `n` that begin at slot `first`.
  template <class R, class S>
  void place(const RatesProgram& p, double* slots, std::size_t first, std::size_t n, R result, S state) {
    views.resize(kOdeStages * p.operands.size());
    constants.resize(p.constants.size() * kWidth);
    for (std::size_t j = 0; j < constants.size(); ++j) constants[j] = p.constants[j / kWidth];
    for (std::size_t s = 0; s < kOdeStages; ++s) {
      View* const base = views.data() + s * p.operands.size();
      for (std::size_t k = 0; k < p.operands.size(); ++k) {
        const Operand& o = p.operands[k];
        if (o.kind == Operand::constant)
          base[k] = {constants.data() + o.place * kWidth, 0, nullptr, true};
        else if (o.kind == Operand::tile)
          base[k] = {result(s, o.place), 0, nullptr, true};
        else
          base[k] = {o.place >= first && o.place < first + n ? state(s, o.place - first) : slots + o.place * kWidth, 0,
                     nullptr, true};
      }
      steps[s].clear();
      for (const Instruction& in : p.steps) {
        const bool is_result = in.out >= RatesProgram::kResult;
        PlacedStep step{in.code, in.count, base + in.first,
                        is_result ? result(s, in.out - RatesProgram::kResult) : slots + in.out * kWidth};
        for (std::size_t k = 0; k < std::min<std::size_t>(in.count, 3); ++k) step.x[k] = base[in.first + k].base;
        steps[s].push_back(step);
      }
    }
  }
};

/// What happened on the way, so that it can be gone back: attempts of steps, and who left after which.
///
/// Memory is bounded: a solution of many steps is kept in parts, of which only the last is there. For the others there
/// is the point where they begin, and they are made again.
struct OdeTape {
  struct Attempt {
    std::size_t at =
        0;  ///< in `numbers`: rows of `lanes` numbers, the step (0 for who repeats it), the time, the states
    std::size_t lanes = 0;
    std::uint64_t kept = 0;      ///< bit i: lane i has done this step
    std::size_t departures = 0;  ///< how many there are, up to the end of this attempt
  };
  struct Departure {
    std::uint32_t lane = 0, particle = 0, next = 0;
  };
  /// All that a solver has between two attempts.
  struct Point {
    std::size_t attempts = 0, active = 0;
    std::array<std::uint32_t, kWidth> next{}, particle{};
    std::vector<double> numbers{};
  };

  AlignedVector<double> numbers;
  std::size_t used = 0;
  std::vector<Attempt> attempts;
  std::vector<Departure> departures;
  std::vector<double> ends;  ///< the states of those who left, one after another
  std::vector<Point> parts;  ///< where each part begins

  void clear() {
    used = 0;
    attempts.clear();
    departures.clear();
    ends.clear();
  }
  static std::size_t rows(std::size_t states) { return states + 2; }
  /// 4 MB, or 32 steps of many states.
  static std::size_t most_numbers(std::size_t states) {
    return std::max<std::size_t>(std::size_t{1} << 19, 32 * rows(states) * kWidth);
  }
  double* add(std::size_t rows, std::size_t lanes) {
    if (numbers.size() < used + rows * lanes) numbers.resize(std::max(2 * numbers.size(), used + rows * lanes));
    attempts.push_back({used, lanes, 0, 0});
    used += rows * lanes;
    return numbers.data() + attempts.back().at;
  }
};

struct OdeRoom {
  AlignedVector<double> numbers, curves;
  PlacedRates placed;
  std::array<std::uint32_t, kWidth> next{}, particle{};  ///< of each lane: the next time, and who is in it
  OdeTape tape;

  // Parts of `numbers`, kWidth a row.
  double* slots = nullptr;
  double* y = nullptr;          ///< the states
  double* rates = nullptr;      ///< stage after stage
  double* at_stages = nullptr;  ///< states at stages 1 .. 6
  double *time = nullptr, *wish = nullptr, *step = nullptr, *error = nullptr, *next_time = nullptr, *after = nullptr;

  void fit(const OdeProgram& p) {
    const std::size_t rows = p.rates.slots + 2 * kOdeStages * p.states + 6;
    if (numbers.size() < rows * kWidth) numbers.resize(rows * kWidth);
    const std::size_t size = p.curves.size() * p.times.size() * kWidth;
    if (curves.size() < size) curves.resize(size);
  }

  /// Places of everything, for this program.
  void lay_out(const OdeProgram& p) {
    double* at = numbers.data();
    const auto take = [&](std::size_t rows) {
      double* const first = at;
      at += rows * kWidth;
      return first;
    };
    slots = take(p.rates.slots);
    y = take(p.states);
    rates = take(kOdeStages * p.states);
    at_stages = take(6 * p.states);
    for (double** row : {&time, &wish, &step, &error, &next_time, &after}) *row = take(1);
    placed.place(
        p.rates, slots, p.state_slot(), p.states,
        [&](std::size_t s, std::size_t k) { return rates + (s * p.states + k) * kWidth; },
        [&](std::size_t s, std::size_t k) { return s == 0 ? y + k * kWidth : state(p, s, k); });
  }

  double* state(const OdeProgram& p, std::size_t stage, std::size_t k) const {
    return at_stages + ((stage - 1) * p.states + k) * kWidth;
  }
  const double* curve(const OdeProgram& p, std::uint32_t which) const {
    return curves.data() + which * p.times.size() * kWidth;
  }
  double& curve_at(const OdeProgram& p, std::size_t which, std::size_t time_place, std::size_t who) {
    return curves[(which * p.times.size() + time_place) * kWidth + who];
  }
};

/// The same for the way back.
struct OdeBackRoom {
  AlignedVector<double> numbers, sorted;
  PlacedRates placed;
  std::vector<View> values;  ///< where gains by curves lie
  std::array<std::uint32_t, kWidth> next{}, particle{};

  double* slots = nullptr;
  double* gains = nullptr;  ///< of the states at each stage; the last ones are those of the step's end
  double* rate = nullptr;   ///< gain of the rate at the beginning of the step that comes after
  double* seen = nullptr;   ///< gains of the stages' rates by what is observed within the step
  double* value = nullptr;  ///< gain of the states by the same
  double* end = nullptr;    ///< the states at the end of the step
  double* last = nullptr;   ///< time of the last observation that is not yet gone by

  void lay_out(const OdeProgram& p, const OdeBackward& b, const OdeRoom& way) {
    const std::size_t n = p.states, rows = b.gains.slots + n * (2 * kOdeStages + 3) + 1;
    if (numbers.size() < rows * kWidth) numbers.resize(rows * kWidth);
    std::fill_n(numbers.begin(), rows * kWidth, 0.0);
    slots = numbers.data();
    gains = slots + b.gains.slots * kWidth;
    rate = gains + kOdeStages * n * kWidth;
    seen = rate + n * kWidth;
    value = seen + kOdeStages * n * kWidth;
    end = value + n * kWidth;
    last = end + n * kWidth;
    placed.place(
        b.gains, slots, p.state_slot(), n,
        [&](std::size_t s, std::size_t k) { return gains + (s * n + b.gainers[k]) * kWidth; },
        [&](std::size_t s, std::size_t k) { return s == 0 || s == 6 ? end + k * kWidth : way.state(p, s, k); });
  }
};

}  // namespace evident::formula
