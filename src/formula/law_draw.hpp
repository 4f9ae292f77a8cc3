// Draws from distributions of a likelihood, argument values given.
//
//   std::vector<NodeId> nodes;
//   const LawDraw draw(g, law, nodes);           // appends the nodes whose values it wants
//   double y = draw(values, stream);             // values[k] is the value of nodes[k]
#pragma once

#include <vector>

#include "evident/dist/distribution.hpp"
#include "formula/law.hpp"

namespace evident::formula {

class LawDraw {
 public:
  /// A categorical law gives 1, 2, ...
  LawDraw(const Graph& g, const Law& law, std::vector<NodeId>& nodes);

  /// NaN where an argument is outside its range.
  double operator()(const double* values, Stream& stream) const;

 private:
  double plain(const double* values, Stream& stream) const;
  double truncated(const double* values, Stream& stream) const;
  /// By halving where the distribution function reaches a random share: for bounds that draws hardly ever meet.
  double by_halving(const double* values, double lower, double upper, Stream& stream) const;

  Law::Kind kind_;
  std::string name_;
  const Family* family_ = nullptr;  ///< of a plain law
  bool discrete_ = false;
  std::size_t first_ = 0, count_ = 0;  ///< its arguments, weights, probabilities or logits
  std::size_t lower_ = kNoBound, upper_ = kNoBound;
  std::vector<LawDraw> parts_;

  static constexpr std::size_t kNoBound = static_cast<std::size_t>(-1);
};

/// The mean as a node; NaN where there is none, or none that formulas can write down.
NodeId law_mean(Graph& g, const Law& law);

}  // namespace evident::formula
