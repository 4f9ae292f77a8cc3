#include "report/files.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "evident/base/error.hpp"
#include "report/made_up.hpp"
#include "report/number_table.hpp"
#include "report/output_files.hpp"
#include "report/output_folder.hpp"
#include "support/temporary_folder.hpp"

namespace evident::report {
namespace {

namespace fs = std::filesystem;

std::set<std::string> entries(const fs::path& folder) {
  std::set<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) out.insert(entry.path().filename().string());
  return out;
}

std::string content(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file, std::ios::binary).rdbuf();
  return out.str();
}

TEST(FileNames, AreSafeAndNeverCollide) {
  EXPECT_EQ(safe_file_names({"one", "a/b", "a:b", "A_B", "..", "-x", "α", "a_b-2"}),
            (std::vector<std::string>{"one", "a_b", "a_b-2", "A_B-3", "_..", "_-x", "_", "a_b-2-2"}));
  const std::string longest(500, 'x');
  const std::vector<std::string> names = safe_file_names({longest, longest + "y"});
  EXPECT_NE(names[0], names[1]);
  EXPECT_LT(names[1].size(), 200u);
}

TEST(Csv, DrawsHaveWeightsAndEveryQuantity) {
  EXPECT_EQ(numbers_csv(draws_table(made_up_model("m", 0, 1).draws)),
            "weight,log_likelihood,log_prior,mu,\"a,\"\"b\"\"\"\n"
            "0.5,-1,-1,0,0\n"
            "0.25,-2,-1,0.1,0\n"
            "0.25,-inf,-1,0.2,0\n");
}

TEST(Csv, TracesHaveEveryStep) {
  const std::string text = numbers_csv(trace_table(made_up_trace()));
  EXPECT_EQ(std::ranges::count(text, '\n'), 4);
  const std::string head = text.substr(0, text.find('\n'));
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    EXPECT_EQ(std::ranges::count(line, ','), std::ranges::count(head, ',')) << line;
  }
  EXPECT_NE(text.find("\n1,0.25,-1.5,0,0,0,0,1,0.5,1,0,0,0,-3,0,0,0,0,0,0\n"), std::string::npos) << text;
}

TEST(OutputFolder, AppearsOnlyWhenPublished) {
  const TemporaryFolder base;
  {
    OutputFolder folder(base.path() / "out", false);
    write_files(Document(made_up_comparison(), {.study = "s.toml", .kinds = {}}), folder.path());
    EXPECT_FALSE(fs::exists(base.path() / "out"));
    folder.publish();
  }
  EXPECT_EQ(entries(base.path()), (std::set<std::string>{"out"}));
  EXPECT_EQ(entries(base.path() / "out"), (std::set<std::string>{"manifest.json", "one-draws.csv", "one-trace.csv",
                                                                 "result.json", "two-draws.csv", "two-trace.csv"}));
}

TEST(OutputFolder, WhatARunDoesNotHaveGetsNoFile) {
  const TemporaryFolder base;
  Comparison c = made_up_comparison();
  c.models[0].replicates = {Replicate{}};
  c.models[0].draws = {};
  write_files(Document(c, {.study = "s.toml", .kinds = {}}), base.path());
  EXPECT_EQ(entries(base.path()), (std::set<std::string>{"result.json", "two-draws.csv", "two-trace.csv"}));
}

TEST(OutputFolder, TheTraceOfAUnionHasAFileOfItsOwn) {
  const TemporaryFolder base;
  Comparison c = made_up_comparison();
  for (ModelResult& m : c.models) m.replicates = {Replicate{}};
  c.runs = {made_up_replicate()};
  write_files(Document(c, {.study = "s.toml", .kinds = {}}), base.path());
  EXPECT_EQ(entries(base.path()),
            (std::set<std::string>{"all-models-trace.csv", "one-draws.csv", "result.json", "two-draws.csv"}));
}

TEST(OutputFolder, LeavesNothingWithoutPublish) {
  const TemporaryFolder base;
  { OutputFolder folder(base.path() / "out", false); }
  EXPECT_TRUE(entries(base.path()).empty());
}

