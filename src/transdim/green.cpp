#include "transdim/green.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "evident/base/log_math.hpp"

namespace evident {
namespace {

/// A particle's proposal and what decides on it.
struct Attempt {
  std::optional<JumpProposal> proposal;
  double log_uniform = 0;
};

/// Where a particle of the union stands.
struct Place {
  const Population* x;
  std::size_t column;
  ModelIndex model;
};

std::vector<Place> places_of(const UnionPopulation& x) {
  std::vector<Place> places;
  places.reserve(x.size());
  for (const UnionPopulation::Member& m : x.members)
    for (std::size_t c = 0; c < m.x.size(); ++c) places.push_back({&m.x, c, m.model});
  return places;
}

std::vector<double> column(const BlockStorage& rows, std::size_t c) {
  std::vector<double> out(rows.rows());
  for (std::size_t j = 0; j < rows.rows(); ++j) out[j] = rows(j, c);
  return out;
}

/// log pi(k, theta) on the scale of theta. A likelihood of power 0 does not count, whatever it is.
double log_target(const UnionTarget& target, ModelIndex k, const Population& x, std::size_t c) {
  const double tempered = target.alpha == 0 ? 0 : target.alpha * x.log_likelihood[c];
  return target.models.log_probability(k) + x.log_prior[c] - x.log_jacobian[c] + tempered;
}

std::vector<Attempt> propose_all(const UnionTarget& target, const Jump& jump, const std::vector<Place>& places,
                                 const Context& context, DrawIdentity id) {
  std::vector<Attempt> attempts(places.size());
  context.executor.for_each(block_count(places.size()), [&](std::size_t b) {
    const std::size_t end = std::min(places.size(), (b + 1) * kBlockSize);
    for (std::size_t i = b * kBlockSize; i < end; ++i) {
      DrawIdentity own = id;
      own.particle = static_cast<std::uint32_t>(i);
      Stream random = context.streams.at(own);
      attempts[i].proposal =
          propose(jump, target, places[i].model, column(places[i].x->theta, places[i].column), random);
      attempts[i].log_uniform = std::log(random.uniform());
    }
  });
  return attempts;
}

/// Proposals that lead to one model, evaluated side by side.
struct Landing {
  std::vector<std::size_t> who;  ///< particles of the union
  Population x;
};

std::map<ModelIndex, Landing> evaluate(const UnionTarget& target, const std::vector<Attempt>& attempts,
                                       const Context& context) {
  std::map<ModelIndex, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < attempts.size(); ++i)
    if (attempts[i].proposal) groups[attempts[i].proposal->choice.to].push_back(i);

  std::map<ModelIndex, Landing> landings;
  for (auto& [k, who] : groups) {
    const Model& model = target.family.model(k);
    Population x(model, who.size());
    for (std::size_t c = 0; c < who.size(); ++c)
      for (std::size_t j = 0; j < x.theta.rows(); ++j) x.theta(j, c) = attempts[who[c]].proposal->theta[j];
    const TemperedTarget tempered(model, target.alpha, target.count);
    context.executor.for_each(block_count(x.size()), [&](std::size_t b) {
      const std::size_t first = b * kBlockSize, n = std::min(kBlockSize, x.size() - first);
      const Block theta = x.theta.block().columns(first, n), z = x.z.block().columns(first, n);
      model.parameters().unconstrain(theta, z);
      tempered.prior(z, theta, {x.log_prior.data() + first, n}, {x.log_jacobian.data() + first, n});
      tempered.likelihood(theta, {x.log_likelihood.data() + first, n});
    });
    landings.emplace(k, Landing{std::move(who), std::move(x)});
  }
  return landings;
}

/// Puts every particle where it now belongs, in the order of the keys; weights go along.
void settle(const UnionTarget& target, UnionPopulation& x, const std::vector<Place>& places) {
  std::map<ModelIndex, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < places.size(); ++i) groups[places[i].model].push_back(i);
  std::vector<UnionPopulation::Member> members;
  AlignedVector<double> log_weights;
  std::vector<std::uint64_t> keys;
  for (auto& [k, who] : groups) {
    std::ranges::sort(who, {}, [&](std::size_t i) { return x.keys[i]; });
    Population next(target.family.model(k), who.size());
    for (std::size_t c = 0; c < who.size(); ++c) {
      next.copy_from(*places[who[c]].x, places[who[c]].column, c);
      log_weights.push_back(x.weights.log()[who[c]]);
      keys.push_back(x.keys[who[c]]);
    }
    members.push_back({k, std::move(next)});
  }
  x.members = std::move(members);
  x.keys = std::move(keys);
  x.weights.reset(places.size());
  x.weights.absorb(log_weights, 1.0);
}

}  // namespace

std::optional<JumpProposal> propose(const Jump& jump, const UnionTarget& target, ModelIndex from,
                                    std::span<const double> theta, Stream& random) {
  const std::optional<JumpChoice> choice = jump.choose(target.models, from, theta, random);
  if (!choice || !target.models.has(choice->to)) return std::nullopt;
  JumpProposal out{*choice, std::vector<double>(target.family.model(choice->to).parameters().size()), 0};
  std::vector<double> u(jump.auxiliaries(from, choice->to)), u_back(jump.auxiliaries(choice->to, from));
  jump.draw_auxiliaries(from, *choice, theta, random, u);
  const std::optional<JumpImage> image = jump.map(from, *choice, theta, u, out.theta, u_back);
  // A jump that leads nowhere is a rejected proposal: it keeps its place among those that were tried.
  out.log_proposal = -kInf;
  if (!image) return out;
  const double back = jump.log_choice(target.models, choice->to, out.theta, image->back) +
                      jump.log_auxiliary(choice->to, image->back, out.theta, u_back);
  const double forth =
      jump.log_choice(target.models, from, theta, *choice) + jump.log_auxiliary(from, *choice, theta, u);
  const double sum = back - forth + image->log_jacobian;
  if (!std::isnan(sum)) out.log_proposal = sum;
  return out;
}

std::vector<JumpReport> jump(const UnionTarget& target, UnionPopulation& x, const Context& context, std::uint32_t step,
                             std::uint32_t pass) {
  const auto& jumps = target.family.jumps();
  std::vector<JumpReport> reports(jumps.size());
  for (std::size_t j = 0; j < jumps.size(); ++j) {
    std::vector<Place> places = places_of(x);
    std::vector<Attempt> attempts =
        propose_all(target, *jumps[j], places, context,
                    {.step = step,
                     .purpose = Purpose::jump,
                     .pass = pass * static_cast<std::uint32_t>(jumps.size()) + static_cast<std::uint32_t>(j)});
    for (Attempt& a : attempts) {
      reports[j].proposed += a.proposal ? 1 : 0;
      if (a.proposal && a.proposal->log_proposal == -kInf) a.proposal.reset();
    }
    const std::map<ModelIndex, Landing> landings = evaluate(target, attempts, context);
    for (const auto& [k, landing] : landings) {
      for (std::size_t c = 0; c < landing.who.size(); ++c) {
        Place& place = places[landing.who[c]];
        const Attempt& attempt = attempts[landing.who[c]];
        const double log_ratio = log_target(target, k, landing.x, c) -
                                 log_target(target, place.model, *place.x, place.column) +
                                 attempt.proposal->log_proposal;
        if (!(attempt.log_uniform < log_ratio)) continue;  // NaN is a no
        place = {&landing.x, c, k};
        ++reports[j].accepted;
      }
    }
    if (reports[j].accepted > 0) settle(target, x, places);
  }
  return reports;
}

}  // namespace evident
