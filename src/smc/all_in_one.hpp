// All-in-one: one sampler on the union of the models of a family (paper, Algorithm 1, "SMC1").
//
//   const AllInOneRun run = all_in_one(family, {.particles = 1000}, {}, context);
//   run.particles.share(4);                  // posterior probability of model 4
//   run.log_evidence(family, 4);             // log p(y | model 4)
#pragma once

#include <string>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/model/family.hpp"
#include "evident/path/trace.hpp"
#include "evident/smc/sampler.hpp"
#include "particles/union_population.hpp"

namespace evident {

struct UnionOptions {
  std::size_t jump_passes = 1;  ///< proposals of each kind of jump at every step
};

/// How often a kind of jump was tried and accepted.
struct JumpTally {
  std::string name;
  std::size_t proposed = 0, accepted = 0;
};

/// Sees each step of a run on a union of models.
class UnionObserver {
 public:
  virtual ~UnionObserver() = default;
  virtual void on_step(const Trace& trace, const UnionPopulation& particles) = 0;
};

struct AllInOneRun {
  Trace trace;
  UnionPopulation particles;  ///< weighted draws from the posterior of (model, parameters)
  std::vector<JumpTally> jumps;

  /// Log evidence of model k, from that of the union; -inf when no particle ended there.
  double log_evidence(const ModelFamily& family, ModelIndex k) const;
};

AllInOneRun all_in_one(const ModelFamily& family, const SmcOptions& options, const UnionOptions& union_options,
                       const Context& context, UnionObserver* observer = nullptr);

}  // namespace evident