/// A folder of results with one file.
void publish(const fs::path& out, const std::string& text, bool force = false) {
  OutputFolder folder(out, force);
  write_file(folder.path() / "result.json", text);
  folder.publish();
}

TEST(OutputFolder, AnExistingOneIsRefusedAndWithForceReplacedAtTheEnd) {
  const TemporaryFolder base;
  const fs::path out = base.path() / "out";
  publish(out, "old");
  EXPECT_THROW(OutputFolder(out, false), InputError);
  { OutputFolder folder(out, true); }
  EXPECT_EQ(content(out / "result.json"), "old") << "a failed run keeps the old result";
  OutputFolder folder(out, true);
  write_file(folder.path() / "result.json", "new");
  EXPECT_EQ(content(out / "result.json"), "old");
  folder.publish();
  EXPECT_EQ(content(out / "result.json"), "new");
  EXPECT_EQ(entries(base.path()), (std::set<std::string>{"out"}));
}

TEST(OutputFolder, ForceDoesNotReplaceWhatIsNotAResult) {
  const TemporaryFolder base;
  base.write("precious.txt", "x");
  EXPECT_THROW(OutputFolder(base.path(), true), InputError);
  EXPECT_THROW(OutputFolder(base.path() / "precious.txt", true), InputError);
  base.write("result.json", "{}");
  EXPECT_THROW(OutputFolder(base.path(), true), InputError);
  EXPECT_EQ(entries(base.path()), (std::set<std::string>{"precious.txt", "result.json"}));
}

TEST(OutputFolder, WhatComesMeanwhileStays) {
  const TemporaryFolder base;
  const fs::path out = base.path() / "out";
  publish(out, "old");
  OutputFolder folder(out, true);
  write_file(folder.path() / "result.json", "new");
  base.write("out/notes.txt", "mine");
  EXPECT_THROW(folder.publish(), RunError);
  EXPECT_EQ(content(out / "result.json"), "old");
  EXPECT_EQ(content(out / "notes.txt"), "mine");
  fs::remove(out / "notes.txt");
  folder.publish();
  EXPECT_EQ(content(out / "result.json"), "new");
  EXPECT_EQ(entries(base.path()), (std::set<std::string>{"out"}));
}

/// As a run leaves it that is killed: the folder under its hidden name, with its list.
fs::path hidden_results(const fs::path& base, const std::string& letters) {
  const fs::path folder = base / (hidden_name("out") + letters);
  fs::create_directory(folder);
  write_file(folder / "result.json", "{}");
  Manifest list;
  list.add_all(folder);
  list.write(folder / Manifest::kName);
  return folder;
}

