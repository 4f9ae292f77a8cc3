// The slopes of a solution: back through its steps, as they are on the tape. Compiled once per SIMD target.
//
// A step is Y_s = y + h sum_j a_sj k_j with rates k_s = f(Y_s), and the last Y is the next y. Call `gain` of a number
// what the value gains when the number grows by one unit (the derivative of the value). Going back, the gain of k_s is
// h sum_m a_ms gain(Y_m) over later stages m, with what is observed within the step; and gain(Y_s) is f's slope times
// the gain of k_s. These are the exact slopes of the solution that the solver has found, with its steps as they were;
// they cost a small multiple of that solution, however many inputs there are.
#if defined(EVIDENT_FORMULA_ODE_BACKWARD_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef EVIDENT_FORMULA_ODE_BACKWARD_INL_HPP_
#undef EVIDENT_FORMULA_ODE_BACKWARD_INL_HPP_
#else
#define EVIDENT_FORMULA_ODE_BACKWARD_INL_HPP_
#endif

#include "formula/ode-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::formula {
namespace HWY_NAMESPACE {

class Backward {
 public:
  Backward(const Program& p, Workspace& w, StepFunction step)
      : p_(p),
        o_(*p.ode),
        b_(*p.backward),
        w_(w),
        tape_(w.ode.tape),
        r_(w.back),
        step_(step),
        n_(o_.states),
        way_(p, w, step) {}

  void run() {
    r_.lay_out(o_, b_, w_.ode);
    r_.values.clear();
    for (const Operand& o : b_.values) r_.values.push_back(*w_.view(p_, o));
    while (at_start_ < o_.times.size() && o_.times[at_start_] <= o_.from) ++at_start_;
    for (std::size_t part = tape_.parts.size(); part-- > 0;) {
      if (part + 1 < tape_.parts.size()) way_.repeat(part);
      for (std::size_t a = tape_.attempts.size(); a-- > 0;) {
        const std::size_t before = a == 0 ? 0 : tape_.attempts[a - 1].departures;
        while (tape_.departures.size() > before) bring_back();
        a_ = tape_.attempts[a];
        record_ = tape_.numbers.data() + a_.at;
        way_.make_again(a_);
        observations();
        stages(std::make_index_sequence<5>());
        std::copy_n(way_.states(), n_ * kWidth, r_.end);
      }
    }
    finish();
  }

 private:
  double* slot(std::size_t j) const { return r_.slots + j * kWidth; }
  double* gain(std::size_t stage, std::size_t k) const { return r_.gains + (stage * n_ + k) * kWidth; }
  double* seen(std::size_t stage, std::size_t k) const { return r_.seen + (stage * n_ + k) * kWidth; }
  /// Gain of the rate of state k at the stage at work.
  double* rate_gain(std::size_t k) const { return slot(o_.gain_slot() + k); }
  /// What the value gains by curve c at time j.
  double value(std::size_t c, std::size_t j, std::size_t who) const {
    const View& v = r_.values[c * o_.times.size() + j];
    return v.base[v.each ? who : 0];
  }

  void run_program(std::size_t stage, std::size_t lanes) { run_rates(r_.placed.steps[stage], w_.room, step_, lanes); }

  /// All that a particle has from one step to the one before.
  template <class F>
  void rows_to_keep(F f) {
    for (std::size_t j = 0; j < o_.inputs.size(); ++j) {
      f(slot(j));
      f(way_.input(j));
      f(slot(o_.sum_slot() + j));
    }
    for (std::size_t k = 0; k < n_; ++k) {
      f(gain(6, k));
      f(r_.rate + k * kWidth);
      f(r_.end + k * kWidth);
    }
    f(r_.last);
  }

  void load_inputs(std::size_t lane, std::size_t who) {
    for (std::size_t j = 0; j < o_.inputs.size(); ++j) {
      const View v = *w_.view(p_, o_.inputs[j]);
      slot(j)[lane] = way_.input(j)[lane] = v.base[v.each ? who : 0];
    }
  }

  /// The lane of somebody who left, and whoever took it back at the end.
  void bring_back() {
    const OdeTape::Departure d = tape_.departures.back();
    tape_.departures.pop_back();
    const std::size_t lane = d.lane, last = active_++;
    rows_to_keep([&](double* row) {
      row[last] = row[lane];
      row[lane] = 0;
    });
    r_.next[last] = r_.next[lane];
    r_.particle[last] = r_.particle[lane];
    r_.next[lane] = d.next;
    r_.particle[lane] = d.particle;
    load_inputs(lane, d.particle);
    for (std::size_t k = n_; k-- > 0; tape_.ends.pop_back()) r_.end[k * kWidth + lane] = tape_.ends.back();
    note_last(lane);
  }

  void note_last(std::size_t lane) { r_.last[lane] = r_.next[lane] > at_start_ ? o_.times[r_.next[lane] - 1] : -kInf; }

