// The folder of a checkpoint: what is written to it and when, damage, files of others, and what is left at the end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "compare/identity.hpp"
#include "compare/numbers.hpp"
#include "compare/stopping.hpp"
#include "evident/base/error.hpp"
#include "evident/compare/checkpoint.hpp"
#include "evident/smc/sampler.hpp"
#include "journal/journal.hpp"
#include "support/messages.hpp"
#include "support/temporary_folder.hpp"

namespace evident {
namespace {

using testing::HasSubstr;

TEST(Checkpoint, AStopIsNotedWhereARunIsUnderWay) {
  const TemporaryFolder folder;
  const CompareOptions options{.smc = SmcOptions{.particles = 64}, .threads = 1, .islands = 0};
  constexpr double kNever = 1e9;
  Checkpoint checkpoint({.folder = folder.path() / "kept", .note_every = kNever},
                        comparison_identity(two_models(), options));
  CompareOptions own = options;
  own.checkpoint = &checkpoint;
  Stopper stopper(3);
  EXPECT_THROW(compare(two_models(), own, &stopper, stopper.token()), RunError);
  std::size_t notes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "kept"))
    notes += entry.path().extension() == ".note";
  EXPECT_EQ(notes, 1U);
}

TEST(Checkpoint, DamageIsDoneAgain) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "kept";
  CompareOptions options{.smc = frozen_defaults(), .seed = 4, .threads = 1, .islands = 4};
  options.smc->particles = 128;
  const auto expected = numbers(compare(two_models(), options));
  const JournalIdentity identity = comparison_identity(two_models(), options);
  const auto run = [&](std::size_t steps) {
    Checkpoint checkpoint({.folder = path, .resume = true, .note_every = 0}, identity);
    CompareOptions own = options;
    own.checkpoint = &checkpoint;
    Stopper stopper(steps);
    return numbers(compare(two_models(), own, &stopper, stopper.token()));
  };
  EXPECT_THROW(run(40), RunError);
  std::size_t notes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    notes += entry.path().extension() == ".note";
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    if (entry.path().extension() == ".note")
      file.seekp(-200, std::ios::end);
    else  // within one of the pieces
      file.seekp(static_cast<std::streamoff>(entry.file_size() / 2));
    file.put('#');
  }
  EXPECT_GE(notes, 1U);
  std::filesystem::resize_file(path / "journal", std::filesystem::file_size(path / "journal") - 7);
  {
    const Checkpoint damaged({.folder = path, .resume = true}, identity);
    EXPECT_EQ(damaged.pieces_done_again(), 1U);
  }
  EXPECT_EQ(run(1000000), expected);
}

TEST(Checkpoint, OfAShortRunLeavesNothing) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "kept";
  CompareOptions options{.smc = SmcOptions{.particles = 128}, .seed = 4, .islands = 0};
  Checkpoint checkpoint({.folder = path, .after = 1000}, comparison_identity(two_models(), options));
  options.checkpoint = &checkpoint;
  compare(two_models(), options);
  EXPECT_FALSE(checkpoint.is_written());
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Checkpoint, LeavesForeignFilesAlone) {
  const TemporaryFolder folder;
  folder.write("mine.txt", "x");
  Checkpoint checkpoint({.folder = folder.path()}, JournalIdentity{});
  EXPECT_TRUE(Checkpoint::is_begun(folder.path()));
  checkpoint.finish();
  EXPECT_FALSE(Checkpoint::is_begun(folder.path()));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "mine.txt"));
  folder.write("file", "x");
  EXPECT_THROW(Checkpoint({.folder = folder.path() / "file"}, JournalIdentity{}), InputError);
  EXPECT_THROW(Checkpoint({.folder = folder.path() / "file", .after = 1000}, JournalIdentity{}), InputError)
      << "before any work";
}

TEST(Checkpoint, ReplacesNoJournalOfSomebodyElse) {
  const TemporaryFolder folder;
  const CheckpointOptions options{.folder = folder.path(), .replace = true};
  folder.write("journal", "Monday: rain");
  folder.write("my.note", "n");
  folder.write("0123456789abcdef.note", "n");
  EXPECT_THAT(message_of<InputError>([&] { const Checkpoint checkpoint(options, JournalIdentity{}); }),
              HasSubstr("is not a journal of evident"));
  EXPECT_EQ(std::filesystem::file_size(folder.path() / "journal"), 12U);
  std::filesystem::remove(folder.path() / "journal");
  { const Checkpoint begun(options, JournalIdentity{}); }
  Checkpoint again(options, JournalIdentity{});
  again.finish();
  EXPECT_FALSE(Checkpoint::is_begun(folder.path()));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "my.note"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "0123456789abcdef.note"));
}

// Opening it would wait for somebody to write into it.
TEST(Checkpoint, RefusesAPipeInPlaceOfANote) {
  constexpr unsigned kLongEnough = 60;
  alarm(kLongEnough);
  const TemporaryFolder folder;
  const std::string note = (folder.path() / "0123456789abcdef.note").string();
  ASSERT_EQ(::mkfifo(note.c_str(), 0600), 0);
  for (const bool resume : {true, false}) {
    const CheckpointOptions options{.folder = folder.path(), .resume = resume, .replace = !resume};
    EXPECT_EQ(message_of<InputError>([&] { const Checkpoint checkpoint(options, JournalIdentity{}); }),
              note + ": is a pipe, not a regular file");
  }
  std::filesystem::remove(note);
  Checkpoint begun({.folder = folder.path()}, JournalIdentity{});
  ASSERT_EQ(::mkfifo(note.c_str(), 0600), 0);  // while the run is under way
  begun.finish();
  EXPECT_TRUE(std::filesystem::exists(note)) << "it is not ours";
  alarm(0);
}

}  // namespace
}  // namespace evident
