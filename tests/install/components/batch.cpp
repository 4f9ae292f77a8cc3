#include <cstdio>
#include <evident/base/error.hpp>
#include <evident/results/study_files.hpp>

int main() {
  try {
    evident::results::write_study_files({}, {}, "no-such-folder/of-results");
  } catch (const evident::RunError& error) {
    std::puts(error.what());
    return 0;
  }
  return 1;
}