  /// Gains of the rates of all stages by what was observed within the step.
  void observations() {
    const D d;
    const std::size_t width = hn::Lanes(d);
    std::uint64_t now = 0;
    for (std::size_t i = 0; i < a_.lanes; i += width) {
      const V t = hn::Load(d, record_ + a_.lanes + i);
      std::uint64_t hit = bits(hn::Gt(hn::Load(d, r_.last + i), t)) << i & a_.kept;
      const std::uint64_t lanes = ((std::uint64_t{1} << width) - 1) << i;
      if (hit != 0) now |= lanes;
      if (hit != 0 || (seen_ & lanes) != 0) clear(i);
      while (hit != 0) hit = observe(i, hit);
    }
    seen_ = now;
  }

  void clear(std::size_t i) {
    const D d;
    for (const std::uint32_t k : b_.curves) {
      for (std::size_t s = 0; s < kOdeStages; ++s) hn::Store(hn::Zero(d), d, seen(s, k) + i);
      hn::Store(hn::Zero(d), d, r_.value + k * kWidth + i);
    }
  }

  /// The last observation of the lanes in `hit`; those which have one more are the result.
  std::uint64_t observe(std::size_t i, std::uint64_t hit) {
    const D d;
    const V h = hn::Load(d, record_ + i), t = hn::Load(d, record_ + a_.lanes + i);
    V weight[kOdeStages];
    const auto here = lanes_in(hit, i);
    interpolant(hn::IfThenElseZero(here, hn::Div(hn::Sub(hn::Load(d, r_.last + i), t), h)), h, weight);
    HWY_ALIGN double found[8] = {};
    for (std::size_t c = 0; c < b_.curves.size(); ++c) {
      const std::size_t k = b_.curves[c];
      for (std::uint64_t left = hit; left != 0; left &= left - 1) {
        const auto l = static_cast<std::size_t>(std::countr_zero(left));
        found[l - i] = value(c, r_.next[l] - 1, r_.particle[l]);
      }
      const V amount = hn::IfThenElseZero(here, hn::Load(d, found));
      for (std::size_t s = 0; s < kOdeStages; ++s)
        hn::Store(hn::MulAdd(weight[s], amount, hn::Load(d, seen(s, k) + i)), d, seen(s, k) + i);
      double* all = r_.value + k * kWidth + i;
      hn::Store(hn::Add(hn::Load(d, all), amount), d, all);
    }
    std::uint64_t more = 0;
    for (std::uint64_t left = hit; left != 0; left &= left - 1) {
      const auto l = static_cast<std::size_t>(std::countr_zero(left));
      --r_.next[l];
      note_last(l);
      if (r_.last[l] > record_[a_.lanes + l]) more |= std::uint64_t{1} << l;
    }
    return more;
  }

  template <std::size_t... S>
  HWY_INLINE void stages(std::index_sequence<S...>) {
    last_stage();
    (stage<5 - S>(std::make_index_sequence<S + 1>()), ...);
    first_stage(std::make_index_sequence<6>());
  }

  /// The program at a stage, with the states and the time as they were; gains go to those of stage `out`.
  HWY_INLINE void run_at(std::size_t stage, std::size_t out) {
    set_time(stage, a_.lanes);
    run_program(out, a_.lanes);
  }

  HWY_INLINE void set_time(std::size_t stage, std::size_t count) {
    const D d;
    if (!b_.gains.uses_time) return;
    double* to = slot(o_.time_slot());
    for (std::size_t i = 0; i < count; i += hn::Lanes(d))
      hn::Store(
          hn::MulAdd(hn::Load(d, record_ + i), hn::Set(d, tsitouras::kTime[stage]), hn::Load(d, record_ + count + i)),
          d, to + i);
  }

  /// The rate at the end of the step is the first of the next one.
  HWY_INLINE void last_stage() {
    const D d;
    for (std::size_t k = 0; k < n_; ++k)
      for (std::size_t i = 0; i < a_.lanes; i += hn::Lanes(d)) {
        const V sum = hn::Add(hn::Load(d, r_.rate + k * kWidth + i), hn::Load(d, seen(6, k) + i));
        hn::Store(hn::IfThenElseZero(lanes_in(a_.kept, i), sum), d, rate_gain(k) + i);
      }
    run_at(6, 0);
    for (const std::uint32_t k : b_.gainers)
      for (std::size_t i = 0; i < a_.lanes; i += hn::Lanes(d)) {
        double* end = gain(6, k) + i;
        hn::Store(hn::Add(hn::Load(d, end), hn::Load(d, gain(0, k) + i)), d, end);
      }
  }

