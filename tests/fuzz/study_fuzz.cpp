// Study files: whatever the text, the answer is a study or an InputError. Nothing is run, and code of a study's own is
// not allowed.
#include "evident/base/error.hpp"
#include "evident/study/study.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static fuzz::Folder folder;
  static const bool filled = (folder.fill("d.csv", "t,y,g\n0,1,a\n1,0.5,b\n2,2e-1,a\n"), true);
  fuzz::require(filled, "the data are there");
  try {
    const auto study = evident::study::parse_study(fuzz::text_of({bytes, size}), folder.path("s.toml"));
    fuzz::require(!study.models.empty() || study.family.has_value(), "a study has models");
  } catch (const evident::InputError&) {
  }
  return 0;
}
