// Steps of a run, told to a function of the caller one at a time.
#pragma once

#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "evident/evident.h"
#include "evident/study/study.hpp"

namespace evident::capi {

class Progress final : public CompareObserver {
 public:
  /// `stop` is asked when the function wants the run to end.
  Progress(const study::Study& study, evident_progress_function function, void* user, std::stop_source stop);

  void on_step(std::size_t model, std::size_t replicate, const Trace& trace) override;
  void on_finish(std::size_t model, std::size_t replicate, const Replicate& result) override;

 private:
  void tell(std::size_t model, std::size_t replicate, const Trace& trace, double log_evidence, bool finished);

  std::vector<std::string> names_;
  evident_progress_function function_;
  void* user_;
  std::stop_source stop_;
  std::mutex mutex_;
};

}  // namespace evident::capi
