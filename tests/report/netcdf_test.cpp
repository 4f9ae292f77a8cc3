// netCDF files, read back by the library itself.
#include "report/netcdf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "evident/base/error.hpp"
#include "evident/model/model.hpp"
#include "report/netcdf_file.hpp"
#include "support/temporary_folder.hpp"
#ifdef EVIDENT_HAS_NETCDF
#include <netcdf.h>
#endif

namespace evident::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(Netcdf, NamesAreMadeFit) {
  std::vector<std::string> taken = {"chain"};
  EXPECT_EQ(netcdf_name("mu", taken), "mu");
  EXPECT_EQ(netcdf_name("mu", taken), "mu-2");
  EXPECT_EQ(netcdf_name("chain", taken), "chain-2");
  EXPECT_EQ(netcdf_name("a/b\n", taken), "a_b_");
  EXPECT_EQ(netcdf_name("", taken), "_");
  EXPECT_EQ(netcdf_name("[x]", taken), "_[x]");
  EXPECT_EQ(netcdf_name("σ ", taken), "σ_");
  EXPECT_LE(netcdf_name(std::string(1000, 'x'), taken).size(), 250u);
}

TEST(Netcdf, OneFileAModel) {
  EXPECT_THAT(netcdf_files("out/x.nc", {"one"}), ElementsAre("out/x.nc"));
  EXPECT_THAT(netcdf_files("x.nc", {"one", "two/3"}), ElementsAre("x.one.nc", "x.two_3.nc"));
}

#ifndef EVIDENT_HAS_NETCDF

TEST(Netcdf, AbsenceIsTold) {
  EXPECT_FALSE(has_netcdf());
  EXPECT_THAT(refusal([] { check_netcdf("x.nc", {"m"}, false); }), HasSubstr("libnetcdf-dev"));
}

#else

/// y = theta + noise, twice; with draws of the caller's and a vector b.
class Toy final : public Model {
 public:
  Toy() { space_.add("mu", normal(0, 1)).add("b[1]", normal(0, 1)).add("b[2]", normal(5, 1)); }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override { one_of(theta, 0, 2, out); }
  std::size_t observation_count() const override { return 2; }
  bool has_sequence() const override { return true; }
  void log_likelihood_of(ConstBlock theta, std::size_t first, std::size_t count, std::span<double> out) const override {
    one_of(theta, first, count, out);
  }
  std::vector<Observed> observed() const override { return {{"y", {1, 2}, "t", {10, 20}, false}}; }
  void draw_observations(ConstBlock theta, const Streams&, std::uint32_t, Block out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) out(0, i) = theta(0, i), out(1, i) = -theta(0, i);
  }

 private:
  static void one_of(ConstBlock theta, std::size_t first, std::size_t count, std::span<double> out) {
    for (std::size_t i = 0; i < theta.size(); ++i) {
      out[i] = 0;
      for (std::size_t k = first; k < first + count; ++k) out[i] -= static_cast<double>(k + 1) * theta(0, i);
    }
  }
  ParameterSpace space_;
};

Comparison toy_result(const std::vector<std::string>& names) {
  Comparison c;
  c.seed = 3;
  for (const std::string& name : names) {
    ModelResult m;
    m.name = name;
    m.log_evidence.value = -12.5;
    m.log_evidence.standard_error = 0.25;
    m.probability.value = 0.75;
    m.draws.names = {"mu", "b[1]", "b[2]"};
    m.draws.values = BlockStorage(3, 4);
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t i = 0; i < 4; ++i) m.draws.values(j, i) = static_cast<double>(10 * j + i);
    m.draws.weights = {0.5, 0.25, 0.25, 0};  // the first twice, the last never
    m.draws.log_likelihood = {-1, -2, -3, -4};
    m.draws.log_prior = {-10, -20, -30, -40};
    c.models.push_back(std::move(m));
  }
  return c;
}

