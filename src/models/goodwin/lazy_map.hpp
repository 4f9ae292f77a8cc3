// The map of a Goodwin model, made when the first own move asks for it.
#pragma once

#include <memory>
#include <mutex>

#include "models/goodwin/curve_map.hpp"
#include "models/goodwin/goodwin.hpp"

namespace evident {

struct Goodwin::Map {
  std::once_flag once;
  std::unique_ptr<const goodwin::CurveMap> map;

  const goodwin::CurveMap& of(const Goodwin& model) {
    std::call_once(once, [&] { map = std::make_unique<const goodwin::CurveMap>(model); });
    return *map;
  }
};

}  // namespace evident
