// An evaluator of its own for random expressions: a tree, its text, and its value in any floating-point type. It shares
// nothing with the library.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace evident::twin {

/// What the leaves stand for.
template <class T>
struct Inputs {
  std::vector<T> parameters;       ///< a, b, c, then v[1], v[2], v[3]
  std::vector<double> x, z;        ///< columns
  std::vector<std::size_t> group;  ///< places in v
};

struct Tree {
  enum Kind { number, parameter, column, gathered, one, two, three, over_rows } kind = number;
  int which = 0;
  double value = 0;
  std::vector<Tree> parts{};

  bool has_rows() const {
    if (kind == column || kind == gathered) return true;
    if (kind == over_rows) return false;
    for (const Tree& p : parts)
      if (p.has_rows()) return true;
    return false;
  }
};

inline const char* const kOne[] = {"exp",  "log",    "log1p",     "expm1", "sqrt", "abs",
                                   "sin",  "cos",    "tan",       "tanh",  "atan", "erf",
                                   "erfc", "lgamma", "inv_logit", "logit", "-",    "log1p_exp"};
inline const char* const kTwo[] = {"+", "-", "*", "/", "min", "max", "^", "<"};

inline std::string text(const Tree& t) {
  const auto part = [&](std::size_t k) { return text(t.parts[k]); };
  switch (t.kind) {
    case Tree::number: {
      char buffer[40];
      std::snprintf(buffer, sizeof buffer, "%.17g", std::abs(t.value));
      return t.value < 0 ? "(-" + std::string(buffer) + ")" : buffer;
    }
    case Tree::parameter:
      return t.which < 3 ? std::string(1, static_cast<char>('a' + t.which)) : "v[" + std::to_string(t.which - 2) + "]";
    case Tree::column:
      return t.which == 0 ? "x" : "z";
    case Tree::gathered:
      return "v[group]";
    case Tree::one:
      if (t.which == 16) return "(-" + part(0) + ")";
      // Arguments are kept within the domain of the function.
      if (t.which == 0 || t.which == 3) return std::string(kOne[t.which]) + "(2*tanh(" + part(0) + "))";
      if (t.which == 1 || t.which == 4) return std::string(kOne[t.which]) + "(0.1 + abs(" + part(0) + "))";
      if (t.which == 2) return "log1p(abs(" + part(0) + "))";
      if (t.which == 13) return "lgamma(0.5 + abs(" + part(0) + "))";
      if (t.which == 15) return "logit(inv_logit(" + part(0) + "))";
      return std::string(kOne[t.which]) + "(" + part(0) + ")";
    case Tree::two:
      if (t.which == 4 || t.which == 5) return std::string(kTwo[t.which]) + "(" + part(0) + ", " + part(1) + ")";
      if (t.which == 3) return "(" + part(0) + " / (0.3 + " + part(1) + "^2))";
      if (t.which == 6) return "((0.2 + abs(" + part(0) + "))^tanh(" + part(1) + "))";
      return "(" + part(0) + " " + kTwo[t.which] + " " + part(1) + ")";
    case Tree::three:
      if (t.which == 0) return "where(" + part(0) + " < " + part(1) + ", " + part(2) + ", " + part(0) + ")";
      if (t.which == 1) return "log_sum_exp(" + part(0) + ", " + part(1) + ", " + part(2) + ")";
      return "dot(v, [" + part(0) + ", " + part(1) + ", " + part(2) + "])";
    case Tree::over_rows:
      return std::string(t.which == 0   ? "sum("
                         : t.which == 1 ? "mean("
                         : t.which == 2 ? "max("
                                        : "log_sum_exp(") +
             part(0) + ")";
  }
  return {};
}

inline bool is_less(long double a, long double b) { return a < b; }

