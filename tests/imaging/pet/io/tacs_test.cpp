#include "imaging/pet/io/tacs.hpp"

#include <cmath>

#include "imaging/pet/files.hpp"

namespace evident::imaging {
namespace {

using Names = std::vector<std::string>;

class TacFiles : public testing::Test {
 protected:
  TacTable read(const std::string& name, std::string_view text, const TacOptions& options = {}) {
    return read_tacs(folder_.write(name, text), options);
  }
  std::string problem(const std::string& name, std::string_view text, const TacOptions& options = {}) {
    return message_of([&] { read(name, text, options); });
  }
  TemporaryFolder folder_;
};

TEST_F(TacFiles, Bids) {
  folder_.write("sub-01_seg-a_tacs.json", R"({"Units": "Bq/mL", "frame_start": {"Units": "s"}})");
  const TacTable t = read("sub-01_seg-a_tacs.tsv",
                          "frame_start\tframe_end\tputamen\tcer (left)\n0\t60\t1000\t2000\n60\t180\tn/a\t4000\n");
  EXPECT_EQ(t.format, "BIDS");
  EXPECT_EQ(t.regions, (Names{"putamen", "cer (left)"}));
  EXPECT_EQ(t.timing.duration, (Numbers{60, 120}));
  EXPECT_EQ(t.middle, (Numbers{30, 120}));
  EXPECT_EQ(t.activity[1], (Numbers{2, 4}));
  EXPECT_TRUE(std::isnan(t.activity[0][1]));
  EXPECT_THAT(t.warnings, ElementsAre("1 missing value in 1 region"));
}

TEST_F(TacFiles, BidsWithUnitsPerColumnAndInMinutes) {
  folder_.write("b_tacs.json", R"({"frame_start": {"Units": "min"}, "frame_end": {"Units": "min"},
                                   "x": {"Units": "nCi/mL"}, "y": {"Units": "kBq/mL"}})");
  const TacTable t = read("b_tacs.tsv", "frame_start\tframe_end\tx\ty\n0\t1\t100\t5\n");
  EXPECT_EQ(t.timing.duration, (Numbers{60}));
  EXPECT_NEAR(t.activity[0][0], 3.7, 1e-12);
  EXPECT_EQ(t.activity[1][0], 5);
}

TEST_F(TacFiles, UnitsMustBeKnown) {
  const std::string text = "frame_start\tframe_end\tx\n0\t60\t1\n";
  EXPECT_THAT(problem("u_tacs.tsv", text), HasSubstr("u_tacs.tsv: the unit of activity is not known"));
  EXPECT_EQ(read("u_tacs.tsv", text, {.activity_unit = "MBq/mL"}).activity[0][0], 1000);
  EXPECT_THAT(problem("u_tacs.tsv", text, {.activity_unit = "SUV"}), HasSubstr("uptake values"));
}

TEST_F(TacFiles, Pmod) {
  const TacTable t =
      read("p.tac", "start[seconds]\tend[kBq/cc]\tGroup 1\tcer\t\r\n0.0\t5.0\t0.1\t2e-1\t\r\n5\t10\t3\t4\t\r\n");
  EXPECT_EQ(t.format, "PMOD");
  EXPECT_EQ(t.regions, (Names{"Group 1", "cer"})) << "a tab at the end of each line is no column";
  EXPECT_EQ(t.timing.start, (Numbers{0, 5}));
  EXPECT_EQ(t.activity[1], (Numbers{0.2, 4}));
  EXPECT_TRUE(t.timing.unit_given);
  const TacTable m = read("m.tac", "start[minutes]\tend[uCi/cc]\tcer\n0\t1\t1\n");
  EXPECT_EQ(m.timing.duration, (Numbers{60}));
  EXPECT_EQ(m.activity[0][0], 37);
}

TEST_F(TacFiles, Dft) {
  const TacTable t = read("d.dft",
                          "# a comment\nDFT1      putam putam caud\nUE12  dx  sin  dx\nkBq/ml  Pl6 Pl6 .\n"
                          "Times (min) 12.0 13.0 .\n0.0 0.5  1 2 .\n0.5 1.5\t3 4 5\n");
  EXPECT_EQ(t.format, "DFT");
  EXPECT_EQ(t.regions, (Names{"putam_dx_Pl6", "putam_sin_Pl6", "caud_dx"}));
  EXPECT_EQ(t.timing.start, (Numbers{0, 30}));
  EXPECT_EQ(t.timing.duration, (Numbers{30, 60}));
  EXPECT_TRUE(std::isnan(t.activity[2][0]));
  EXPECT_EQ(t.activity[2][1], 5);
}

TEST_F(TacFiles, DftWithOneTimeAndWeights) {
  const TacTable t = read(
      "d.dft", "DFT a a weight\r\n. . . .\r\nnCi/ml . . .\r\nTime (sec) . . .\r\n10 100 200 0.3\r\n20 300 400 0.7\r\n");
  EXPECT_EQ(t.regions, (Names{"a", "a_2"})) << "no two regions have one name";
  EXPECT_TRUE(t.timing.start.empty());
  EXPECT_EQ(t.middle, (Numbers{10, 20}));
  EXPECT_NEAR(t.activity[0][1], 11.1, 1e-12);
}

TEST_F(TacFiles, DftWithManyRegionsOfOneName) {
  constexpr std::size_t kMany = 20000;
  std::string names = "DFT", values = "0 1";
  for (std::size_t i = 0; i < kMany; ++i) {
    names += " a";
    values += " 1";
  }
  const TacTable t = read("d.dft", names + "\n.\nkBq/ml\nTimes (min)\n" + values + "\n");
  ASSERT_EQ(t.regions.size(), kMany);
  EXPECT_EQ(t.regions.back(), "a_20000");
}

TEST_F(TacFiles, BadDft) {
  const std::string head = "DFT a b\nx . .\nkBq/ml . .\nTimes (min) . .\n";
  EXPECT_THAT(problem("d.dft", head + "0 1 2\n"), HasSubstr("d.dft:5: 3 values, but 2 for the time and 2 regions"));
  EXPECT_THAT(problem("d.dft", head + "0 1 2 x3\n"), HasSubstr("d.dft:5:7: 'x3' is not a number"));
  EXPECT_THAT(problem("d.dft", head + ". 1 2 3\n"), HasSubstr("d.dft:5:1: '.' is not a number"));
  EXPECT_THAT(problem("d.dft", head + "0 1 2 +-3\n"), HasSubstr("d.dft:5:7: '+-3' is not a number"));
  EXPECT_THAT(problem("d.dft", head), HasSubstr("no data"));
  EXPECT_THAT(problem("d.dft", "DFT a b\nx . .\n"), HasSubstr("four title lines"));
  EXPECT_THAT(problem("d.dft", "DFT\n.\nkBq/ml\nTimes (min)\n0 1\n"), HasSubstr("no regions"));
  EXPECT_THAT(problem("d.dft", "DFT a\n.\nunknown .\nTimes (min) .\n0 1 2\n"), HasSubstr("\"unknown\""));
  EXPECT_THAT(problem("d.dft", "DFT a\n. .\nkBq/ml .\n0 1 2\n0 1 2\n"), HasSubstr("fourth title line"));
  EXPECT_THAT(problem("d.dft", std::string("DFT a\n\0", 7)), HasSubstr("not a text file"));
  EXPECT_THAT(problem("d.dft", "DFT a\n. .\nkBq/ml .\nTimes (min) .\n0 1 .\n"), HasSubstr("no region has any values"));
}

TEST_F(TacFiles, PlainTables) {
  const TacOptions kbq{.activity_unit = "kBq/mL"};
  EXPECT_EQ(read("a.csv", "start,duration,r1\n0,10,1\n10,20,2\n", kbq).timing.duration, (Numbers{10, 20}));
  EXPECT_EQ(read("b.csv", "start;end;r1\n0;10;1\n", kbq).regions, (Names{"r1"}));
  EXPECT_EQ(read("c.csv", "time (min),putamen (Bq/mL)\n1,3000\n").activity[0], (Numbers{3}));
  EXPECT_EQ(read("c.csv", "time (min),putamen (Bq/mL)\n1,3000\n").regions, (Names{"putamen"}));
  EXPECT_EQ(read("d.csv", "mid,r,weights\n1,2,3\n", {"min", "kBq/mL"}).middle, (Numbers{60}));
  EXPECT_EQ(read("e.csv", "start,end,mid,duration,r\n0,10,5,10,7\n", kbq).regions, (Names{"r"}));
  EXPECT_EQ(read("f.txt", "start end r1 r2\n0 10   1 2\n", kbq).activity[1], (Numbers{2}));
}

TEST_F(TacFiles, BadTables) {
  const TacOptions kbq{.activity_unit = "kBq/mL"};
  EXPECT_THAT(problem("a.csv", "a,b\n1,2\n", kbq), HasSubstr("needs the columns start and end"));
  EXPECT_THAT(problem("a.csv", "start,end\n1,2\n", kbq), HasSubstr("no region beside its times"));
  EXPECT_THAT(problem("a.csv", "start,end,r\n1,2,x\n", kbq), HasSubstr("a.csv:2: column 'r': 'x' is not a number"));
  EXPECT_THAT(problem("a.csv", "start,end,r\nn/a,2,1\n", kbq), HasSubstr("column 'start'"));
  EXPECT_THAT(problem("a.csv", "start,end,r\n1,2,1e999\n", kbq), HasSubstr("outside the range"));
  EXPECT_THAT(problem("a.csv", "start,end,r,r\n1,2,1,1\n", kbq), HasSubstr("two columns are named 'r'"));
  EXPECT_THAT(problem("a.csv", "", kbq), HasSubstr("is empty"));
  EXPECT_THAT(problem("a.csv", std::string("start,end,r\n1,2\0,3\n", 18), kbq), HasSubstr("not a text file"));
  const TacTable t = read("a.csv", "start,end,r,s\n0,1,n/a,1\n1,2,n/a,2\n", kbq);
  EXPECT_EQ(t.regions, (Names{"s"}));
  EXPECT_THAT(t.warnings, ElementsAre("region 'r' has no values and is left out"));
}

TEST_F(TacFiles, NumbersThatNoScanHolds) {
  const TacOptions kbq{.activity_unit = "kBq/mL"};
  EXPECT_THAT(problem("a.csv", "start,duration,r\n0,10,1\n10,10,-1e31\n", kbq),
              HasSubstr("column 'r': -1e+31 kBq/mL is no activity"));
  EXPECT_THAT(problem("a.csv", "mid,r\n5,1\n1e10,1\n", kbq), HasSubstr("column 'mid': 1e+10 s is no time"));
  EXPECT_THAT(problem("a.dft", "DFT r\n. .\nMBq/mL .\nTimes (min) 1\n0 1 1e308\n"),
              HasSubstr("region 'r': inf kBq/mL is no activity"));
  EXPECT_THAT(problem("a.dft", "DFT r\n. .\nkBq/mL .\nTime (min) 1\n1e308 1\n"), HasSubstr("inf s is no time"));
}

TEST_F(TacFiles, TooManyFrames) {
  std::string text = "start,end,r\n";
  for (std::size_t i = 0; i <= kMaxFrames; ++i) text += std::to_string(i) + "," + std::to_string(i + 1) + ",1\n";
  EXPECT_THAT(problem("a.csv", text, {.activity_unit = "kBq/mL"}), HasSubstr("10001 rows"));
}

}  // namespace
}  // namespace evident::imaging
