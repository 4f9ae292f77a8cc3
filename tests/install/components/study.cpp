#include <cstdio>
#include <evident/base/error.hpp>
#include <evident/study/study.hpp>

int main() {
  try {
    evident::study::parse_study("[sampler]\npartciles = 1\n", "study.toml");
  } catch (const evident::InputError& error) {
    std::puts(error.what());
    return 0;
  }
  return 1;
}
