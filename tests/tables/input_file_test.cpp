#include "tables/input_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>

#include "study/messages.hpp"
#include "support/temporary_folder.hpp"
#include "tables/file_text.hpp"
#include "tables/placed_error.hpp"
#include "tables/table.hpp"

namespace evident::study {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;

std::string refusal(const std::string& file, std::uint64_t most = InputFile::kAnySize) {
  return message_of([&] { file_text(file, most); });
}

TEST(InputFile, ReadsRegularFilesAlone) {
  const TemporaryFolder folder;
  const std::string pipe = (folder.path() / "pipe").string(), socket = (folder.path() / "socket").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  ASSERT_LT(socket.size(), sizeof address.sun_path);
  std::strncpy(address.sun_path, socket.c_str(), sizeof address.sun_path - 1);
  const int end = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(end, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  // Nobody writes to the pipe: who waits for it waits for ever.
  EXPECT_EQ(refusal(pipe), pipe + ": is a pipe, not a regular file");
  EXPECT_EQ(refusal(socket), socket + ": is a socket, not a regular file");
  EXPECT_EQ(refusal("/dev/zero"), "/dev/zero: is a device, not a regular file");
  EXPECT_EQ(refusal(folder.path()), folder.path().string() + ": is a folder, not a file");
  EXPECT_EQ(refusal((folder.path() / "none").string()),
            (folder.path() / "none").string() + ": cannot be opened: No such file or directory");
  EXPECT_EQ(file_text(folder.write("file", "text"), 4), "text");
  ::close(end);
}

TEST(InputFile, LoopsAndLongPathsAreSaidByName) {
  const TemporaryFolder folder;
  const std::string loop = (folder.path() / "loop").string();
  std::filesystem::create_symlink("loop", loop);
  EXPECT_EQ(refusal(loop), loop + ": cannot be opened: Too many levels of symbolic links");
  const std::string name(300, 'x');
  EXPECT_EQ(refusal(name), name + ": cannot be opened: File name too long");
  std::string deep;
  for (int k = 0; k < 5000; ++k) deep += "a/";
  const std::string said = refusal(deep);
  EXPECT_LT(said.size(), 200u) << "the message is one that can be read";
  EXPECT_NE(said.find("a/a/a/...a/a/a"), std::string::npos) << said;
  EXPECT_NE(said.find("File name too long"), std::string::npos) << said;
}

TEST(InputFile, WhatIsTooLargeIsRefusedBeforeItIsRead) {
  const TemporaryFolder folder;
  const std::string file = folder.write("sparse.csv", "y\n1\n");
  std::filesystem::resize_file(file, std::uintmax_t{1} << 42U);  // 4 TB that take no place
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(message_of([&] { Table::read(file); }), file + ": is larger than the 4096 MB that are read");
  EXPECT_EQ(refusal(file, 16 * kMegabyte), file + ": is larger than the 16 MB that are read");
  EXPECT_EQ(refusal(file, 1000), file + ": is larger than the 1000 bytes that are read");
  EXPECT_THROW(file_text(file, 1000), TooLarge);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(InputFile, ReadingEndsAtTheFirstZeroByte) {
  const TemporaryFolder folder;
  const std::string file = folder.write("zeros.csv", "y\n1\n");
  std::filesystem::resize_file(file, std::uintmax_t{1} << 36U);  // reading all of it takes minutes
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal(file), file + ": is not a text file (byte 5 is zero)");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

}  // namespace
}  // namespace evident::study
