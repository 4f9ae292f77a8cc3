// Files of a made-up PET study, and what calls say about them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "study/messages.hpp"
#include "support/temporary_folder.hpp"

namespace evident::imaging {

using study::message_of;
using testing::Contains;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Numbers = std::vector<double>;

inline constexpr double kC11 = 0.0005668525;  // per second

/// A sidecar with all fields that are needed, each of which can be replaced or, with "", left out.
struct SidecarText {
  std::string starts = "[0, 60, 120, 240]", durations = "[60, 60, 120, 300]", injection = "0", corrected = "true",
              reference = "0", units = "\"Bq/mL\"", nuclide = "\"C11\"", more = {};

  std::string text() const {
    std::string out;
    const auto add = [&](const char* name, const std::string& value) {
      if (!value.empty()) out += (out.empty() ? "" : ",\n") + std::string("\"") + name + "\": " + value;
    };
    add("FrameTimesStart", starts);
    add("FrameDuration", durations);
    add("InjectionStart", injection);
    add("ImageDecayCorrected", corrected);
    add("ImageDecayCorrectionTime", reference);
    add("Units", units);
    add("TracerRadionuclide", nuclide);
    return "{" + out + (more.empty() ? "" : ", " + more) + "}";
  }
};

}  // namespace evident::imaging
