// Tables of blood samples with the JSON beside them: the answer is an input function or an InputError.
#include <cmath>

#include "evident/base/error.hpp"
#include "fuzz.hpp"
#include "imaging/pet/blood/blood.hpp"

namespace {

using namespace evident::imaging;

void check_curve(const std::vector<double>& time, const std::vector<double>& value) {
  fuzz::require(time.size() == value.size(), "each sample has a time");
  for (std::size_t i = 0; i < time.size(); ++i) {
    fuzz::require(std::isfinite(time[i]) && std::isfinite(value[i]), "samples are finite");
    fuzz::require(i == 0 || time[i] > time[i - 1], "times increase");
  }
}

void check(const InputFunction& input) {
  fuzz::require(input.time.size() >= 2, "an input function has samples");
  check_curve(input.time, input.plasma);
  check_curve(input.blood_time, input.blood);
  for (const double shift : {-3.0, 4.0}) check_curve(input.shifted(shift).time, input.shifted(shift).plasma);
}

template <class F>
void attempt(const F& f) {
  try {
    check(f());
  } catch (const evident::InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  static fuzz::Folder folder;
  const auto parts = fuzz::parts_of(fuzz::text_of({bytes + 1, size - 1}), 3);
  folder.fill("manual.tsv", parts[0]);
  folder.fill("manual.json", parts[1]);
  folder.fill("auto.csv", parts[2]);
  const unsigned flags = bytes[0];
  BloodOptions options{.plasma_from_blood = (flags & 1) != 0};
  if (flags & 2) options.activity_unit = "kBq/mL";
  if (flags & 4) options.scan_end = 100;
  if (flags & 8) options.injection_start = 5;
  if (flags & 16) options.decay_constant = 1e-4;
  if (flags & 32) options.target = DecayTarget::uncorrected;
  std::vector<std::string> files;
  if (!parts[0].empty()) files.push_back(folder.path("manual.tsv"));
  if (!parts[2].empty()) files.push_back(folder.path("auto.csv"));
  if ((flags & 64) == 0) {
    attempt([&] { return read_blood(files, options); });
  } else if (!files.empty()) {
    attempt([&] { return read_input_function(files.front(), options); });
  }
  return 0;
}
