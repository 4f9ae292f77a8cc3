#include "kernel/random_walk.hpp"

namespace evident {

RandomWalk::RandomWalk(const KernelOptions& options, const Model& model)
    : GroupedKernel(options, model, one_way(grouped_rows(options.grouping, model))) {}

double RandomWalk::default_scale(const Group& group) const { return walk_scale(group.rows.size()); }

void RandomWalk::propose(const Proposing& from, Scratch& s) const { walk(from, s); }

}  // namespace evident
