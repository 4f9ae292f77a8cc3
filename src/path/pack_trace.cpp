#include "path/pack_trace.hpp"

#include <cstddef>

#include "base/pack_fields.hpp"
#include "particles/pack_particles.hpp"

namespace evident {
namespace {

/// A flag that is neither true nor false must not get into a bool.
std::vector<Step> get_steps(Unpacker& in) {
  Unpacker look = in;
  const std::span<const std::byte> bytes = look.get_bytes();
  for (std::size_t at = offsetof(Step, resampled); at < bytes.size(); at += sizeof(Step))
    if (std::to_integer<unsigned>(bytes[at]) > 1) Unpacker::refuse();
  return in.get_plains<Step>();
}

}  // namespace

void put_trace(Packer& out, const Trace& t) {
  out.put_plains(t.steps);
  out.put(t.log_initial);
  out.put_plain(t.first);
  for (const std::size_t n : {t.particles, t.evaluations, t.nan_evaluations, t.gradients, t.waste_free})
    out.put(static_cast<std::uint64_t>(n));
  put_value(out, t.nan_points);
  put_generations(out, t.generations);
}

Trace get_trace(Unpacker& in) {
  Trace t;
  t.steps = get_steps(in);
  t.log_initial = in.get<double>();
  t.first = in.get_plain<FirstDraws>();
  for (std::size_t* n : {&t.particles, &t.evaluations, &t.nan_evaluations, &t.gradients, &t.waste_free})
    *n = static_cast<std::size_t>(in.get<std::uint64_t>());
  get_value(in, t.nan_points);
  t.generations = get_generations(in);
  return t;
}

}  // namespace evident
