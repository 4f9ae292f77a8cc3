// Blocks: many parameter vectors side by side, parameter-major.
//
// Row j of a block holds parameter j of every particle, contiguous and aligned, so that a loop over particles is a
// loop over SIMD lanes:
//
//   for (std::size_t i = 0; i < theta.size(); ++i) out[i] = -0.5 * theta(0, i) * theta(0, i);
//
// The memory behind a row is padded: reading (and, for Block, writing) up to `padded_size()` entries is always allowed.
// Padding entries hold a copy of a valid particle or any finite numbers; what is written there is ignored. A SIMD
// kernel may therefore work on whole vectors of up to 8 doubles and never needs a scalar tail.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace evident {

/// Rows are padded to a multiple of this many doubles (one 64-byte line) and aligned to it.
inline constexpr std::size_t kLane = 8;

constexpr std::size_t padded(std::size_t n) { return (n + kLane - 1) / kLane * kLane; }

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new (padded(n) * sizeof(T), std::align_val_t{64})); }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{64}); }
  template <class U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

/// A vector whose memory is aligned and padded like a block's row.
template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

/// A view of `rows` x `size` numbers; see the top of this file.
template <class T>
class BasicBlock {
 public:
  BasicBlock() = default;
  BasicBlock(T* data, std::size_t rows, std::size_t size, std::size_t stride)
      : data_(data), rows_(rows), size_(size), stride_(stride) {
    assert(stride >= padded(size));
  }
  /// A mutable block is also a constant one.
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator BasicBlock<const T>() const { return {data_, rows_, size_, stride_}; }

  std::size_t rows() const { return rows_; }  ///< number of parameters
  std::size_t size() const { return size_; }  ///< number of particles
  std::size_t padded_size() const { return padded(size_); }
  std::size_t stride() const { return stride_; }
  T* data() const { return data_; }
  T* row_data(std::size_t j) const { return data_ + j * stride_; }
  std::span<T> row(std::size_t j) const { return {row_data(j), size_}; }
  T& operator()(std::size_t j, std::size_t i) const { return data_[j * stride_ + i]; }

  /// Particles first .. first+count-1; `first` must be a multiple of kLane so that rows stay aligned.
  BasicBlock columns(std::size_t first, std::size_t count) const {
    assert(first % kLane == 0 && first + count <= size_);
    return {data_ + first, rows_, count, stride_};
  }
  /// Parameters first .. first+count-1.
  BasicBlock some_rows(std::size_t first, std::size_t count) const {
    assert(first + count <= rows_);
    return {data_ + first * stride_, count, size_, stride_};
  }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0, size_ = 0, stride_ = 0;
};

using Block = BasicBlock<double>;
using ConstBlock = BasicBlock<const double>;

/// Owns the memory of a block. Starts at zero, padding included.
class BlockStorage {
 public:
  BlockStorage() = default;
  BlockStorage(std::size_t rows, std::size_t size)
      : rows_(rows), size_(size), stride_(padded(size)), data_(rows * padded(size), 0.0) {}

  std::size_t rows() const { return rows_; }
  std::size_t size() const { return size_; }
  Block block() { return {data_.data(), rows_, size_, stride_}; }
  ConstBlock block() const { return {data_.data(), rows_, size_, stride_}; }
  operator Block() { return block(); }             // NOLINT(google-explicit-constructor)
  operator ConstBlock() const { return block(); }  // NOLINT(google-explicit-constructor)
  std::span<double> row(std::size_t j) { return block().row(j); }
  std::span<const double> row(std::size_t j) const { return block().row(j); }
  double& operator()(std::size_t j, std::size_t i) { return data_[j * stride_ + i]; }
  double operator()(std::size_t j, std::size_t i) const { return data_[j * stride_ + i]; }

 private:
  std::size_t rows_ = 0, size_ = 0, stride_ = 0;
  AlignedVector<double> data_;
};

}  // namespace evident
