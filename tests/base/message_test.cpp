#include "base/option.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

namespace evident {
namespace {

using ::testing::HasSubstr;

TEST(Problem, SaysWhatToDoWhereTheLibraryDoesNot) {
  EXPECT_THAT(message_of(std::bad_alloc()), HasSubstr("out of memory; use fewer particles"));
  EXPECT_THAT(message_of(std::bad_array_new_length()), HasSubstr("out of memory"));
  const auto again = std::make_error_code(std::errc::resource_unavailable_try_again);
  EXPECT_THAT(message_of(std::system_error(again)), HasSubstr("no thread can be started"));
}

TEST(Problem, NoWordsOfTheLibrariesBelow) {
  const auto gone = std::make_error_code(std::errc::no_such_file_or_directory);
  EXPECT_EQ(message_of(std::filesystem::filesystem_error("cannot make absolute path", "out", gone)),
            "out: No such file or directory");
  EXPECT_EQ(message_of(std::filesystem::filesystem_error("cannot get current path", gone)),
            "No such file or directory");
  EXPECT_THAT(message_of(std::length_error("vector::_M_default_append")), HasSubstr("out of memory"));
  EXPECT_THAT(message_of(std::overflow_error("Error in function boost::math::tgamma<double>(double): Overflow Error")),
              HasSubstr("left the range of numbers"));
}

TEST(Problem, LeavesOtherWordsAsTheyAre) {
  EXPECT_EQ(message_of(std::runtime_error("study.toml:7: unknown key")), "study.toml:7: unknown key");
  const auto full = std::make_error_code(std::errc::no_space_on_device);
  EXPECT_EQ(message_of(std::system_error(full, "x")), std::system_error(full, "x").what());
}

}  // namespace
}  // namespace evident
