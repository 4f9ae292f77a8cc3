#include "imaging/fit/fit_many.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "evident/base/error.hpp"
#include "imaging/curves.hpp"
#include "support/temporary_folder.hpp"

namespace evident::imaging {
namespace {

namespace fs = std::filesystem;

struct Small {
  Curves curves = test::some_curves(11);
  CurveFitter fitter{test::setup(test::study({4e-3}, {6e-4}), {1, 2}, 60, 0.5)};
  FitColumns columns{{"1TCM", "2TCM"}, {1, 2}};
  FitMany job() const { return {.fitter = fitter, .curves = curves, .columns = columns, .chunk = 2, .keep_curves = 3}; }
};

bool same(const FitResults& a, const FitResults& b) {
  const auto bytes = [](const FitResults& r) {
    std::string out(reinterpret_cast<const char*>(r.table.values.data()), r.table.values.size() * sizeof(float));
    for (const KeptCurve& k : r.kept)
      for (const auto& p : k.predictions) out.append(reinterpret_cast<const char*>(p.data()), p.size() * sizeof(float));
    return out;
  };
  return bytes(a) == bytes(b);
}

struct File {
  TemporaryFolder folder;
  fs::path path = folder.path() / "journal";
};

TEST(FitMany, ThreadsAndChunksDoNotShow) {
  const Small s;
  const FitResults one = fit_many(s.job(), nullptr, Executor(1));
  EXPECT_EQ(one.table.size(), 11U);
  ASSERT_EQ(one.kept.size(), 3U);
  EXPECT_EQ(one.kept[0].predictions[0].size(), s.curves.frames);
  EXPECT_TRUE(same(one, fit_many(s.job(), nullptr, Executor(3))));
  FitMany other = s.job();
  other.chunk = 5;
  EXPECT_TRUE(same(one, fit_many(other, nullptr, Executor(2))));
  const CurveFit fit = s.fitter.fit(s.curves.index[4], s.curves.curve(4));
  EXPECT_EQ(one.table.row(4)[s.columns.find("2TCM", "logZ")], static_cast<float>(fit.models[1].log_evidence.value));
  EXPECT_EQ(one.table.row(4)[s.columns.find("BMA", "K1")], static_cast<float>(60 * fit.k1.mean));
}

TEST(FitMany, AStoppedRunGoesOn) {
  const Small s;
  const FitResults whole = fit_many(s.job(), nullptr, Executor(1));
  for (const std::size_t stop_after : {1U, 3U, 5U}) {
    const File file;
    JournalIdentity identity;
    identity.fact("particles", "60");
    std::stop_source stop;
    {
      Journal journal = Journal::create(file.path, identity);
      const auto progress = [&](const FitProgress& p) {
        if (p.done >= 2 * stop_after) stop.request_stop();
      };
      EXPECT_THROW(fit_many(s.job(), &journal, Executor(1), progress, stop.get_token()), RunError);
    }
    Journal journal = Journal::resume(file.path, identity);
    EXPECT_EQ(journal.chunks().size(), stop_after);
    FitProgress last;
    const FitResults rest = fit_many(s.job(), &journal, Executor(2), [&](const FitProgress& p) { last = p; });
    EXPECT_TRUE(same(whole, rest));
    EXPECT_EQ(last.resumed, 2 * stop_after);
    EXPECT_EQ(last.done, 11U);
    EXPECT_EQ(last.status[kFitted], 11U);
  }
}

TEST(FitMany, AForeignChunkIsNoticed) {
  const Small s;
  const File file;
  JournalIdentity identity;
  Journal journal = Journal::create(file.path, identity);
  const std::vector<std::byte> junk(10);
  journal.append(0, junk);
  EXPECT_THROW(fit_many(s.job(), &journal, Executor(1)), RunError);
}

}  // namespace
}  // namespace evident::imaging
