#include "cmd/pet/values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "arguments.hpp"
#include "base/option.hpp"
#include "base/overloaded.hpp"
#include "base/words.hpp"
#include "evident/base/error.hpp"
#include "tables/input_file.hpp"

namespace evident::cli {
namespace {

namespace fs = std::filesystem;

constexpr Words<bool, 4> kYesNo = {{{"yes", true}, {"no", false}, {"true", true}, {"false", false}}};

/// The word, which must be one of these.
std::string checked(std::string_view key, std::string word, std::span<const std::string_view> known) {
  if (std::ranges::find(known, word) != known.end()) return word;
  std::vector<std::string_view> sorted(known.begin(), known.end());
  std::ranges::sort(sorted);
  throw InputError(fmt::format("{}: '{}' is none of {}", option(key), word, fmt::join(sorted, ", ")));
}

fs::path existing(std::string_view key, const std::string& file) {
  if (file.empty()) throw InputError(option(key) + " must not be empty");
  if (is_missing(file)) throw InputError(fmt::format("{}: there is no file '{}'", option(key), file));
  return file;
}

}  // namespace

void set(const PetOption& option, const std::string& text, PetCommand& command) {
  const std::string key(option.key);
  std::visit(Overloaded{
                 [&](const PetNumber& n) { n.set(command, real_number(key, text, n.lower, n.upper, n.open)); },
                 [&](const PetWholeNumber& n) { n.set(command, whole_number(key, text, n.lower, n.upper)); },
                 [&](const PetWord& w) { w.set(command, checked(key, text, w.words)); },
                 [&](const PetYesNo& y) { y.set(command, meaning(kYesNo, checked(key, text, names<kYesNo>()))); },
                 [&](const PetFile& f) { f.set(command, existing(key, text)); },
                 [&](const PetText& t) { t.set(command, text); },
                 [&](const PetSwitch& s) { s.set(command); },
             },
             option.takes);
}

std::vector<std::size_t> model_list(const std::string& text) {
  std::vector<std::size_t> out;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::size_t m = whole_number("models", text.substr(begin, end - begin), 1, 3);
    if (std::ranges::find(out, m) != out.end())
      throw InputError(fmt::format("{}: {} is given twice", option("models"), m));
    out.push_back(m);
    begin = end + 1;
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace evident::cli
