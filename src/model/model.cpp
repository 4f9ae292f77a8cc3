#include "evident/model/model.hpp"

#include "evident/base/error.hpp"

namespace evident {

void Model::draw_prior(const Streams& streams, std::uint32_t first, Block theta) const {
  parameters().draw(streams, first, theta);
}

void Model::log_prior(ConstBlock theta, std::span<double> out) const { parameters().log_density(theta, out); }

void Model::draw_initial(const Streams& streams, std::uint32_t first, Block theta) const {
  draw_prior(streams, first, theta);
}

void Model::log_initial(ConstBlock theta, std::span<double> out) const { log_prior(theta, out); }

void Model::gradient(ConstBlock, Block, Block) const { throw RunError("this model has no gradient"); }

std::size_t Model::own_move(double, const MoveState&, const MoveRandom&) const { return 0; }

void Model::log_likelihood_of(ConstBlock, std::size_t, std::size_t, std::span<double>) const {
  throw RunError("this model cannot give the likelihood of single observations");
}

void Model::draw_observations(ConstBlock, const Streams&, std::uint32_t, Block) const {
  throw RunError("this model cannot draw observations");
}

void Model::predict(ConstBlock, Block) const { throw RunError("this model cannot predict observations"); }

void Model::derive(ConstBlock, Block) const {}

}  // namespace evident
