// What the handles of the C interface point to.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "evident/evident.h"
#include "evident/study/study.hpp"

// NOLINTBEGIN(readability-identifier-naming): names as C has them

struct evident_study {
  static inline std::atomic<std::uint64_t> made = 0;
  const std::uint64_t number = ++made;  ///< no other one has it, before or after
  std::string error;
  evident::study::Settings settings;  ///< a key stands there once
  bool code_allowed = false, outside_allowed = false;
  std::optional<std::string> file;              ///< of a loaded study
  std::optional<std::string> text;              ///< of one that was given as a text
  std::optional<evident::study::Study> loaded;  ///< as the settings are now; none: they changed since
  std::vector<evident::Candidate> own;          ///< models of the caller's
  evident_progress_function progress = nullptr;
  void* progress_user = nullptr;
  std::mutex mutex;  ///< of the two below
  bool running = false;
  std::stop_source stop;  ///< of the run that goes on, or of the next

  std::stop_token token() {
    const std::lock_guard lock(mutex);
    return stop.get_token();
  }
};

struct evident_result {
  std::string error;
  evident::study::Study study;  ///< keeps the models alive
  evident::Comparison comparison;
  std::string json;  ///< empty: not made yet
};

// NOLINTEND(readability-identifier-naming)
