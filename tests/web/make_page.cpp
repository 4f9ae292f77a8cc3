// make_page KIND TITLE DATA.json PAGE.html: a report from data that a test made up.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>

#include "report/files.hpp"
#include "report/html.hpp"

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: make_page KIND TITLE DATA.json PAGE.html\n");
    return 2;
  }
  try {
    std::ifstream file(argv[3], std::ios::binary);
    const std::string json{std::istreambuf_iterator<char>(file), {}};
    evident::report::write_file(
        argv[4],
        evident::report::html_page({.kind = argv[1], .title = argv[2], .json = json, .summary = "a  1\nb  2"}));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "make_page: %s\n", e.what());
    return 1;
  }
}
