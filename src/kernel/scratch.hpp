// Working memory for one block of particles, lent out so that moving allocates nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/context.hpp"

namespace evident {

struct Scratch {
  Scratch(std::size_t free_size, std::size_t size)
      : noise(free_size, kBlockSize),
        z(free_size, kBlockSize),
        theta(size, kBlockSize),
        compact(size, kBlockSize),
        uniform(2, kBlockSize),
        scale_uniform(2, kBlockSize),
        inside(kBlockSize),
        log_prior(kBlockSize),
        log_jacobian(kBlockSize),
        log_likelihood(kBlockSize),
        compact_likelihood(kBlockSize),
        log_ratio(kBlockSize),
        mask(kBlockSize),
        factor(kBlockSize),
        correction(kBlockSize),
        cost(kBlockSize) {
    for (std::size_t j = 0; j < free_size; ++j) noise_rows.push_back(noise.row(j).data());
    changed_from.reserve(free_size + size + 3);
    changed_to.reserve(free_size + size + 3);
  }

  /// Further storage of a block, made when it is first asked for.
  BlockStorage& extra(std::size_t number, std::size_t rows) {
    if (extras[number].rows() < rows) extras[number] = BlockStorage(rows, kBlockSize);
    return extras[number];
  }

  BlockStorage noise;                 ///< standard normals
  BlockStorage z, theta;              ///< proposals
  BlockStorage compact;               ///< proposals inside the prior's support, side by side
  BlockStorage uniform;               ///< of two acceptance decisions: one Philox call serves both
  BlockStorage scale_uniform;         ///< one row for the factors on the scale, one for a kernel's own use
  std::vector<std::uint32_t> inside;  ///< which proposals lie in the prior's support
  AlignedVector<double> log_prior, log_jacobian, log_likelihood, compact_likelihood, log_ratio, mask;
  AlignedVector<double> factor;      ///< on the scale of each proposal
  AlignedVector<double> correction;  ///< log q(z|z') - log q(z'|z)
  AlignedVector<double> cost;        ///< evaluations of each proposal, where they differ
  std::array<BlockStorage, 6> extras;
  std::vector<const double*> noise_rows;
  std::vector<const double*> changed_from;  ///< rows of the proposals, and the particles' that they go to
  std::vector<double*> changed_to;
};

/// Any thread may borrow; what is borrowed comes back by itself.
class ScratchPool {
 public:
  ScratchPool(std::size_t free_size, std::size_t size) : free_size_(free_size), size_(size) {}

  class Loan {
   public:
    Loan(ScratchPool& pool, std::unique_ptr<Scratch> scratch) : pool_(pool), scratch_(std::move(scratch)) {}
    ~Loan() {
      const std::lock_guard lock(pool_.mutex_);
      pool_.free_.push_back(std::move(scratch_));
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Scratch& operator*() { return *scratch_; }

   private:
    ScratchPool& pool_;
    std::unique_ptr<Scratch> scratch_;
  };

  Loan borrow() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        auto scratch = std::move(free_.back());
        free_.pop_back();
        return {*this, std::move(scratch)};
      }
    }
    return {*this, std::make_unique<Scratch>(free_size_, size_)};
  }

 private:
  std::size_t free_size_, size_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_;
};

}  // namespace evident
