#include "journal/journal.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <thread>

#include "evident/base/error.hpp"
#include "support/messages.hpp"
#include "support/size_limit.hpp"
#include "support/temporary_folder.hpp"

namespace evident {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
namespace fs = std::filesystem;

JournalIdentity run_with(const std::string& particles) {
  JournalIdentity identity;
  identity.fact("particles", particles);
  identity.fact("image", "pet.nii.gz");
  return identity;
}

std::vector<std::byte> payload_of(std::uint64_t number) {
  std::vector<std::byte> bytes(number * 7 % 23);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(number * 31 + i);
  return bytes;
}

class Journals : public testing::Test {
 protected:
  /// A journal of the chunks 0 .. count-1; returns where each ends, the head first.
  std::vector<std::uint64_t> make(std::uint64_t count) const {
    fs::remove(path_);
    Journal journal = Journal::create(path_, identity_);
    std::vector<std::uint64_t> ends{fs::file_size(path_)};
    for (std::uint64_t n = 0; n < count; ++n) {
      journal.append(n, payload_of(n));
      ends.push_back(fs::file_size(path_));
    }
    return ends;
  }
  void put(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  void expect_right(const Journal& journal) const {
    for (const std::uint64_t n : journal.chunks()) EXPECT_EQ(journal.payload(n), payload_of(n)) << n;
  }
  std::string refusal() const {
    const auto text = message_of<InputError>([&] { Journal::resume(path_, identity_); });
    EXPECT_THAT(text, HasSubstr(path_));
    return text;
  }

  TemporaryFolder folder_;
  std::string path_ = (folder_.path() / "run.journal").string();
  JournalIdentity identity_ = run_with("1000");
};

TEST_F(Journals, GoesOnWhereItWas) {
  {
    Journal journal = Journal::create(path_, identity_);
    for (const std::uint64_t n : {7, 2, 9}) journal.append(n, payload_of(n));
    EXPECT_TRUE(journal.has(2));
    EXPECT_FALSE(journal.has(3));
    expect_right(journal);
  }
  {
    Journal journal = Journal::resume(path_, identity_);
    EXPECT_THAT(journal.chunks(), ElementsAre(2, 7, 9));
    EXPECT_EQ(journal.dropped(), 0u);
    EXPECT_EQ(journal.cut_bytes(), 0u);
    journal.append(3, payload_of(3));
    journal.append(std::uint64_t{1} << 63, payload_of(std::uint64_t{1} << 63));
    journal.append(2, payload_of(2));
    journal.sync();
    expect_right(journal);
  }
  const Journal journal = Journal::resume(path_, identity_);
  EXPECT_THAT(journal.chunks(), ElementsAre(2, 3, 7, 9, std::uint64_t{1} << 63));
  expect_right(journal);
}

TEST_F(Journals, TheLastOfTwoWins) {
  {
    Journal journal = Journal::create(path_, identity_);
    journal.append(1, payload_of(5));
    journal.append(1, payload_of(6));
    EXPECT_EQ(journal.payload(1), payload_of(6));
  }
  EXPECT_EQ(Journal::resume(path_, identity_).payload(1), payload_of(6));
}

TEST_F(Journals, SaysWhatDiffers) {
  make(1);
  identity_ = run_with("500");
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("it was made with particles = 1000, this run has 500"), Not(HasSubstr("pet"))));
  identity_ = run_with("1000");
  identity_.fact("seed", "7");
  EXPECT_THAT(refusal(), HasSubstr("made without seed, this run has seed = 7"));
  identity_ = JournalIdentity();
  identity_.fact("image", "pet.nii.gz");
  EXPECT_THAT(refusal(), HasSubstr("made with particles = 1000, this run has no particles"));
  identity_ = run_with("1000");
  identity_.mix(12345);
  EXPECT_THAT(refusal(), HasSubstr("other data"));
  identity_ = run_with("1000");
  EXPECT_THAT(Journal::resume(path_, identity_).chunks(), ElementsAre(0));
}

TEST_F(Journals, OddFactsStayOneLine) {
  JournalIdentity odd;
  odd.fact("a = b\nc", "d\ne = f");
  { Journal::create(path_, odd); }
  EXPECT_THAT(Journal::resume(path_, odd).chunks(), IsEmpty());
  EXPECT_THAT(refusal(), HasSubstr("made with a   b c = d e = f, this run has no"));
  JournalIdentity huge;
  huge.fact("x", std::string(std::size_t{2} << 20, 'x'));
  EXPECT_THROW(Journal::create(folder_.path() / "other", huge), InputError);
}

