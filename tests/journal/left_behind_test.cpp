// What a run leaves when it is killed, and who removes it.
#include "journal/left_behind.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "journal/output_file.hpp"
#include "support/temporary_folder.hpp"

namespace evident {
namespace {

namespace fs = std::filesystem;

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) out.insert(entry.path().filename().string());
  return out;
}

/// In a process of its own, which is killed then.
template <class Work>
void killed_after(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::kill(::getpid(), SIGKILL);
  }
  int how = 0;
  ::waitpid(child, &how, 0);
  ASSERT_TRUE(WIFSIGNALED(how));
}

void write_text(OutputFile& file) { file.write(std::as_bytes(std::span(std::string_view("text")))); }

TEST(LeftBehind, IsRemovedByTheNextRun) {
  const TemporaryFolder folder;
  const fs::path made = folder.path() / (hidden_name("out") + "aB3xYz"),
                 kept = folder.path() / (hidden_name("in") + "aB3xYz");
  killed_after([&] {
    OutputFile file(folder.path() / "result.json");
    write_text(file);
    fs::create_directory(made);
    fs::create_directory(kept);
    const NameLock lock = NameLock::take(made), other = NameLock::take(kept);
    std::ofstream(made / "draws.csv") << "1";
    ::kill(::getpid(), SIGKILL);
  });
  ASSERT_EQ(names_in(folder.path()).size(), 3U);
  remove_files_left_behind(folder.path());
  EXPECT_EQ(names_in(folder.path()), (std::set<std::string>{made.filename(), kept.filename()}));
  remove_left_behind(folder.path(), [&](const fs::path& path) { return path == made; });
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{kept.filename()});
}

TEST(LeftBehind, WhatALivingRunHasStays) {
  const TemporaryFolder folder;
  const fs::path made = folder.path() / (hidden_name("out") + "aB3xYz");
  fs::create_directory(made);
  const NameLock lock = NameLock::take(made);
  OutputFile file(folder.path() / "result.json");
  write_text(file);
  const std::set<std::string> before = names_in(folder.path());
  killed_after([&] { remove_left_behind(folder.path(), [](const fs::path&) { return true; }); });
  EXPECT_EQ(names_in(folder.path()), before);
  EXPECT_TRUE(lock.still_has(made));
  file.commit();
  EXPECT_EQ(names_in(folder.path()), (std::set<std::string>{made.filename(), "result.json"}));
}

TEST(LeftBehind, WhatIsNotOursStays) {
  const TemporaryFolder folder;
  const std::string ours = hidden_name("out");
  std::string elsewhere = ours;  // of another machine
  elsewhere[elsewhere.size() - 2] = elsewhere[elsewhere.size() - 2] == '0' ? '1' : '0';
  for (const std::string& name : {std::string(".out.aB3xYz"), elsewhere + "aB3xYz", ours + "aB3xY", ours + "aB3-Yz",
                                  ours + "0123456789abcdef.part", ours.substr(1) + "aB3xYz"})
    fs::create_directory(folder.path() / name);  // the fifth has a file's name
  for (const std::string& name :
       {ours + "000000", ours + "0123456789abcdeg.part", ours + "0123456789abcde.part",
        elsewhere + "0123456789abcdef.part", std::string(".result.json.0123456789abcdef.part")})
    folder.write(name, "x");  // the first has a folder's name
  const TemporaryFolder other;
  other.write("mine.txt", "x");
  fs::create_directory_symlink(other.path(), folder.path() / (ours + "linked"));
  fs::create_symlink(other.path() / "mine.txt", folder.path() / (ours + "0123456789abcdee.part"));
  const std::set<std::string> before = names_in(folder.path());
  ASSERT_EQ(before.size(), 13U);
  remove_left_behind(folder.path(), [](const fs::path&) { return true; });
  EXPECT_EQ(names_in(folder.path()), before);
  EXPECT_TRUE(fs::exists(other.path() / "mine.txt"));
}

}  // namespace
}  // namespace evident
