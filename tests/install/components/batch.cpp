#include <batch/items.hpp>
#include <cstdio>
#include <evident/base/error.hpp>

int main() {
  try {
    evident::batch::items_of_files("study.toml", {"no-such-file-*.csv"});
  } catch (const evident::InputError& error) {
    std::puts(error.what());
    return 0;
  }
  return 1;
}