template <class T>
T value(const Tree& t, const Inputs<T>& in, std::size_t row) {
  using std::abs, std::exp, std::log, std::tanh, std::log1p, std::expm1, std::sqrt, std::sin, std::cos, std::tan,
      std::atan, std::erf, std::erfc, std::lgamma, std::pow;
  const auto part = [&](std::size_t k) { return value(t.parts[k], in, row); };
  const auto sigmoid = [](T u) { return u > 0 ? 1 / (1 + exp(-u)) : exp(u) / (1 + exp(u)); };
  switch (t.kind) {
    case Tree::number:
      return static_cast<T>(t.value);
    case Tree::parameter:
      return in.parameters[static_cast<std::size_t>(t.which)];
    case Tree::column:
      return static_cast<T>((t.which == 0 ? in.x : in.z)[row]);
    case Tree::gathered:
      return in.parameters[3 + in.group[row]];
    case Tree::one: {
      const T u = part(0);
      switch (t.which) {
        case 0:
          return exp(2 * tanh(u));
        case 1:
          return log(static_cast<T>(0.1) + abs(u));
        case 2:
          return log1p(abs(u));
        case 3:
          return expm1(2 * tanh(u));
        case 4:
          return sqrt(static_cast<T>(0.1) + abs(u));
        case 5:
          return abs(u);
        case 6:
          return sin(u);
        case 7:
          return cos(u);
        case 8:
          return tan(u);
        case 9:
          return tanh(u);
        case 10:
          return atan(u);
        case 11:
          return erf(u);
        case 12:
          return erfc(u);
        case 13:
          return lgamma(static_cast<T>(0.5) + abs(u));
        case 14:
          return sigmoid(u);
        case 15:
          return log(sigmoid(u)) - log1p(-sigmoid(u));
        case 16:
          return -u;
        default:
          return u > 0 ? u + log1p(exp(-u)) : log1p(exp(u));
      }
    }
    case Tree::two: {
      const T u = part(0), w = part(1);
      switch (t.which) {
        case 0:
          return u + w;
        case 1:
          return u - w;
        case 2:
          return u * w;
        case 3:
          return u / (static_cast<T>(0.3) + w * w);
        case 4:
          return u < w ? u : w;
        case 5:
          return u > w ? u : w;
        case 6:
          return pow(static_cast<T>(0.2) + abs(u), tanh(w));
        default:
          return is_less(u, w) ? 1 : 0;
      }
    }
    case Tree::three: {
      const T u = part(0), w = part(1), y = part(2);
      if (t.which == 0) return is_less(u, w) ? y : u;
      if (t.which == 2) return in.parameters[3] * u + in.parameters[4] * w + in.parameters[5] * y;
      const T top = std::max({u, w, y});
      return top + log(exp(u - top) + exp(w - top) + exp(y - top));
    }
    case Tree::over_rows: {
      T sum = 0, top = value(t.parts[0], in, 0);
      const std::size_t n = in.x.size();
      for (std::size_t r = 0; r < n; ++r) {
        const T u = value(t.parts[0], in, r);
        sum += u;
        top = u > top ? u : top;
      }
      if (t.which == 0) return sum;
      if (t.which == 1) return sum / static_cast<T>(static_cast<double>(n));
      if (t.which == 2) return top;
      T relative = 0;
      for (std::size_t r = 0; r < n; ++r) relative += exp(value(t.parts[0], in, r) - top);
      return top + log(relative);
    }
  }
  return 0;
}

/// The whole: summed over rows when it has rows.
template <class T>
T total(const Tree& t, const Inputs<T>& in) {
  if (!t.has_rows()) return value(t, in, 0);
  T sum = 0;
  for (std::size_t r = 0; r < in.x.size(); ++r) sum += value(t, in, r);
  return sum;
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Tree tree(int depth) {
    const int roll = below(100);
    if (depth == 0 || roll < 8) return leaf();
    if (roll < 35) return {Tree::one, below(18), 0, {tree(depth - 1)}};
    if (roll < 80) return {Tree::two, roll < 70 ? below(4) : below(8), 0, {tree(depth - 1), tree(depth - 1)}};
    if (roll < 90) return {Tree::three, below(3), 0, {tree(depth - 1), tree(depth - 1), tree(depth - 1)}};
    Tree inner = tree(depth - 1);
    if (!inner.has_rows()) return inner;
    return {Tree::over_rows, below(4), 0, {std::move(inner)}};
  }
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

 private:
  Tree leaf() {
    const int roll = below(10);
    if (roll < 2) return {Tree::number, 0, uniform(-2, 2), {}};
    if (roll < 6) return {Tree::parameter, below(6), 0, {}};
    if (roll < 9) return {Tree::column, below(2), 0, {}};
    return {Tree::gathered, 0, 0, {}};
  }
  std::mt19937_64 random_;
};

}  // namespace evident::twin
