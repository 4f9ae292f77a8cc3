// Chib's method: what a model with a Gibbs sampler of its own can say of its evidence (Chib 1995).
//
// log p(y) = log p(y | theta*) + log p(theta*) - log p(theta* | y), the last term by averaging full conditionals. When
// labels can be exchanged, the average runs over all of them (Marin and Robert 2008).
#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "evident/base/estimate.hpp"
#include "evident/base/random.hpp"

namespace evident {

struct ChibOptions {
  std::size_t burn_in = 1000;  ///< sweeps that are thrown away
  std::size_t draws = 10000;   ///< sweeps that are kept
  std::stop_token stop = {};   ///< asks the run to end early
};

struct ChibEstimate {
  Estimate log_evidence;                ///< with the correction for exchanged labels; its error is of batch means
  double log_evidence_uncorrected = 0;  ///< as Chib (1995): too low, by up to log k!, when the sampler keeps labels
  std::vector<double> point;            ///< theta*, in the order of the model's parameters
  std::size_t label_orders = 1;         ///< how many orders of the labels were averaged over
  std::size_t sweeps = 0;               ///< Gibbs sweeps in all, reduced runs included
};

/// A model that offers Chib's method derives from this too.
class ChibModel {
 public:
  virtual ~ChibModel() = default;
  virtual ChibEstimate chib(const ChibOptions& options, const Streams& streams) const = 0;
};

}  // namespace evident
