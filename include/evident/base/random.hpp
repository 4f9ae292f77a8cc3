// Random numbers keyed by identity: the same draw for any number of threads, any order, any block size.
//
// Philox 4x32-10 (Salmon et al. 2011) turns a 64-bit key and a 128-bit counter into 128 random bits. The key is made
// from seed, data set, model and replicate; the counter is (particle, step, purpose and pass, draw number).
//
//   const Streams streams({.seed = 7, .model = 2});
//   Stream s = streams.at({.step = 5, .particle = 12, .purpose = Purpose::prior});
//   double u = s.uniform(), z = s.normal();
//
// Whole blocks of particles are filled at once by the vectorised forms below.
#pragma once

#include <array>
#include <cstdint>

#include "evident/base/block.hpp"

namespace evident {

/// One call of Philox 4x32 with ten rounds.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key,
                                        int rounds = 10);

/// What a draw is for. Draws of different purpose never share a counter.
enum class Purpose : std::uint8_t {
  prior = 0,
  proposal = 1,
  accept = 2,
  resample = 3,
  scale = 4,
  model_move = 5,
  simulate = 6,
  jump = 7,
  other = 8,
};

/// Which run the numbers belong to.
struct RunIdentity {
  std::uint64_t seed = 0;
  std::uint64_t data_set = 0;
  std::uint32_t model = 0;
  std::uint32_t replicate = 0;
};

/// Which draw within the run.
struct DrawIdentity {
  std::uint32_t step = 0;
  std::uint32_t particle = 0;
  Purpose purpose = Purpose::other;
  std::uint32_t pass = 0;  ///< below 2^24
};

/// The sequence of numbers of one identity.
class Stream {
 public:
  Stream(std::array<std::uint32_t, 2> key, DrawIdentity id);

  std::uint64_t bits();  ///< 64 random bits
  double uniform();      ///< in the open interval (0, 1)
  double normal();       ///< standard normal (Box-Muller; a pair uses one Philox call)

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint64_t, 2> buffer_{};
  unsigned left_ = 0;
  double spare_normal_ = 0;
  bool has_spare_ = false;
};

/// All the streams of one run.
class Streams {
 public:
  explicit Streams(const RunIdentity& run);

  Stream at(const DrawIdentity& id) const { return {key_, id}; }
  /// Other streams of the same run, one set for each tag: for a part of the run that counts its particles from 0 again.
  Streams part(std::uint64_t tag) const;

  /// Row j of `out` gets the j-th uniform of each particle's stream; column 0 is particle `id.particle`.
  void fill_uniform(const DrawIdentity& id, Block out) const;
  /// Row j of `out` gets the j-th standard normal of each particle's stream.
  void fill_normal(const DrawIdentity& id, Block out) const;

  std::array<std::uint32_t, 2> key() const { return key_; }

 private:
  explicit Streams(std::array<std::uint32_t, 2> key) : key_(key) {}
  std::array<std::uint32_t, 2> key_;
};

}  // namespace evident
