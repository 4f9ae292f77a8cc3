// Values to bytes and back, for messages between processes. What is read is never trusted: lengths are checked against
// what is there, and a sum over everything comes at the end.
//
//   Packer out;  out.put(3.0);  out.put(std::string("x"));  auto bytes = out.finish();
//   Unpacker in(bytes);  in.get<double>();  in.get_text();  in.end();
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "evident/base/error.hpp"

namespace evident {

/// FNV-1a over words of eight bytes, then the rest: finds damage, and is no cryptography.
std::uint64_t sum_of_bytes(std::span<const std::byte> bytes);

class Packer {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void put(T value) { add(&value, sizeof value); }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    add(text.data(), text.size());
  }
  void put_bytes(std::span<const std::byte> bytes) {
    put(static_cast<std::uint64_t>(bytes.size()));
    add(bytes.data(), bytes.size());
  }
  void put_doubles(std::span<const double> values) { put_bytes(std::as_bytes(values)); }
  /// Structures of plain numbers go as they are: it is the same program that reads them.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put_plain(const T& value) { put_bytes(std::as_bytes(std::span(&value, 1))); }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put_plains(const std::vector<T>& values) { put_bytes(std::as_bytes(std::span(values))); }
  /// Everything, with its sum.
  std::vector<std::byte> finish() {
    put(sum_of_bytes(bytes_));
    return std::move(bytes_);
  }

 private:
  void add(const void* from, std::size_t size);
  std::vector<std::byte> bytes_;
};

class Unpacker {
 public:
  /// Throws RunError when the sum is wrong.
  explicit Unpacker(std::span<const std::byte> bytes) : bytes_(bytes) {
    std::uint64_t sum = 0;
    if (bytes.size() < sizeof sum) refuse();
    std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
    bytes_ = bytes.first(bytes.size() - sizeof sum);
    if (sum_of_bytes(bytes_) != sum) refuse();
  }
  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T> T get() {
    T value;
    const std::span<const std::byte> from = take(sizeof value);
    std::memcpy(&value, from.data(), sizeof value);
    return value;
  }
  /// A number of things that each take at least `least` bytes of what is left.
  std::size_t get_count(std::size_t least = 1) {
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size() / least) refuse();
    return static_cast<std::size_t>(count);
  }
  std::span<const std::byte> get_bytes() { return take(get_count()); }
  std::string get_text() {
    const std::span<const std::byte> from = get_bytes();
    return {reinterpret_cast<const char*>(from.data()), from.size()};
  }
  std::vector<double> get_doubles() { return get_plains<double>(); }
  template <class T>
  requires std::is_trivially_copyable_v<T> T get_plain() {
    const std::span<const std::byte> from = get_bytes();
    if (from.size() != sizeof(T)) refuse();
    T value;
    std::memcpy(&value, from.data(), sizeof(T));
    return value;
  }
  template <class T>
  requires std::is_trivially_copyable_v<T> std::vector<T> get_plains() {
    const std::span<const std::byte> from = get_bytes();
    if (from.size() % sizeof(T) != 0) refuse();
    std::vector<T> out(from.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), from.data(), from.size());
    return out;
  }
  /// Throws when something is left.
  void end() const {
    if (!bytes_.empty()) refuse();
  }
  [[noreturn]] static void refuse() {
    throw RunError("a message between the processes came damaged; start the run again, and have the network looked at");
  }

 private:
  std::span<const std::byte> take(std::size_t size) {
    if (size > bytes_.size()) refuse();
    const std::span<const std::byte> out = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return out;
  }
  std::span<const std::byte> bytes_;
};

}  // namespace evident
