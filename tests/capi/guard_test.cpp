#include "capi/guard.hpp"

#include <gtest/gtest.h>

namespace evident::capi {
namespace {

template <class E>
std::string told(const E& error, int status) {
  std::string out;
  EXPECT_EQ(guarded(out, [&] { throw error; }), status);
  return out;
}

TEST(Guard, OptionsAreCalledWhatTheyAreInC) {
  EXPECT_EQ(
      told(InputError(option("replicates") + " has no effect with " + option("islands", "4")), EVIDENT_INPUT_ERROR),
      "setting 'replicates' has no effect with setting 'islands' = 4");
  EXPECT_EQ(told(RunError("add " + option("allow_code") + " or " + option("allow_outside")), EVIDENT_RUN_ERROR),
            "add evident_study_allow_code(study, 1) or evident_study_allow_outside(study, 1)");
  EXPECT_EQ(
      told(InputError("give " + option("force") + ", or another folder (" + option("out") + ")"), EVIDENT_INPUT_ERROR),
      "give force = 1, or another folder (argument folder)");
}

TEST(Guard, OtherWordsStayAsTheyAre) {
  EXPECT_EQ(told(std::logic_error("odd"), EVIDENT_RUN_ERROR), "odd");
  EXPECT_EQ(told(std::bad_alloc(), EVIDENT_RUN_ERROR), "out of memory");
  EXPECT_EQ(told(Cancelled("the run was cancelled"), EVIDENT_CANCELLED), "the run was cancelled");
}

}  // namespace
}  // namespace evident::capi