TEST(OutputFolder, TakesAwayWhatAKilledRunLeft) {
  const TemporaryFolder base;
  const pid_t child = ::fork();
  if (child == 0) {
    const OutputFolder folder(base.path() / "out", false);
    write_file(folder.path() / "result.json", "{");
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(entries(base.path()).size(), 1U);
  hidden_results(base.path(), "aaaaaa");
  const fs::path with_a_note = hidden_results(base.path(), "bbbbbb");  // it had been the earlier results until then
  write_file(with_a_note / "note.txt", "mine");
  const OutputFolder living(base.path() / "out", false);
  EXPECT_EQ(entries(base.path()), (std::set<std::string>{living.path().filename(), with_a_note.filename()}));
  EXPECT_EQ(content(with_a_note / "note.txt"), "mine");
  EXPECT_TRUE(fs::exists(with_a_note / "result.json"));
}

TEST(OutputFolder, UnwritablePlacesAreFoundAtOnce) {
  const TemporaryFolder base;
  base.write("file", "x");
  EXPECT_THROW(OutputFolder(base.path() / "file" / "out", false), InputError);
  EXPECT_THROW(OutputFolder(base.path() / "missing" / "out", false), InputError);
  EXPECT_THROW(OutputFolder("/proc/out", false), InputError);
  EXPECT_EQ(entries(base.path()), (std::set<std::string>{"file"}));
}

TEST(OutputFolder, ARaceIsNotOverwritten) {
  const TemporaryFolder base;
  OutputFolder folder(base.path() / "out", false);
  fs::create_directory(base.path() / "out");
  EXPECT_THROW(folder.publish(), RunError);
  EXPECT_TRUE(fs::is_empty(base.path() / "out"));
}

TEST(Manifest, ListsWhatIsBelowAFolderAndFindsWhatIsNot) {
  const TemporaryFolder base;
  const fs::path out = base.path() / "out";
  EXPECT_EQ(not_ours(base.path()), "");
  {
    OutputFolder folder(out, false);
    fs::create_directories(folder.path() / "a" / "b");
    write_file(folder.path() / "a" / "b" / "deep", "1");
    write_file(folder.path() / "top", "2");
    folder.publish({.run = 7, .pieces_done_again = 3});
  }
  const auto manifest = Manifest::read(out / Manifest::kName);
  ASSERT_TRUE(manifest);
  EXPECT_EQ(manifest->paths(), (std::vector<std::string>{"a/b/deep", "top"}));
  EXPECT_EQ(manifest->facts().run, 7u);
  EXPECT_EQ(manifest->facts().pieces_done_again, 3u);
  EXPECT_EQ(not_ours(out), "");
  base.write("out/a/mine", "x");
  EXPECT_EQ(not_ours(out), "'a/mine' is not among the files that evident wrote");
  base.write("out/top", "3");
  EXPECT_FALSE(manifest->matches(out, "top"));
  remove_ours(out);
  EXPECT_EQ(entries(out), (std::set<std::string>{"a", "top"}));
  EXPECT_EQ(entries(out / "a"), (std::set<std::string>{"mine"}));
}

TEST(Manifest, IsBelievedOnlyWhole) {
  const TemporaryFolder base;
  const fs::path file = base.path() / Manifest::kName;
  base.write("x", "1");
  Manifest made;
  made.add(base.path(), "x");
  made.write(file);
  const std::string text = content(file);
  ASSERT_TRUE(Manifest::read(file));
  for (const std::string& other : {std::string("{}"), std::string("text"), text.substr(0, text.size() / 2),
                                   std::string(text).replace(text.find("\"x\""), 3, "\"y\"")}) {
    base.write(Manifest::kName, other);
    EXPECT_FALSE(Manifest::read(file)) << other;
  }
  Manifest outside;  // as if somebody had made it: no path of it is followed
  outside.add(base.path(), "../" + base.path().filename().string() + "/x");
  outside.write(file);
  EXPECT_FALSE(Manifest::read(file));
}

TEST(OutputFiles, ReplaceWhatTheyWroteAmongFilesOfOthers) {
  const TemporaryFolder base;
  const OutputFiles files(base.path());
  const auto publish_all = [&](const std::vector<std::string>& names, const std::string& text) {
    const Staging work(base.path());
    for (const std::string& name : names) write_file(work.path() / name, text);
    files.publish(work.path(), names);
  };
  base.write("mine", "m");
  publish_all({"a", "b"}, "1");
  publish_all({"b", "c"}, "2");
  EXPECT_EQ(entries(base.path()), (std::set<std::string>{"b", "c", "manifest.json", "mine"}))
      << "a is of an earlier run";
  EXPECT_THROW(files.check({"mine"}), InputError);
  EXPECT_THROW(publish_all({"b", "mine"}, "3"), RunError);
  base.write("c", "mine now");
  publish_all({"b"}, "4");
  EXPECT_EQ(content(base.path() / "b"), "4");
  EXPECT_EQ(content(base.path() / "c"), "mine now");
  files.publish_text("page", "p");
  EXPECT_EQ(files.manifest()->paths(), (std::vector<std::string>{"b", "page"}));
}

TEST(Files, AFullDiskIsAnError) { EXPECT_THROW(write_file("/dev/full", "text"), RunError); }

}  // namespace
}  // namespace evident::report
