#include "smc/run_notes.hpp"

#include "particles/pack_particles.hpp"
#include "path/pack_trace.hpp"

namespace evident {
namespace {

/// Whose note it is: the random numbers, the number of particles and of coordinates.
struct Mark {
  std::uint32_t key[2];
  std::uint64_t particles, chain, coordinates;
  bool operator==(const Mark&) const = default;
};

Mark mark_of(const Streams& streams, const SmcOptions& options, std::size_t coordinates) {
  return {{streams.key()[0], streams.key()[1]}, options.particles, options.waste_free, coordinates};
}

}  // namespace

std::optional<Population> RunNotes::read(const Model& model, Kernel& kernel, EvaluationCount& count, Recorder& record) {
  if (!active()) return std::nullopt;
  const auto bytes = context_.checkpoint.store->find_note(context_.checkpoint.key);
  if (!bytes) return std::nullopt;
  try {
    Unpacker in(*bytes);
    if (in.get_plain<Mark>() != mark_of(context_.streams, options_, model.parameters().free_size()))
      return std::nullopt;
    const auto position = in.get_plain<RunPosition>();
    Trace trace = get_trace(in);
    Population x = get_population(in, model);
    const std::span<const std::byte> memory = in.get_bytes();
    in.end();
    kernel.remember(memory);
    position_ = position;
    count.total = trace.evaluations;
    count.nan = trace.nan_evaluations;
    count.nan_points.note(trace.nan_points);
    count.gradients = trace.gradients;
    record.resume(std::move(trace), x);
    return x;
  } catch (const RunError&) {  // damaged: the run begins anew
    return std::nullopt;
  }
}

void RunNotes::write(const RunPosition& position, const Trace& trace, const Kernel& kernel, const Population& x) const {
  if (!active() || position.alpha >= 1) return;
  const auto& [store, key] = context_.checkpoint;
  if (!store->wants_note(key) && !context_.stop.stop_requested()) return;
  Packer out;
  out.put_plain(mark_of(context_.streams, options_, x.z.rows()));
  out.put_plain(position);
  put_trace(out, trace);
  put_population(out, x);
  out.put_bytes(kernel.memory());
  store->note(key, out.finish());
}

}  // namespace evident
