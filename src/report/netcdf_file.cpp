#include "report/netcdf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "evident/base/error.hpp"

#ifdef EVIDENT_HAS_NETCDF
#include <netcdf.h>
#endif

namespace evident::report {

std::string netcdf_name(const std::string& name, std::vector<std::string>& taken) {
  constexpr std::size_t kMaxName = 200;  // the library takes 256 bytes
  std::string base;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    if (base.size() >= kMaxName && (u & 0xC0u) != 0x80u) break;  // whole characters
    base += u < 0x20 || u == 0x7F || c == '/' ? '_' : c;
  }
  while (!base.empty() && base.back() == ' ') base.back() = '_';
  const auto first = static_cast<unsigned char>(base.empty() ? ' ' : base.front());
  const bool good_start = std::isalnum(first) != 0 || first == '_' || first >= 0x80;
  if (!good_start) base.insert(base.begin(), '_');
  std::string out = base;
  for (int n = 2; std::ranges::find(taken, out) != taken.end(); ++n) out = fmt::format("{}-{}", base, n);
  taken.push_back(out);
  return out;
}

#ifdef EVIDENT_HAS_NETCDF

namespace {

void check(int status, const std::string& file) {
  if (status != NC_NOERR) throw RunError(fmt::format("{}: cannot be written: {}", file, nc_strerror(status)));
}

}  // namespace

bool netcdf_is_built_in() { return true; }

int NetcdfGroup::dimension(const std::string& name, std::size_t size) const {
  int out = 0;
  check(nc_def_dim(id_, name.c_str(), size, &out), file_);
  return out;
}

int NetcdfGroup::variable(const std::string& name, int type, const std::vector<int>& dimensions,
                          std::size_t size) const {
  constexpr std::size_t kWorthIt = 1000;
  int out = 0;
  std::size_t expected = 1;
  for (const int d : dimensions) {
    std::size_t length = 0;
    check(nc_inq_dimlen(id_, d, &length), file_);
    expected *= length;
  }
  if (expected != size) throw RunError(fmt::format("{}: '{}' has {} values, not {}", file_, name, size, expected));
  check(nc_def_var(id_, name.c_str(), type, static_cast<int>(dimensions.size()), dimensions.data(), &out), file_);
  if (size >= kWorthIt) check(nc_def_var_deflate(id_, out, 1, 1, 4), file_);
  return out;
}

void NetcdfGroup::numbers(const std::string& name, const std::vector<int>& dimensions,
                          std::span<const double> values) const {
  const int v = variable(name, NC_DOUBLE, dimensions, values.size());
  if (!values.empty()) check(nc_put_var_double(id_, v, values.data()), file_);
}

void NetcdfGroup::whole_numbers(const std::string& name, const std::vector<int>& dimensions,
                                std::span<const std::int64_t> values) const {
  const int v = variable(name, NC_INT64, dimensions, values.size());
  static_assert(sizeof(long long) == sizeof(std::int64_t));
  const std::vector<long long> same(values.begin(), values.end());
  if (!same.empty()) check(nc_put_var_longlong(id_, v, same.data()), file_);
}

void NetcdfGroup::attribute(const std::string& name, const std::string& text) const {
  check(nc_put_att_text(id_, NC_GLOBAL, name.c_str(), text.size(), text.data()), file_);
}

void NetcdfGroup::attribute(const std::string& name, double number) const {
  check(nc_put_att_double(id_, NC_GLOBAL, name.c_str(), NC_DOUBLE, 1, &number), file_);
}

NetcdfFile::NetcdfFile(const std::filesystem::path& file) : file_(file.string()) {
  check(nc_create(file_.c_str(), NC_NETCDF4 | NC_CLOBBER, &id_), file_);
}

NetcdfFile::~NetcdfFile() {
  if (id_ >= 0) nc_close(id_);
}

NetcdfGroup NetcdfFile::group(const std::string& name) const {
  int out = 0;
  check(nc_def_grp(id_, name.c_str(), &out), file_);
  return {out, file_};
}

void NetcdfFile::close() {
  const int id = id_;
  id_ = -1;
  check(nc_close(id), file_);
}

#else

namespace {
[[noreturn]] void none() { throw RunError("this build has no netCDF"); }
}  // namespace

bool netcdf_is_built_in() { return false; }
int NetcdfGroup::dimension(const std::string&, std::size_t) const { none(); }
int NetcdfGroup::variable(const std::string&, int, const std::vector<int>&, std::size_t) const { none(); }
void NetcdfGroup::numbers(const std::string&, const std::vector<int>&, std::span<const double>) const { none(); }
void NetcdfGroup::whole_numbers(const std::string&, const std::vector<int>&, std::span<const std::int64_t>) const {
  none();
}
void NetcdfGroup::attribute(const std::string&, const std::string&) const { none(); }
void NetcdfGroup::attribute(const std::string&, double) const { none(); }
NetcdfFile::NetcdfFile(const std::filesystem::path&) { none(); }
NetcdfFile::~NetcdfFile() = default;
NetcdfGroup NetcdfFile::group(const std::string&) const { none(); }
void NetcdfFile::close() {}

#endif

}  // namespace evident::report
