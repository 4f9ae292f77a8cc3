#include "imaging/fit/fit_many.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

#include "base/run_kept.hpp"
#include "evident/base/error.hpp"
#include "journal/journal_store.hpp"
#include "report/text.hpp"

namespace evident::imaging {
namespace {

using Clock = std::chrono::steady_clock;

/// What a chunk leaves, in a fixed order: rows of the table, then of each kept curve its number among the chunk and,
/// for each model, the length of its prediction and the prediction. A number is exact as a float because chunks are
/// small.
using ChunkFloats = std::vector<float>;

std::vector<std::byte> pack_floats(const ChunkFloats& floats) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(floats));
  return {bytes.begin(), bytes.end()};
}

ChunkFloats unpack_floats(std::span<const std::byte> bytes) {
  ChunkFloats floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
  return floats;
}

void put(ChunkFloats& to, std::span<const float> values) { to.insert(to.end(), values.begin(), values.end()); }

class ChunkReader {
 public:
  explicit ChunkReader(std::span<const float> floats) : left_(floats) {}
  std::span<const float> take(std::size_t count) {
    if (count > left_.size()) throw RunError("a chunk of the journal is shorter than it should be");
    const std::span<const float> out = left_.first(count);
    left_ = left_.subspan(count);
    return out;
  }
  std::size_t take_number(std::size_t below) {
    const float v = take(1).front();
    if (!(v >= 0 && v < static_cast<float>(below))) throw RunError("a chunk of the journal holds a wrong number");
    return static_cast<std::size_t>(v);
  }
  bool ended() const { return left_.empty(); }

 private:
  std::span<const float> left_;
};

class Work {
 public:
  Work(const FitMany& job, const std::function<void(const FitProgress&)>& progress)
      : job_(job),
        progress_(progress),
        results_{{job.columns, std::vector<float>(job.curves.size() * job.columns.size())}, {}} {
    so_far_.total = job.curves.size();
  }

  std::size_t chunks() const { return (job_.curves.size() + job_.chunk - 1) / job_.chunk; }

  ChunkFloats fitted(std::size_t chunk, const std::stop_token& stop) const {
    ChunkFloats rows, predictions;
    for (std::size_t j = 0; j < size_of(chunk); ++j) {
      const std::size_t i = first_of(chunk) + j;
      const CurveFit fit = job_.fitter.fit(job_.curves.index[i], job_.curves.curve(i), is_kept(i), stop);
      put(rows, job_.columns.row(fit));
      if (!is_kept(i)) continue;
      predictions.push_back(static_cast<float>(j));
      for (const ModelFit& m : fit.models) {
        predictions.push_back(static_cast<float>(m.prediction.size()));
        predictions.insert(predictions.end(), m.prediction.begin(), m.prediction.end());
      }
    }
    put(rows, predictions);
    return rows;
  }

  void take(std::size_t chunk, const ChunkFloats& floats, bool found) {
    read(chunk, ChunkReader(floats));
    so_far_.done += size_of(chunk);
    if (found) so_far_.resumed += size_of(chunk);
    for (std::size_t j = 0; j < size_of(chunk); ++j)
      for (const StatusBit& s : status_bits())
        if ((results_.table.status(first_of(chunk) + j) & s.bit) != 0) ++so_far_.status[s.bit];
    if (!found) report();
  }

  void report() {
    if (!progress_) return;
    so_far_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    progress_(so_far_);
  }

  FitResults results() {
    std::ranges::sort(results_.kept, {}, &KeptCurve::number);
    return std::move(results_);
  }

 private:
  std::size_t first_of(std::size_t chunk) const { return chunk * job_.chunk; }
  std::size_t size_of(std::size_t chunk) const { return std::min(job_.chunk, job_.curves.size() - first_of(chunk)); }

  bool is_kept(std::size_t i) const {
    const std::size_t n = job_.curves.size(), k = std::min(job_.keep_curves, n);
    return k > 0 && (i + 1) * k / n > i * k / n;
  }

  void read(std::size_t chunk, ChunkReader in) {
    const std::size_t first = first_of(chunk), count = size_of(chunk);
    for (std::size_t j = 0; j < count; ++j)
      std::ranges::copy(in.take(job_.columns.size()), results_.table.row(first + j).begin());
    while (!in.ended()) {
      KeptCurve kept{first + in.take_number(count), {}};
      for (std::size_t m = 0; m < job_.columns.models(); ++m) {
        const auto values = in.take(in.take_number(job_.curves.frames + 1));
        kept.predictions.emplace_back(values.begin(), values.end());
      }
      results_.kept.push_back(std::move(kept));
    }
  }

  const FitMany& job_;
  const std::function<void(const FitProgress&)>& progress_;
  const Clock::time_point start_ = Clock::now();
  FitResults results_;
  FitProgress so_far_;
};

}  // namespace

FitResults fit_many(const FitMany& job, Journal* journal, const Executor& executor,
                    const std::function<void(const FitProgress&)>& progress, const std::stop_token& stop) {
  if (job.chunk == 0) throw InputError("a chunk must hold at least one curve");
  Work work(job, progress);
  std::optional<JournalStore> store;
  if (journal != nullptr) store.emplace(*journal);
  run_kept<ChunkFloats>(
      {.count = work.chunks(),
       .slot = [&](std::size_t chunk) { return store ? store->slot(chunk) : CheckpointSlot{}; },
       .run = [&](std::size_t chunk, const Executor&, Team&) { return work.fitted(chunk, stop); },
       .take = [&](std::size_t chunk, const ChunkFloats& floats, bool found) { work.take(chunk, floats, found); },
       .begun = [&] { work.report(); },
       .pack = pack_floats,
       .unpack = unpack_floats},
      job.team, executor, stop);
  return work.results();
}

}  // namespace evident::imaging
