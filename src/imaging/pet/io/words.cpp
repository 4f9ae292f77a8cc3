#include "imaging/pet/io/words.hpp"

namespace evident::imaging {

std::string shortened(std::string_view s) {
  std::string out(s.size() <= 40 ? s : s.substr(0, 37));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return s.size() <= 40 ? out : out + "...";
}

std::string lower_case(std::string_view s) {
  std::string out(s);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

}  // namespace evident::imaging