/// An open file; every call must succeed.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) { EXPECT_EQ(nc_open(file.c_str(), NC_NOWRITE, &id_), NC_NOERR); }
  ~Reader() { nc_close(id_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  bool has(const std::string& group) const {
    int g = 0;
    return nc_inq_grp_ncid(id_, group.c_str(), &g) == NC_NOERR;
  }
  std::vector<double> values(const std::string& group, const std::string& name, std::size_t count) const {
    int g = 0, v = 0;
    std::vector<double> out(count);
    EXPECT_EQ(nc_inq_grp_ncid(id_, group.c_str(), &g), NC_NOERR) << group;
    EXPECT_EQ(nc_inq_varid(g, name.c_str(), &v), NC_NOERR) << name;
    int dimensions = 0, ids[8] = {};
    EXPECT_EQ(nc_inq_var(g, v, nullptr, nullptr, &dimensions, ids, nullptr), NC_NOERR);
    std::size_t size = 1;
    for (int d = 0; d < dimensions; ++d) {
      std::size_t length = 0;
      EXPECT_EQ(nc_inq_dimlen(g, ids[d], &length), NC_NOERR);
      size *= length;
    }
    EXPECT_EQ(size, count) << group << " " << name;
    if (size != count) return {};
    EXPECT_EQ(nc_get_var_double(g, v, out.data()), NC_NOERR);
    return out;
  }
  double attribute(const char* name) const {
    double out = 0;
    EXPECT_EQ(nc_get_att_double(id_, NC_GLOBAL, name, &out), NC_NOERR) << name;
    return out;
  }

 private:
  int id_ = -1;
};

TEST(Netcdf, IsReadBack) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "x.nc";
  const Comparison c = toy_result({"one"});
  const std::vector<Candidate> candidates = {{"one", 1, std::make_shared<const Toy>(), {}}};
  EXPECT_THAT(write_netcdf(file, Document(c, {}), candidates, {.seed = 3, .threads = 1}), ElementsAre(file));
  const Reader r(file);
  EXPECT_THAT(r.values("posterior", "mu", 4), ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(r.values("posterior", "b", 8), ElementsAre(10, 20, 10, 20, 11, 21, 12, 22));
  EXPECT_THAT(r.values("posterior", "draw", 4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(r.values("sample_stats", "lp", 4), ElementsAre(-11, -11, -22, -33));
  EXPECT_THAT(r.values("observed_data", "y", 2), ElementsAre(1, 2));
  EXPECT_THAT(r.values("constant_data", "t", 2), ElementsAre(10, 20));
  EXPECT_THAT(r.values("posterior_predictive", "y", 8), ElementsAre(0, 0, 0, 0, 1, -1, 2, -2));
  EXPECT_THAT(r.values("log_likelihood", "y", 8), ElementsAre(0, 0, 0, 0, -1, -2, -2, -4));
  double mean = 0;
  for (const double v : r.values("prior", "b", 2000)) mean += v / 2000;
  EXPECT_NEAR(mean, 2.5, 5 / std::sqrt(2000.0));
  EXPECT_EQ(r.attribute("log_evidence"), -12.5);
  EXPECT_EQ(r.attribute("log_evidence_se"), 0.25);
}

TEST(Netcdf, SeveralModelsAndUnknownOnes) {
  const TemporaryFolder folder;
  Comparison c = toy_result({"one", "two", "none"});
  c.models[2].draws = {};
  const std::filesystem::path file = folder.path() / "x.nc";
  EXPECT_THAT(write_netcdf(file, Document(c, {}), {}, {.threads = 1}),
              ElementsAre(folder.path() / "x.one.nc", folder.path() / "x.two.nc"));
  const Reader r(folder.path() / "x.two.nc");
  EXPECT_TRUE(r.has("posterior"));
  EXPECT_FALSE(r.has("prior"));
}

TEST(Netcdf, NothingIsLeftOfAFailure) {
  const TemporaryFolder folder;
  Comparison c = toy_result({"one", "two"});
  c.models[1].draws.weights = {0, 0, 0, 0};
  EXPECT_THROW(write_netcdf(folder.path() / "x.nc", Document(c, {}), {}, {.threads = 1}), RunError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Netcdf, BadPathsAreRefusedBeforeTheRun) {
  const TemporaryFolder folder;
  const std::filesystem::path there = folder.path() / "there.nc";
  std::ofstream(there) << "mine";
  EXPECT_THAT(refusal([&] { check_netcdf(there, {"m"}, false); }), HasSubstr("give option force"));
  EXPECT_NO_THROW(check_netcdf(there, {"m"}, true));
  EXPECT_NO_THROW(check_netcdf(there, {"a", "b"}, false));  // they have other names
  EXPECT_THAT(refusal([&] { check_netcdf(folder.path(), {"m"}, true); }), HasSubstr("is a folder"));
  EXPECT_THAT(refusal([&] { check_netcdf(folder.path() / "no/x.nc", {"m"}, true); }), HasSubstr("existing folder"));
  EXPECT_THAT(refusal([&] { check_netcdf("", {"m"}, true); }), HasSubstr("name of a file"));
}

#endif

}  // namespace
}  // namespace evident::report
