#include "particles/pack_particles.hpp"

#include <algorithm>
#include <deque>

namespace evident {
namespace {

void put_block(Packer& out, const BlockStorage& block) {
  for (std::size_t j = 0; j < block.rows(); ++j) out.put_doubles(block.row(j));
}

void get_into(Unpacker& in, std::span<double> out) {
  const std::vector<double> values = in.get_doubles();
  if (values.size() != out.size()) Unpacker::refuse();
  std::ranges::copy(values, out.begin());
}

void get_block(Unpacker& in, BlockStorage& block) {
  for (std::size_t j = 0; j < block.rows(); ++j) get_into(in, block.row(j));
}

}  // namespace

/// What nobody else has to see of weights and ancestors.
struct ParticleBytes {
  static void put(Packer& out, const Weights& w) {
    out.put_doubles(w.log_);
    out.put_doubles(w.values_);
    out.put(w.ess_);
  }
  static void get(Unpacker& in, Weights& w) {
    get_into(in, w.log_);
    get_into(in, w.values_);
    w.ess_ = in.get<double>();
  }

  static void put(Packer& out, const Genealogy::Line& line) {
    out.put_plains(line.ancestor);
    out.put(line.spread);
    out.put(line.log_pairs);
  }
  static Genealogy::Line get_line(Unpacker& in, std::size_t particles) {
    Genealogy::Line line;
    line.ancestor = in.get_plains<std::uint32_t>();
    if (std::ranges::any_of(line.ancestor, [&](std::uint32_t a) { return a >= particles; })) Unpacker::refuse();
    line.spread = in.get<double>();
    line.log_pairs = in.get<double>();
    return line;
  }

  static void put(Packer& out, const Genealogy& g) {
    put(out, g.eve_);
    out.put(static_cast<std::uint64_t>(g.back_.size()));
    for (const Genealogy::Line& line : g.back_) put(out, line);
    put_generations(out, g.generations_);
  }
  static void get(Unpacker& in, Genealogy& g, std::size_t particles) {
    g.eve_ = get_line(in, particles);
    const auto fits = [&](const Genealogy::Line& line) {
      return line.ancestor.empty() || line.ancestor.size() == particles;
    };
    if (!fits(g.eve_)) Unpacker::refuse();
    for (std::size_t n = in.get_count(sizeof(double)); n > 0; --n) {
      g.back_.push_back(get_line(in, particles));
      if (!fits(g.back_.back())) Unpacker::refuse();
    }
    g.generations_ = get_generations(in);
  }
};

void put_generations(Packer& out, const std::vector<Generation>& generations) {
  out.put(static_cast<std::uint64_t>(generations.size()));
  for (const Generation& g : generations) {
    out.put_plains(g.back);
    out.put_plain(g.eve);
    out.put(static_cast<std::uint64_t>(g.eves));
  }
}

std::vector<Generation> get_generations(Unpacker& in) {
  std::vector<Generation> generations(in.get_count(sizeof(Families)));
  for (Generation& g : generations) {
    g.back = in.get_plains<Families>();
    g.eve = in.get_plain<Families>();
    g.eves = static_cast<std::size_t>(in.get<std::uint64_t>());
  }
  return generations;
}

void put_population(Packer& out, const Population& x) {
  out.put(static_cast<std::uint64_t>(x.size()));
  out.put(static_cast<std::uint64_t>(x.chain));
  put_block(out, x.z);
  put_block(out, x.theta);
  for (const auto* values : {&x.log_prior, &x.log_jacobian, &x.log_likelihood}) out.put_doubles(*values);
  ParticleBytes::put(out, x.weights);
  ParticleBytes::put(out, x.genealogy);
}

Population get_population(Unpacker& in, const Model& model) {
  Population x(model, in.get_count());
  x.chain = static_cast<std::size_t>(in.get<std::uint64_t>());
  get_block(in, x.z);
  get_block(in, x.theta);
  for (auto* values : {&x.log_prior, &x.log_jacobian, &x.log_likelihood}) get_into(in, *values);
  ParticleBytes::get(in, x.weights);
  ParticleBytes::get(in, x.genealogy, x.size());
  return x;
}

}  // namespace evident
