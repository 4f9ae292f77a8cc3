#include "imaging/pet/io/timing.hpp"

#include "imaging/pet/files.hpp"

namespace evident::imaging {
namespace {

ScanTiming frames(Numbers start, Numbers duration) { return {std::move(start), std::move(duration), false}; }

std::string problem(const ScanTiming& timing) {
  return message_of([&] {
    std::vector<std::string> notes;
    check_frames(timing, "p.json", notes);
  });
}

TEST(Timing, CountsAreAllTold) {
  EXPECT_NO_THROW(check_frame_counts(2, frames({0, 1}, {1, 1}), "p.json"));
  EXPECT_EQ(
      message_of([] {
        check_frame_counts(3, frames({0, 10, 20, 30}, {10, 10, 10}), "p.json");
      }),
      "p.json: the image has 3 frames, but there are 4 frame starts and 3 frame durations; FrameTimesStart has one "
      "entry too many, the last, which is the end of the last frame: remove it");
  EXPECT_THAT(message_of([] {
                check_frame_counts(3, frames({0, 10, 20, 99}, {10, 10, 10}), "p");
              }),
              HasSubstr("one entry too many: remove it"));
  EXPECT_THAT(message_of([] {
                check_frame_counts(3, frames({0, 10}, {10, 10}), "p");
              }),
              HasSubstr("the image has 3 frames, but there are 2 frame starts and 2 frame durations"));
  EXPECT_THAT(message_of([] { check_frame_counts(2, frames({0, 10}, {10}), "p"); }), HasSubstr("one start and one"));
  EXPECT_THAT(message_of([] { check_frame_counts(1, frames({}, {}), "p"); }), HasSubstr("0 frame starts"));
  EXPECT_THAT(message_of([] { check_frame_counts(0, frames({5}, {}), "p"); }), HasSubstr("the image has 0 frames"));
}

TEST(Timing, OverlapAndOrder) {
  EXPECT_EQ(problem(frames({0, 10, 15}, {10, 10, 10})), "p.json: frames 2 and 3 overlap: 10 to 20 s, and from 15 s");
  EXPECT_THAT(problem(frames({0, 20, 10}, {5, 5, 5})), HasSubstr("frame 3 begins at 10 s, not after frame 2 (20 s)"));
  EXPECT_THAT(problem(frames({0, 0}, {5, 5})), HasSubstr("not after"));
  EXPECT_THAT(problem(frames({0, 10}, {10, 0})), HasSubstr("frame 2 has a duration of 0 s"));
  EXPECT_THAT(problem(frames({0, 10}, {10, -3})), HasSubstr("-3"));
  EXPECT_THAT(problem(frames({0, std::nan("")}, {10, 5})), HasSubstr("frame 2 has no usable time"));
  EXPECT_THAT(problem(frames({0, 1e300}, {10, 5})), HasSubstr("no usable time"));
  EXPECT_THAT(problem(frames({}, {})), HasSubstr("no frames"));
}

TEST(Timing, DurationsThatAreEndsAreNamed) {
  EXPECT_THAT(problem(frames({0, 10, 20, 30}, {10, 20, 30, 40})), HasSubstr("FrameDuration seems to hold the ends"));
}

TEST(Timing, RoundedTimesAndGapsPass) {
  std::vector<std::string> notes;
  EXPECT_NO_THROW(check_frames(frames({0, 59.9995, 120}, {60, 60, 300}), "p", notes));
  EXPECT_TRUE(notes.empty());
  EXPECT_NO_THROW(check_frames(frames({0, 60, 600}, {60, 60, 300}), "p", notes));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "1 gap between frames, 480 s in all; the first before frame 3");
}

TEST(Timing, MinutesAreSuspected) {
  ScanTiming timing;
  for (int i = 0; i < 18; ++i) {
    timing.start.push_back(5.0 * i);
    timing.duration.push_back(5);
  }
  EXPECT_THAT(
      problem(timing),
      HasSubstr("18 frames end at 90 s, which looks like minutes; say option time_unit=min, or option time_unit=s"));
  timing.unit_given = true;
  std::vector<std::string> notes;
  EXPECT_NO_THROW(check_frames(timing, "p", notes));
}

TEST(Timing, TooManyFramesAreRefused) {
  ScanTiming timing;
  for (std::size_t i = 0; i <= kMaxFrames; ++i) {
    timing.start.push_back(static_cast<double>(i));
    timing.duration.push_back(1);
  }
  EXPECT_THAT(problem(timing), HasSubstr("more than the 10000"));
}

TEST(Timing, TablesOfFrames) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& name, const std::string& text, const std::string& unit = "") {
    return read_frames(folder.write(name, text), unit);
  };
  EXPECT_EQ(read("a.tsv", "start\tduration\n0\t10\n10\t20\n").duration, (Numbers{10, 20}));
  EXPECT_EQ(read("b.csv", "frame_start,frame_end\n0,10\n10,30\n").duration, (Numbers{10, 20}));
  EXPECT_EQ(read("c.txt", "start end\n 0  10 \n10 30\n").start, (Numbers{0, 10})) << "blanks between columns";
  EXPECT_EQ(read("d.tsv",
                 "\xEF\xBB\xBF"
                 "FrameTimesStart\tFrameDuration\r\n0\t1\r\n1\t2\r\n",
                 "min")
                .duration,
            (Numbers{60, 120}));
  const ScanTiming pmod = read("e.tac", "start[minutes]\tend[kBq/cc]\tcer\n0\t1\t5\n1\t3\t6\n");
  EXPECT_EQ(pmod.duration, (Numbers{60, 120}));
  EXPECT_TRUE(pmod.unit_given);
  EXPECT_FALSE(read("f.tsv", "start\tend\n0\t1\n").unit_given);
  EXPECT_THAT(message_of([&] { read("g.tsv", "onset\tlabel\n0\tx\n"); }),
              HasSubstr("needs the columns start and duration (or end); it has onset, label"));
  EXPECT_THAT(message_of([&] { read("h.tsv", "start\tend\n0\tten\n"); }), HasSubstr("h.tsv:2: column 'end': 'ten'"));
  EXPECT_THAT(message_of([&] { read("i.tsv", "start\tend\n0\tn/a\n"); }), HasSubstr("not a number"));
  EXPECT_THAT(message_of([&] { read("j.tsv", "start[furlongs]\tend\n0\t1\n"); }), HasSubstr("furlongs"));
  EXPECT_THAT(message_of([&] { read("k.tsv", std::string("start\tend\n0\t1\0\n", 15)); }), HasSubstr("not a text"));
  EXPECT_THAT(message_of([&] { read("l.tsv", ""); }), HasSubstr("is empty"));
  EXPECT_THAT(message_of([&] { read_frames("/no/such/file.tsv"); }), HasSubstr("cannot be opened"));
}

}  // namespace
}  // namespace evident::imaging
