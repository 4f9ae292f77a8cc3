// Damaged files: each reader must answer with a result or an InputError, never with anything else.
#include <functional>
#include <random>

#include "imaging/pet/blood/blood.hpp"
#include "imaging/pet/files.hpp"
#include "imaging/pet/fit/priors.hpp"
#include "imaging/pet/io/scan.hpp"
#include "imaging/pet/io/tacs.hpp"

namespace evident::imaging {
namespace {

using Reader = std::function<void(const std::string& text)>;

void survive(const std::string& good, const Reader& read) {
  ASSERT_NO_THROW(read(good));
  const auto attempt = [&](const std::string& text) {
    try {
      read(text);
    } catch (const InputError& e) {
      EXPECT_GT(std::string(e.what()).size(), 10u);
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what() << "\nfor:\n" << text;
    }
  };
  for (std::size_t n = 0; n < good.size(); n += 3) attempt(good.substr(0, n));
  std::mt19937 random(7);  // fixed: the same damage in every run
  const std::string bytes = std::string("\0\n\r\t \"[]{}(),:;.-+eE0919#%/\\\xC2\xB5\xFF\xEF\xBB\xBF", 34) + "nai";
  for (int k = 0; k < 150; ++k) {
    std::string text = good;
    for (unsigned n = 1 + random() % 4; n > 0; --n) {
      const std::size_t at = random() % text.size();
      const char c = bytes[random() % bytes.size()];
      switch (random() % 4) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.insert(at, 1 + random() % 3, c);
          break;
        case 2:
          text.erase(at, 1 + random() % 9);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 20));
          break;
      }
      if (text.empty()) text.push_back('x');
    }
    attempt(text);
  }
}

TEST(Hostile, Sidecars) {
  const TemporaryFolder folder;
  const std::string image = (folder.path() / "x_pet.nii").string();
  survive(SidecarText{}.text(), [&](const std::string& text) {
    folder.write("x_pet.json", text);
    const Scan scan = read_scan(image, 4);
    for (const double f : scan.frame_factor) EXPECT_TRUE(std::isfinite(f) && f > 0);
    for (const double dt : pet_frames(scan).dt) EXPECT_GT(dt, 0);
    EXPECT_FALSE(understood(scan).empty());
  });
}

TEST(Hostile, Frames) {
  const TemporaryFolder folder;
  survive("start[s]\tduration\n0\t10\n10\t20\n30\t60\n",
          [&](const std::string& text) { read_frames(folder.write("f.tsv", text)); });
}

TEST(Hostile, Blood) {
  const TemporaryFolder folder;
  folder.write("b.json",
               R"({"plasma_radioactivity": {"Units": "kBq/mL"}, "whole_blood_radioactivity": {"Units": "kBq/mL"}})");
  const BloodOptions options{.scan_end = 320, .decay_constant = kC11};
  survive(
      "time\tplasma_radioactivity\twhole_blood_radioactivity\tmetabolite_parent_fraction\n0\t0\t0\t1\n30\t90\t70\tn/a\n"
      "60\t40\t30\t0.8\n300\t20\t15\t0.4\n",
      [&](const std::string& text) {
        const InputFunction input = read_blood({folder.write("b.tsv", text)}, options);
        for (const double v : input.plasma) EXPECT_TRUE(std::isfinite(v));
        EXPECT_GE(input.time.back(), 320);
        EXPECT_NO_THROW(input.pet_input());
        EXPECT_NO_THROW(input.shifted(-5).pet_input());
      });
}

TEST(Hostile, BloodJson) {
  const TemporaryFolder folder;
  const std::string table = folder.write("b.tsv", "time\tplasma_radioactivity\n0\t1\n9\t2\n");
  survive(
      R"({"PlasmaAvail": true, "MetaboliteAvail": false, "time": {"Units": "s"}, "plasma_radioactivity": {"Units": "kBq/mL"}})",
      [&](const std::string& text) {
        folder.write("b.json", text);
        read_blood({table});
      });
}

TEST(Hostile, Curves) {
  const TemporaryFolder folder;
  const auto check = [](const TacTable& t) {
    EXPECT_EQ(t.regions.size(), t.activity.size());
    for (const auto& curve : t.activity) EXPECT_EQ(curve.size(), t.frames());
  };
  survive("start[seconds]\tend[kBq/cc]\tcer\tput\n0\t5\t0.1\t0.2\n5\t10\t3\t4\n",
          [&](const std::string& text) { check(read_tacs(folder.write("a.tac", text))); });
  survive("DFT a b\nx . .\nkBq/ml . .\nTimes (min) . .\n0 1 2 3\n1 2 . 5\n",
          [&](const std::string& text) { check(read_tacs(folder.write("a.dft", text))); });
}

TEST(Hostile, Priors) {
  const TemporaryFolder folder;
  survive(
      "unit = \"1/min\"\nphi_lower = [1e-4]\ntheta_lower = [0.01, 0.05]\ntheta_upper = [0.1, 1.0]\nnoise = "
      "\"normal\"\n",
      [&](const std::string& text) { prior_lines(pet_prior(folder.write("p.toml", text), 2, 0)); });
}

}  // namespace
}  // namespace evident::imaging
