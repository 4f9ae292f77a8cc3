// What is left when a program has to end in the middle of its work.
#include "journal/temporaries.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "journal/output_file.hpp"
#include "support/temporary_folder.hpp"

namespace evident {
namespace {

namespace fs = std::filesystem;

TEST(TemporariesDeathTest, NothingHalfWrittenIsLeft) {
  const TemporaryFolder folder;
  const fs::path own = folder.path() / "own";
  EXPECT_EXIT(
      {
        OutputFile whole(folder.path() / "whole");
        whole.commit();
        const OutputFile part(folder.path() / "part");
        {
          const Temporaries::Lock lock = Temporaries::lock();
          fs::create_directory(own);
          Temporaries::add(own, lock);
        }
        std::ofstream(own / "file") << "text";
        Temporaries::remove_all();
        ::_exit(7);
      },
      testing::ExitedWithCode(7), "");
  std::vector<std::string> left;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path()))
    left.push_back(entry.path().filename().string());
  EXPECT_EQ(left, std::vector<std::string>{"whole"});
}

}  // namespace
}  // namespace evident
