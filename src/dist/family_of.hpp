// Turns a small struct of formulas into a Family.
//
//   struct Laplace {
//     static constexpr std::string_view kName = "laplace";
//     static constexpr std::array<std::string_view, 2> kArguments = {"location", "scale"};
//     static constexpr std::string_view kRequirement = "scale > 0";
//     static bool valid(const double* args);
//     static Support support(const double* args);
//     struct Term { ...; double at(double x) const; };     // constants of the log density; x is never NaN
//     static Term term(const double* args);                // called with valid arguments only
//     static double slope(double x, const double* args);   // of the log density, inside the support
//     static double draw(Stream& stream, const double* args);
//   };
//   const Family& laplace_family() { return instance<Laplace>(); }
//
// A Term for which dist/batch.hpp has a vectorised `add` gets it; a static `add_varying(x, args, out)` is used, if
// there is one, when arguments differ from particle to particle.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "dist/batch.hpp"
#include "evident/base/log_math.hpp"
#include "evident/dist/distribution.hpp"

namespace evident::dist {

template <class F>
class FamilyOf final : public Family {
 public:
  std::string_view name() const override { return F::kName; }
  std::span<const std::string_view> arguments() const override { return F::kArguments; }
  bool valid(const double* args) const override { return F::valid(args); }
  std::string requirement() const override { return std::string(F::kRequirement); }
  Support support(const double* args) const override { return F::support(args); }

  double log_density(double x, const double* args) const override {
    if (std::isnan(x) || !F::valid(args)) return -kInf;
    return F::term(args).at(x);
  }

  double d_log_density(double x, const double* args) const override {
    if (!F::valid(args)) return kNaN;
    const Support s = F::support(args);
    if (s.discrete || !(x >= s.lower && x <= s.upper)) return kNaN;
    return F::slope(x, args);
  }

  double draw(Stream& stream, const double* args) const override {
    return F::valid(args) ? F::draw(stream, args) : kNaN;
  }

  void add_log_density(std::span<const double> x, std::span<const ArgumentValues> args,
                       std::span<double> out) const override {
    std::array<double, F::kArguments.size()> values;
    const auto gather = [&](std::size_t i) {
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = args[k][i];
    };
    const bool varies = std::any_of(args.begin(), args.end(), [](const ArgumentValues& a) { return a.per_particle; });
    if constexpr (requires { F::add_varying(x, args, out); }) {
      if (varies) return F::add_varying(x, args, out);
    }
    if (varies) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        gather(i);
        out[i] += log_density(x[i], values.data());
      }
      return;
    }
    gather(0);
    add_constant(x, values.data(), out);
  }

 private:
  static void add_constant(std::span<const double> x, const double* values, std::span<double> out) {
    if (!F::valid(values)) {
      for (double& sum : out) sum += -kInf;
      return;
    }
    const typename F::Term term = F::term(values);
    if constexpr (requires { add(term, x, out); }) {
      add(term, x, out);
    } else {
      for (std::size_t i = 0; i < x.size(); ++i) out[i] += std::isnan(x[i]) ? -kInf : term.at(x[i]);
    }
  }
};

/// The one object of a family.
template <class F>
const Family& instance() {
  static const FamilyOf<F> family;
  return family;
}

/// Positive, and so far from the ends of the number range that neither inverse nor logarithm times value overflows.
inline bool is_positive(double x) { return x >= kSmallestArgument && x <= kLargestArgument; }

}  // namespace evident::dist
