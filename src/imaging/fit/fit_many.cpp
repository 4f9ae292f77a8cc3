#include "imaging/fit/fit_many.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/work_queue.hpp"
#include "evident/base/error.hpp"
#include "report/text.hpp"

namespace evident::imaging {
namespace {

using Clock = std::chrono::steady_clock;

/// What a chunk leaves: rows of the table, then of each kept curve its number among the chunk and its predictions.
/// Plain floats in a fixed order; a number is exact as a float because chunks are small.
class ChunkText {
 public:
  void put(std::span<const float> values) { floats_.insert(floats_.end(), values.begin(), values.end()); }
  void put(std::size_t number) { floats_.push_back(static_cast<float>(number)); }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(floats_)); }

  explicit ChunkText() = default;
  explicit ChunkText(std::span<const std::byte> bytes) : floats_(bytes.size() / sizeof(float)) {
    std::memcpy(floats_.data(), bytes.data(), floats_.size() * sizeof(float));
  }
  std::span<const float> take(std::size_t count) {
    if (count > floats_.size() - at_) throw RunError("a chunk of the journal is shorter than it should be");
    const std::span<const float> out(floats_.data() + at_, count);
    at_ += count;
    return out;
  }
  std::size_t take_number(std::size_t below) {
    const float v = take(1).front();
    if (!(v >= 0 && v < static_cast<float>(below))) throw RunError("a chunk of the journal holds a wrong number");
    return static_cast<std::size_t>(v);
  }
  bool ended() const { return at_ == floats_.size(); }

 private:
  std::vector<float> floats_;
  std::size_t at_ = 0;
};

class Work {
 public:
  Work(const FitMany& job, Journal* journal, const std::function<void(const FitProgress&)>& progress)
      : job_(job),
        journal_(journal),
        progress_(progress),
        start_(Clock::now()),
        table_{job.columns, std::vector<float>(job.curves.size() * job.columns.size())},
        kept_(chunks()) {
    told_.total = job.curves.size();
  }

  std::size_t chunks() const { return (job_.curves.size() + job_.chunk - 1) / job_.chunk; }

  void take_from_journal() {
    for (std::size_t c = 0; journal_ != nullptr && c < chunks(); ++c) {
      if (!journal_->has(c)) {
        open_.push_back(c);
        continue;
      }
      const std::vector<std::byte> payload = journal_->payload(c);
      read(c, ChunkText(payload));
      told_.resumed += size_of(c);
      count(c);
    }
    if (journal_ == nullptr)
      for (std::size_t c = 0; c < chunks(); ++c) open_.push_back(c);
  }

  void run(const Executor& executor, const std::stop_token& stop) {
    report();
    run_queue({.pieces = open_,
               .work = [&](std::uint64_t chunk) { return fitted(chunk, stop); },
               .take = [&](std::uint64_t chunk, std::span<const std::byte> payload) { take(chunk, payload); }},
              job_.team, executor, stop);
  }

  FitResults results() {
    FitResults out{std::move(table_), {}};
    for (auto& some : kept_)
      for (KeptCurve& k : some) out.kept.push_back(std::move(k));
    return out;
  }

 private:
  std::size_t first_of(std::size_t chunk) const { return chunk * job_.chunk; }
  std::size_t size_of(std::size_t chunk) const { return std::min(job_.chunk, job_.curves.size() - first_of(chunk)); }

  bool is_kept(std::size_t i) const {
    const std::size_t n = job_.curves.size(), k = std::min(job_.keep_curves, n);
    return k > 0 && (i + 1) * k / n > i * k / n;
  }

  std::vector<std::byte> fitted(std::uint64_t chunk, const std::stop_token& stop) const {
    if (chunk >= chunks()) throw RunError("rank 0 has more curves than this rank: do all ranks see the same files?");
    ChunkText rows, predictions;
    for (std::size_t j = 0; j < size_of(chunk); ++j) {
      const std::size_t i = first_of(chunk) + j;
      const CurveFit fit = job_.fitter.fit(job_.curves.index[i], job_.curves.curve(i), is_kept(i), stop);
      rows.put(job_.columns.row(fit));
      if (!is_kept(i)) continue;
      predictions.put(j);
      for (const ModelFit& m : fit.models) {
        const std::vector<float> p(m.prediction.begin(), m.prediction.end());
        predictions.put(p.size());
        predictions.put(p);
      }
    }
    const std::span<const std::byte> tail = predictions.bytes();
    std::vector<std::byte> payload(rows.bytes().begin(), rows.bytes().end());
    payload.insert(payload.end(), tail.begin(), tail.end());
    return payload;
  }

  void take(std::uint64_t chunk, std::span<const std::byte> payload) {
    if (journal_ != nullptr) journal_->append(chunk, payload);
    const std::lock_guard lock(mutex_);
    read(chunk, ChunkText(payload));
    count(chunk);
    report();
  }

  void read(std::size_t chunk, ChunkText text) {
    const std::size_t first = first_of(chunk), count = size_of(chunk);
    for (std::size_t j = 0; j < count; ++j)
      std::ranges::copy(text.take(job_.columns.size()), table_.row(first + j).begin());
    while (!text.ended()) {
      KeptCurve kept{first + text.take_number(count), {}};
      for (std::size_t m = 0; m < job_.columns.models(); ++m) {
        const auto values = text.take(text.take_number(job_.curves.frames + 1));
        kept.predictions.emplace_back(values.begin(), values.end());
      }
      kept_[chunk].push_back(std::move(kept));
    }
  }

  void count(std::size_t chunk) {
    told_.done += size_of(chunk);
    for (std::size_t j = 0; j < size_of(chunk); ++j)
      for (const StatusBit& s : status_bits())
        if ((table_.status(first_of(chunk) + j) & s.bit) != 0) ++told_.status[s.bit];
  }

  void report() {
    if (!progress_) return;
    told_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    progress_(told_);
  }

  const FitMany& job_;
  Journal* journal_;
  const std::function<void(const FitProgress&)>& progress_;
  Clock::time_point start_;
  FitTable table_;
  std::vector<std::vector<KeptCurve>> kept_;  ///< by chunk
  std::vector<std::uint64_t> open_;
  std::mutex mutex_;
  FitProgress told_;
};

}  // namespace

FitResults fit_many(const FitMany& job, Journal* journal, const Executor& executor,
                    const std::function<void(const FitProgress&)>& progress, const std::stop_token& stop) {
  if (job.chunk == 0) throw InputError("a chunk must hold at least one curve");
  Work work(job, journal, progress);
  work.take_from_journal();
  work.run(executor, stop);
  return work.results();
}

}  // namespace evident::imaging