  /// h sum_m a_mS gain(Y_m) over the stages after S, and what is observed. `from`: the gain at the next stage.
  template <std::size_t S, std::size_t... M>
  static HWY_INLINE V pulled(const double* from, std::size_t row, V h, const double* seen, std::index_sequence<M...>) {
    const D d;
    V sum = hn::Zero(d);
    ((sum = hn::MulAdd(hn::Set(d, tsitouras::kStage[S + M][S]), hn::Load(d, from + M * row), sum)), ...);
    return hn::MulAdd(h, sum, hn::Load(d, seen));
  }

  template <std::size_t S, std::size_t... M>
  HWY_INLINE void stage(std::index_sequence<M...> after) {
    const D d;
    const std::size_t count = a_.lanes, row = n_ * kWidth;
    const double* h = record_;
    for (std::size_t k = 0; k < n_; ++k) {
      const double *from = gain(S + 1, k), *more = seen(S, k);
      double* to = rate_gain(k);
      for (std::size_t i = 0; i < count; i += hn::Lanes(d))
        hn::Store(pulled<S>(from + i, row, hn::Load(d, h + i), more + i, after), d, to + i);
    }
    run_at(S, S);
  }

  /// What the beginning of the step has of all stages; its rate belongs to the step before.
  template <std::size_t... M>
  HWY_INLINE void first_stage(std::index_sequence<M...> after) {
    const D d;
    const std::size_t count = a_.lanes, row = n_ * kWidth;
    const double* h = record_;
    const std::uint64_t all = a_.kept;
    for (std::size_t k = 0; k < n_; ++k) {
      const double *from = gain(1, k), *more = seen(0, k), *value = r_.value + k * kWidth;
      double *rate = r_.rate + k * kWidth, *end = gain(6, k);
      for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
        const V now = pulled<0>(from + i, row, hn::Load(d, h + i), more + i, after);
        hn::Store(hn::IfThenElse(lanes_in(all, i), now, hn::Load(d, rate + i)), d, rate + i);
        V sum = hn::Add(hn::Load(d, end + i), hn::Load(d, value + i));
        for (std::size_t s = 0; s < 5; ++s) sum = hn::Add(sum, hn::Load(d, from + s * row + i));
        hn::Store(sum, d, end + i);
      }
    }
  }

  /// The first rate, what is observed at the start, and the start values.
  void finish() {
    const std::size_t count = w_.particles;
    AlignedVector<double>& sorted = r_.sorted;
    std::size_t rows = 0;
    rows_to_keep([&](double*) { ++rows; });
    sorted.assign(rows * kWidth, 0.0);
    std::size_t at = 0;
    rows_to_keep([&](double* row) {
      for (std::size_t l = 0; l < active_; ++l) sorted[at + r_.particle[l]] = row[l];
      std::copy_n(sorted.data() + at, kWidth, row);
      at += kWidth;
    });
    for (std::size_t i = 0; i < kWidth; ++i) load_inputs(i, std::min(i, count - 1));
    for (std::size_t k = 0; k < n_; ++k) {
      const View v = *w_.view(p_, o_.starts[k]);
      for (std::size_t i = 0; i < kWidth; ++i) r_.end[k * kWidth + i] = v.base[v.each ? std::min(i, count - 1) : 0];
      std::copy_n(r_.rate + k * kWidth, kWidth, rate_gain(k));
    }
    std::fill_n(slot(o_.time_slot()), kWidth, o_.from);
    for (const std::uint32_t k : b_.gainers) std::fill_n(gain(0, k), kWidth, 0.0);
    if (!tape_.parts.empty()) run_program(0, kWidth);
    for (std::size_t c = 0; c < b_.curves.size(); ++c)
      for (std::size_t j = 0; j < at_start_; ++j)
        for (std::size_t i = 0; i < count; ++i) gain(6, b_.curves[c])[i] += value(c, j, i);
    for (const auto& [k, input] : b_.starts)
      for (std::size_t i = 0; i < count; ++i) slot(o_.sum_slot() + input)[i] += gain(6, k)[i] + gain(0, k)[i];
    const double* solved = w_.slots.data() + p_.solved * kWidth;
    for (std::size_t j = 0; j < o_.inputs.size(); ++j) {
      double* out = w_.slots.data() + (b_.out + j) * kWidth;
      for (std::size_t i = 0; i < kWidth; ++i) out[i] = i < count && solved[i] != 0 ? slot(o_.sum_slot() + j)[i] : 0;
    }
  }

  const Program& p_;
  const OdeProgram& o_;
  const OdeBackward& b_;
  Workspace& w_;
  OdeTape& tape_;
  OdeBackRoom& r_;
  StepFunction step_;
  std::size_t n_, active_ = 0, at_start_ = 0;
  Solver way_;
  OdeTape::Attempt a_{};
  const double* record_ = nullptr;
  std::uint64_t seen_ = 0;  ///< lanes with numbers in `seen`
};

void GoBack(const Program& p, Workspace& w, StepFunction step) {
  const FlushToZero guard;
  Backward(p, w, step).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace evident::formula
HWY_AFTER_NAMESPACE();

#endif  // include guard, per target
