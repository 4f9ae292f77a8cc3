#include "tables/table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "study/messages.hpp"
#include "support/temporary_folder.hpp"

namespace evident::study {
namespace {

using Numbers = std::vector<double>;

Table csv(std::string text) { return Table::parse(std::move(text), "d.csv"); }
std::string problem(std::string text, std::string column = "y") {
  return message_of([&] { csv(text).numbers(column); });
}

TEST(Table, ReadsNumbers) {
  const Table t = csv("x,y\n1,2.5\n-3e-2,+4\n");
  EXPECT_EQ(t.names(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(t.rows(), 2u);
  EXPECT_EQ(t.numbers("x"), (Numbers{1, -0.03}));
  EXPECT_EQ(t.numbers("y"), (Numbers{2.5, 4}));
}

TEST(Table, UnderstandsTheUsualForms) {
  EXPECT_EQ(csv("\xEF\xBB\xBFy\r\n1\r\n2\r\n").numbers("y"), (Numbers{1, 2})) << "byte-order mark and CRLF";
  EXPECT_EQ(csv("# made by hand\ny\n\n1\n# note, with comma\n2").numbers("y"), (Numbers{1, 2}))
      << "comments, no last LF";
  EXPECT_EQ(csv("\"a \"\"b\"\"\",y\n\"1,5\",\"2\"\n").numbers("y"), (Numbers{2})) << "quotes";
  EXPECT_EQ(csv("\"a \"\"b\"\"\",y\n1,2\n").names().front(), "a \"b\"");
  EXPECT_EQ(csv("x;y\n1;2\n").numbers("y"), (Numbers{2})) << "semicolons";
  EXPECT_EQ(Table::parse("x\ty\n1\t2\n", "d.tsv").numbers("y"), (Numbers{2}));
  EXPECT_EQ(Table::parse("a,b\ty\n1\t2\n", "d.tsv").numbers("a,b"), (Numbers{1})) << "the extension decides";
  EXPECT_EQ(Table::parse("x|y\n1|2\n", "d.txt", {.delimiter = '|'}).numbers("y"), (Numbers{2}));
  EXPECT_EQ(csv(" x , y \n 1 , 2 \n").numbers("y"), (Numbers{2})) << "spaces around cells";
  EXPECT_EQ(csv("x,y\n\"two\nlines\",7\n1,2\n").numbers("y"), (Numbers{7, 2})) << "a line break within quotes";
}

TEST(Table, OnlyColumnsThatAreUsedMustBeNumbers) {
  const Table t = csv("region,y\nleft,1\nright,2\n");
  EXPECT_EQ(t.numbers("y"), (Numbers{1, 2}));
  EXPECT_EQ(t.cell(1, 0), "right");
}

TEST(Table, MissingCellsOnDemand) {
  constexpr std::string_view missing[] = {"n/a", ""};
  const Numbers y = csv("x,y\n1,2\n2,n/a\n3,\n").numbers("y", missing);
  EXPECT_EQ(y[0], 2);
  EXPECT_TRUE(std::isnan(y[1]) && std::isnan(y[2]));
  EXPECT_EQ(message_of([&] { csv("y\nNA\n").numbers("y", missing); }), "d.csv:2: column 'y': 'NA' is not a number");
}

TEST(Table, MessagesNameFileLineAndColumn) {
  EXPECT_EQ(problem("x,y\n1,2\n3,four\n"), "d.csv:3: column 'y': 'four' is not a number");
  EXPECT_EQ(problem("y\n1\nNaN\n"), "d.csv:3: column 'y': 'NaN' is not a finite number; remove the row");
  EXPECT_EQ(problem("y\n-inf\n"), "d.csv:2: column 'y': '-inf' is not a finite number; remove the row");
  EXPECT_EQ(problem("y\n1e999\n"), "d.csv:2: column 'y': '1e999' is outside the range of numbers");
  EXPECT_EQ(problem("x,y\n1,\n"), "d.csv:2: column 'y': the cell is empty");
  EXPECT_EQ(problem("x;y\n1;2,5\n"), "d.csv:2: column 'y': '2,5' is not a number; write a decimal point");
  EXPECT_EQ(problem("y\n1 2\n"), "d.csv:2: column 'y': '1 2' is not a number");
  EXPECT_EQ(problem("y\n0x10\n"), "d.csv:2: column 'y': '0x10' is not a number");
  EXPECT_EQ(problem("x,y\n# note\n1,2\n\n3\n"), "d.csv:5: 1 fields, but the line of column names has 2");
  EXPECT_EQ(problem("x,y\n1,2,3\n"), "d.csv:2: 3 fields, but the line of column names has 2");
  EXPECT_EQ(problem("x,y\n\"a\nb\",2\n1,z\n"), "d.csv:4: column 'y': 'z' is not a number");
  EXPECT_EQ(problem("x,y\n1,\"2\n3,4\n"), "d.csv:2: a quote (\") is opened and never closed");
  EXPECT_EQ(problem("x,y\n1,\"2\"3\n"),
            "d.csv:2: text after a closing quote; write a quote within a quoted cell twice (\"\")");
  EXPECT_EQ(problem("y,y\n1,2\n"), "d.csv:1: two columns are named 'y'");
  EXPECT_EQ(problem("y,\n1,2\n"), "d.csv:1: column 2 has no name");
  EXPECT_EQ(problem("y\n"), "d.csv: has column names but no data");
  EXPECT_EQ(problem(""), "d.csv: is empty");
  EXPECT_EQ(problem("# only a comment\n\n"), "d.csv: is empty");
  EXPECT_EQ(problem("1\n2\n"), "d.csv:1: the first line must hold column names, but it holds numbers");
  EXPECT_EQ(problem(std::string("y\n1\0\n", 5)), "d.csv: is not a text file (byte 4 is zero)");
  EXPECT_EQ(problem("time,signal\n1,2\n", "signl"), "d.csv: has no column 'signl'; did you mean 'signal'?");
  EXPECT_EQ(problem("a,b\n1,2\n", "velocity"), "d.csv: has no column 'velocity'; it has a, b");
}

TEST(Table, LimitsAreKept) {
  EXPECT_EQ(message_of([] { Table::parse("y\n1\n2\n3\n", "d.csv", {.max_rows = 2}); }),
            "d.csv: more than 2 rows, which is more than can be used");
  EXPECT_NO_THROW(Table::parse("y\n1\n2\n", "d.csv", {.max_rows = 2}));
  const TemporaryFolder folder;
  const std::string file = folder.write("d.csv", "y\n1\n2\n");
  EXPECT_EQ(message_of([&] { Table::read(file, {.max_bytes = 5}); }),
            file + ": is larger than the 5 bytes that are read");
  EXPECT_EQ(Table::read(file, {.max_bytes = 6}).rows(), 2u);
}

/// A file that is larger than its first part: the rows, again and again, and an end that does not matter.
std::string large_file(const TemporaryFolder& folder, const std::string& begin, const std::string& row) {
  std::string text = begin;
  while (text.size() < Table::kFirstPart + 100) text += row;
  return folder.write("large.csv", text);
}

TEST(Table, TheFirstRowsOfALargeFileAreReadAlone) {
  const TemporaryFolder folder;
  const std::optional<Table> first = Table::read_first(large_file(folder, "x,y\n", "1,2.5\n"));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rows(), (Table::kFirstPart - 4) / 6);
  EXPECT_EQ(first->numbers("y").back(), 2.5);
  const auto problem = [&](const std::string& begin) {
    const std::string file = large_file(folder, begin, "1,2.5\n");
    return message_of([&] { Table::read_first(file)->numbers("y"); }).substr(file.size());
  };
  EXPECT_EQ(problem("x,y\n1,two\n"), ":2: column 'y': 'two' is not a number");
  EXPECT_EQ(problem("x,y\n1\n"), ":2: 1 fields, but the line of column names has 2");
  EXPECT_EQ(problem("x,y\n1,\"2\"3\n"),
            ":2: text after a closing quote; write a quote within a quoted cell twice (\"\")");
}

TEST(Table, WhereTheFirstPartOfAFileEndsIsNoMistake) {
  const TemporaryFolder folder;
  EXPECT_FALSE(Table::read_first(folder.write("small.csv", "y\n1\n")));
  const std::string half(Table::kFirstPart, 'x');
  EXPECT_FALSE(Table::read_first(folder.write("header.csv", half + "x,y\n1,2\n")));
  EXPECT_FALSE(Table::read_first(folder.write("row.csv", "x,y\n" + half + ",2\n")));
  const std::string quoted = "x,y\n\"a\",1\n\"b\",2\n\"" + half + "\nx\n" + half + "\",3\n";
  const std::optional<Table> first = Table::read_first(folder.write("quoted.csv", quoted));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rows(), 2U);
  EXPECT_EQ(Table::read(folder.path() / "quoted.csv").rows(), 3U);
}

TEST(Table, LongCellsAreShortenedInMessages) {
  EXPECT_LT(problem("y\n" + std::string(100000, 'a') + "\n").size(), 120u);
}

}  // namespace
}  // namespace evident::study
