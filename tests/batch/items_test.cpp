#include "batch/items.hpp"

#include <gmock/gmock.h>

#include "evident/base/error.hpp"
#include "support/messages.hpp"
#include "support/temporary_folder.hpp"

namespace evident::batch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names_of(const ItemList& list) {
  std::vector<std::string> out;
  for (const Item& item : list.items) out.push_back(item.name);
  return out;
}

class Items : public testing::Test {
 protected:
  std::string write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    return folder_.write(name, text);
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  TemporaryFolder folder_;
};

TEST_F(Items, FilesComeInTheOrderOfTheirBytes) {
  for (const char* name : {"b.csv", "a10.csv", "a9.csv", "B.csv", "x.tsv"}) write(name, "y\n1\n");
  const ItemList list = items_of_files("study.toml", {path("*.csv"), path("x.tsv")});
  EXPECT_THAT(names_of(list), ElementsAre("B", "a10", "a9", "b", "x"));
  EXPECT_EQ(list.items[0].data, path("B.csv"));
  EXPECT_EQ(list.study, "study.toml");
  EXPECT_EQ(list.data_of(list.items[1])->file, path("a10.csv"));
}

TEST_F(Items, AFileWithTheLettersOfAPatternIsAFile) {
  write("a[1].csv", "y\n1\n");
  write("a1.csv", "y\n1\n");
  EXPECT_THAT(names_of(items_of_files("s.toml", {path("a[1].csv")})), ElementsAre("a[1]"));
}

TEST_F(Items, FoldersTellEqualNamesApart) {
  for (const char* name : {"in/01/pre/y.csv", "in/01/post/y.csv", "in/02/pre/y.csv"}) write(name, "y\n1\n");
  EXPECT_THAT(names_of(items_of_files("s.toml", {path("in/*/*/y.csv")})),
              ElementsAre("01/post/y", "01/pre/y", "02/pre/y"));
  write("in/02/y.v2.csv", "y\n1\n");
  EXPECT_THAT(names_of(items_of_files("s.toml", {path("in/01/pre/y.csv"), path("in/02/y.v2.csv")})),
              ElementsAre("y", "y.v2"));
}

TEST_F(Items, AListHasPathsFromItsOwnFolder) {
  const ItemList list =
      items_of_list(write("lists/l.csv", "data,study,name\n../a.csv,,one\n,b.toml,two\n/c.csv,d.toml,\n"), "all.toml");
  EXPECT_THAT(names_of(list), ElementsAre("one", "two", "c"));
  EXPECT_EQ(list.items[0].study, "all.toml");
  EXPECT_EQ(list.items[0].data, path("lists/../a.csv"));
  EXPECT_EQ(list.items[1].study, path("lists/b.toml"));
  EXPECT_EQ(list.items[1].data, "");
  EXPECT_FALSE(list.data_of(list.items[1]).has_value());
  EXPECT_EQ(list.items[2].data, "/c.csv");
  EXPECT_EQ(list.study, "");  // not one for all
}

TEST_F(Items, TheSumSeesNamesFilesAndOrder) {
  const auto sum = [&](const std::string& text) { return items_of_list(write("l.csv", text), "s.toml").sum(); };
  const std::uint64_t first = sum("name,data\na,x\nb,y\n");
  EXPECT_EQ(sum("data,name\nx,a\ny,b\n"), first);
  EXPECT_NE(sum("name,data\na,x\nc,y\n"), first);
  EXPECT_NE(sum("name,data\na,x\nb,z\n"), first);
  EXPECT_NE(sum("name,data\nb,y\na,x\n"), first);
}

TEST_F(Items, Groups) {
  write("d.csv", "who,y\nb,1\na,2\nb,3\n\"b \",4\n");
  const ItemList list = items_of_groups(write("s.toml", "[data]\nfile = \"d.csv\"\n"), "who");
  EXPECT_THAT(names_of(list), ElementsAre("b", "a", "b "));
  const study::DataChoice b = *list.data_of(list.items[0]);
  EXPECT_THAT(b.table->numbers("y"), ElementsAre(1, 3));
  EXPECT_EQ(b.table->line(1), 4U);
  EXPECT_THAT(b.rows, ElementsAre(0, 2));
  EXPECT_EQ(b.all_rows, 4U);
  const std::uint64_t sum = list.sum();
  write("d.csv", "who,y\nb,1\na,2\nb,5\n\"b \",4\n");
  EXPECT_NE(items_of_groups(path("s.toml"), "who").sum(), sum);
}

TEST_F(Items, BadNamesAreRefused) {
  const auto problem = [&](const std::string& text) {
    return message_of<InputError>([&] { items_of_list(write("l.csv", text), "s.toml"); });
  };
  EXPECT_THAT(problem("name,data\n\"a\tb\",x\n"), HasSubstr("control character"));
  EXPECT_THAT(problem("name,data\n\xC3(,x\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(problem("name,data\n\xED\xA0\x80,x\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(problem("name,data\n\xF4\x90\x80\x80,x\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(problem("name,data\n\xC0\xAF,x\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(problem("name,data\n\xE2\x82,x\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(problem("name,data\na,x\na,y\n"), HasSubstr("names must differ"));
  EXPECT_THAT(names_of(items_of_list(write("l.csv", "name,data\n\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80,x\n"), "s.toml")),
              ElementsAre("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"));
}

}  // namespace
}  // namespace evident::batch