TEST_F(Journals, OneRunAtATime) {
  const Journal journal = Journal::create(path_, identity_);
  EXPECT_THAT(refusal(), HasSubstr("in use"));
  EXPECT_THAT(message_of<InputError>([&] { Journal::create(path_, identity_); }), HasSubstr("is there already"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(Journals, CutAtEveryByte) {
  const auto ends = make(6);
  const std::string whole = contents(path_);
  ASSERT_EQ(whole.size(), ends.back());
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    SCOPED_TRACE(length);
    put(whole.substr(0, length));
    if (length < ends[0]) {
      refusal();
      EXPECT_EQ(fs::file_size(path_), length);  // nothing was done to it
      continue;
    }
    std::size_t complete = 0;
    while (complete + 1 < ends.size() && ends[complete + 1] <= length) ++complete;
    {
      Journal journal = Journal::resume(path_, identity_);
      ASSERT_EQ(journal.chunks().size(), complete);
      if (complete > 0) {
        EXPECT_EQ(journal.chunks().back(), complete - 1);
      }
      EXPECT_EQ(journal.cut_bytes(), length - ends[complete]);
      EXPECT_EQ(journal.dropped(), 0u);
      expect_right(journal);
      if (length % 8 != 0) continue;  // forcing data to the disk takes its time
      for (std::uint64_t n = complete; n < 6; ++n) journal.append(n, payload_of(n));
    }
    EXPECT_EQ(contents(path_), whole);
  }
}

TEST_F(Journals, DamagedAtEveryByte) {
  const auto ends = make(6);
  const std::string whole = contents(path_);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    SCOPED_TRACE(at);
    std::string bad = whole;
    bad[at] = static_cast<char>(bad[at] ^ 0x41);
    put(bad);
    if (at < ends[0]) {
      refusal();
      continue;
    }
    std::size_t hit = 0;
    while (ends[hit + 1] <= at) ++hit;
    {
      Journal journal = Journal::resume(path_, identity_);
      ASSERT_EQ(journal.chunks().size(), 5u);
      EXPECT_FALSE(journal.has(hit));
      EXPECT_TRUE(journal.dropped() == 1 || (hit == 5 && journal.cut_bytes() == ends[6] - ends[5]));
      expect_right(journal);
      if (at % 8 != 0) continue;
      journal.append(hit, payload_of(hit));
    }
    Journal journal = Journal::resume(path_, identity_);
    EXPECT_EQ(journal.chunks().size(), 6u);
    EXPECT_EQ(journal.cut_bytes(), 0u);
    expect_right(journal);
  }
}

TEST_F(Journals, SeveralChunksLost) {
  const auto ends = make(12);
  std::string bad = contents(path_);
  for (std::size_t at = ends[3] + 2; at < ends[6] - 1; ++at) bad[at] = '\0';
  put(bad + std::string(5000, '\0'));  // and zeros at the end, as a power cut leaves them
  const Journal journal = Journal::resume(path_, identity_);
  EXPECT_THAT(journal.chunks(), ElementsAre(0, 1, 2, 6, 7, 8, 9, 10, 11));
  EXPECT_EQ(journal.dropped(), 1u);
  EXPECT_EQ(journal.cut_bytes(), 5000u);
  expect_right(journal);
}

TEST_F(Journals, HostileFiles) {
  make(2);
  const std::string whole = contents(path_);
  put("");
  EXPECT_THAT(refusal(), HasSubstr("is not a journal"));
  put("something else entirely, and longer than the head of a journal");
  EXPECT_THAT(refusal(), HasSubstr("is not a journal"));
  std::string bad = whole;
  bad[8] = 2;
  put(bad);
  EXPECT_THAT(refusal(), AllOf(HasSubstr("format 2"), HasSubstr("format 1")));
  bad = whole;
  bad.replace(12, 4, "\xff\xff\xff\xff", 4);
  put(bad);
  EXPECT_THAT(refusal(), HasSubstr("damaged"));
  bad = whole;
  bad.replace(12, 4, std::string("\0\0\x0f\0", 4));
  put(bad);
  EXPECT_THAT(refusal(), HasSubstr("within its head"));
  put(whole.substr(0, 40));
  EXPECT_THAT(refusal(), HasSubstr("remove it"));
  fs::remove(path_);
  EXPECT_THAT(refusal(), HasSubstr("cannot be opened"));
  fs::create_directory(path_);
  refusal();
}

TEST_F(Journals, HugeLengthWithARightSum) {
  const auto ends = make(2);
  std::string bytes = contents(path_);
  std::uint32_t seed = 0;
  std::memcpy(&seed, bytes.data() + ends[0] - 4, 4);
  for (const std::uint64_t length : {~std::uint64_t{0}, std::uint64_t{1} << 62, std::uint64_t{1} << 30}) {
    std::string head(24, '\0');
    std::memcpy(head.data(), "evCk", 4);
    head[8] = 5;
    std::memcpy(head.data() + 16, &length, 8);
    const auto sum = static_cast<std::uint32_t>(crc32(seed, reinterpret_cast<const Bytef*>(head.data()) + 8, 16));
    std::memcpy(head.data() + 4, &sum, 4);
    put(bytes + head + std::string(100, 'x'));
    const Journal journal = Journal::resume(path_, identity_);
    EXPECT_THAT(journal.chunks(), ElementsAre(0, 1));
    EXPECT_EQ(journal.cut_bytes(), 124u);
  }
}

TEST_F(Journals, FullDisk) {
  {
    Journal journal = Journal::create(path_, identity_);
    journal.append(0, payload_of(0));
    const auto size = fs::file_size(path_);
    {
      const SizeLimit limit(size + 500);
      const std::vector<std::byte> large(2000);
      const auto text = message_of<RunError>([&] { journal.append(1, large); });
      EXPECT_THAT(text, AllOf(HasSubstr(path_), HasSubstr("1 chunks in it are kept"), HasSubstr("resume")));
      EXPECT_FALSE(journal.has(1));
      EXPECT_EQ(fs::file_size(path_), size);
    }
    journal.append(2, payload_of(2));  // there is room again
  }
  const Journal journal = Journal::resume(path_, identity_);
  EXPECT_THAT(journal.chunks(), ElementsAre(0, 2));
  EXPECT_EQ(journal.cut_bytes() + journal.dropped(), 0u);
  expect_right(journal);
  const SizeLimit limit(10);
  EXPECT_THROW(Journal::create(folder_.path() / "other", identity_), InputError);
  EXPECT_FALSE(fs::exists(folder_.path() / "other"));
}

TEST_F(Journals, ManyThreads) {
  constexpr std::uint64_t kEach = 200;
  {
    Journal journal = Journal::create(path_, identity_);
    journal.set_sync_interval(std::chrono::milliseconds(1));
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&journal, t] {
        for (std::uint64_t n = 0; n < kEach; ++n) journal.append(4 * n + t, payload_of(4 * n + t));
      });
    }
  }
  const Journal journal = Journal::resume(path_, identity_);
  EXPECT_EQ(journal.chunks().size(), 4 * kEach);
  EXPECT_EQ(journal.cut_bytes() + journal.dropped(), 0u);
  expect_right(journal);
}

