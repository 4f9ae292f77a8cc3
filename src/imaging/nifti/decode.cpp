#include "imaging/nifti/decode.hpp"

#include <cassert>
#include <cstdint>

#include "base/byte_order.hpp"

namespace evident::imaging {
namespace {

template <class Stored, class Out, bool kSwap, bool kScale>
void decode_as(const std::byte* bytes, const Encoding& encoding, std::span<Out> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Stored stored = load<Stored>(bytes + i * sizeof(Stored), kSwap);
    if constexpr (kScale) {
      out[i] = static_cast<Out>(encoding.slope * static_cast<double>(stored) + encoding.intercept);
    } else {
      out[i] = static_cast<Out>(stored);
    }
  }
}

template <class Stored, class Out>
void decode_stored(const std::byte* bytes, const Encoding& encoding, std::span<Out> out) {
  const bool scale = encoding.slope != 1 || encoding.intercept != 0;
  if (encoding.swap) {
    scale ? decode_as<Stored, Out, true, true>(bytes, encoding, out)
          : decode_as<Stored, Out, true, false>(bytes, encoding, out);
  } else {
    scale ? decode_as<Stored, Out, false, true>(bytes, encoding, out)
          : decode_as<Stored, Out, false, false>(bytes, encoding, out);
  }
}

template <class Out>
void decode_any(std::span<const std::byte> bytes, const Encoding& encoding, std::span<Out> out) {
  assert(bytes.size() == out.size() * bytes_of(encoding.type));
  const std::byte* data = bytes.data();
  switch (encoding.type) {
    case Datatype::uint8:
      return decode_stored<std::uint8_t>(data, encoding, out);
    case Datatype::int8:
      return decode_stored<std::int8_t>(data, encoding, out);
    case Datatype::uint16:
      return decode_stored<std::uint16_t>(data, encoding, out);
    case Datatype::int16:
      return decode_stored<std::int16_t>(data, encoding, out);
    case Datatype::uint32:
      return decode_stored<std::uint32_t>(data, encoding, out);
    case Datatype::int32:
      return decode_stored<std::int32_t>(data, encoding, out);
    case Datatype::uint64:
      return decode_stored<std::uint64_t>(data, encoding, out);
    case Datatype::int64:
      return decode_stored<std::int64_t>(data, encoding, out);
    case Datatype::float32:
      return decode_stored<float>(data, encoding, out);
    case Datatype::float64:
      return decode_stored<double>(data, encoding, out);
  }
}

}  // namespace

void decode(std::span<const std::byte> bytes, const Encoding& encoding, std::span<float> out) {
  decode_any(bytes, encoding, out);
}
void decode(std::span<const std::byte> bytes, const Encoding& encoding, std::span<double> out) {
  decode_any(bytes, encoding, out);
}

std::size_t bytes_of(Datatype type) {
  switch (type) {
    case Datatype::uint8:
    case Datatype::int8:
      return 1;
    case Datatype::uint16:
    case Datatype::int16:
      return 2;
    case Datatype::uint32:
    case Datatype::int32:
    case Datatype::float32:
      return 4;
    case Datatype::uint64:
    case Datatype::int64:
    case Datatype::float64:
      return 8;
  }
  return 0;
}

std::string name_of(Datatype type) {
  switch (type) {
    case Datatype::uint8:
      return "uint8";
    case Datatype::int8:
      return "int8";
    case Datatype::uint16:
      return "uint16";
    case Datatype::int16:
      return "int16";
    case Datatype::uint32:
      return "uint32";
    case Datatype::int32:
      return "int32";
    case Datatype::uint64:
      return "uint64";
    case Datatype::int64:
      return "int64";
    case Datatype::float32:
      return "float32";
    case Datatype::float64:
      return "float64";
  }
  return "unknown";
}

}  // namespace evident::imaging
