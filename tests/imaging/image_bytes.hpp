// NIfTI files made byte by byte, and spoiled byte by byte.
//
//   RawImage image({4, 3, 2});            // NIfTI-1, small end first, int16 values 0, 1, 2, ...
//   image.put<float>(112, 0.5f);          // scl_slope
//   folder.write("image.nii", image.bytes());
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

#include "support/messages.hpp"

namespace evident::imaging {

class RawImage {
 public:
  explicit RawImage(std::initializer_list<std::int16_t> shape) : head_(352, '\0') {
    put<std::int32_t>(0, 348);
    put<std::int16_t>(40, static_cast<std::int16_t>(shape.size()));
    std::size_t i = 1, count = 1;
    for (const std::int16_t n : shape) {
      put<std::int16_t>(40 + 2 * i++, n);
      count *= static_cast<std::size_t>(n > 0 ? n : 1);
    }
    put<std::int16_t>(70, 4);
    put<std::int16_t>(72, 16);
    for (std::size_t axis = 0; axis < 4; ++axis) put<float>(76 + 4 * axis, 1);
    put<float>(108, 352);
    put<float>(112, 1);
    std::memcpy(head_.data() + 344, "n+1", 4);
    for (std::size_t k = 0; k < count && k < 30000; ++k) add_value(static_cast<std::int16_t>(k));
  }

  template <class T>
  void put(std::size_t offset, T value) {
    std::memcpy(head_.data() + offset, &value, sizeof(T));
  }
  template <class T>
  void add_value(T value) {
    data_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  template <class T>
  void set_values(std::int16_t type, std::initializer_list<T> values) {
    put<std::int16_t>(70, type);
    put<std::int16_t>(72, 8 * sizeof(T));
    data_.clear();
    for (const T value : values) add_value(value);
  }
  void set_data(std::string data) { data_ = std::move(data); }
  std::string bytes() const { return head_ + data_; }

 private:
  std::string head_, data_;
};

inline std::string gzipped(const std::string& bytes) {
  z_stream z{};
  deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, bytes.size()) + 32, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

}  // namespace evident::imaging