// The child tells after every append that it is done, and is killed at some moment.
TEST_F(Journals, KilledLosesNothingThatWasAppended) {
  for (int round = 0; round < 5; ++round) {
    fs::remove(path_);
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      Journal journal = Journal::create(path_, identity_);
      for (std::uint64_t n = 0;; ++n) {
        journal.append(n, payload_of(n));
        if (::write(pipe[1], &n, sizeof n) != sizeof n) ::_exit(1);
      }
    }
    ::close(pipe[1]);
    std::uint64_t last = 0, n = 0;
    while (last < 200u + 100u * static_cast<unsigned>(round) && ::read(pipe[0], &n, sizeof n) == sizeof n) last = n;
    ::kill(child, SIGKILL);
    while (::read(pipe[0], &n, sizeof n) == sizeof n) last = n;
    ::close(pipe[0]);
    ::waitpid(child, nullptr, 0);
    const Journal journal = Journal::resume(path_, identity_);
    EXPECT_EQ(journal.dropped(), 0u);
    ASSERT_GE(journal.chunks().size(), last + 1);
    EXPECT_LE(journal.chunks().size(), last + 2);
    expect_right(journal);
  }
}

TEST_F(Journals, DamagedWhileTheRunGoesOn) {
  Journal journal = Journal::create(path_, identity_);
  journal.append(5, payload_of(5));
  std::string bytes = contents(path_);
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);
  put(bytes);
  EXPECT_THAT(message_of<RunError>([&] { journal.payload(5); }), HasSubstr("chunk 5 was damaged"));
  EXPECT_THROW(journal.payload(6), RunError);
}

TEST(Fingerprints, TellPiecesApart) {
  Fingerprint a, b, c;
  a.add("ab");
  a.add("c");
  b.add("a");
  b.add("bc");
  c.add("ab");
  c.add("c");
  EXPECT_NE(a.value(), b.value());
  EXPECT_EQ(a.value(), c.value());
  EXPECT_NE(a.value(), Fingerprint().value());
}

TEST_F(Journals, AreReadWithoutTheirIdentity) {
  const std::string path = (folder_.path() / "journal").string();
  {
    Journal journal = Journal::create(path, run_with("7"));
    journal.append(3, payload_of(3));
    EXPECT_EQ(journal.facts(), run_with("7").facts());
    EXPECT_THAT(message_of<InputError>([&] { Journal::read(path); }), HasSubstr("in use"));
  }
  const std::string before = contents(path) + "torn";
  folder_.write("journal", before);
  {
    const Journal one = Journal::read(path), two = Journal::read(path);  // readers do not disturb each other
    EXPECT_EQ(one.facts(), run_with("7").facts());
    EXPECT_EQ(two.fingerprint(), run_with("7").fingerprint());
    EXPECT_THAT(two.chunks(), ElementsAre(3));
    EXPECT_EQ(two.payload(3), payload_of(3));
  }
  EXPECT_EQ(contents(path), before);  // nor the file
  folder_.write("other", "EVIDJRN");
  EXPECT_THAT(message_of<InputError>([&] { Journal::read(folder_.path() / "other"); }), HasSubstr("not a journal"));
}

}  // namespace
}  // namespace evident
