// Writing netCDF-4: groups, dimensions, variables and attributes. The only file that knows the library is the .cpp.
//
//   NetcdfFile file("draws.nc");
//   const NetcdfGroup posterior = file.group("posterior");
//   const int draw = posterior.dimension("draw", 1000);
//   posterior.numbers("mu", {draw}, values);
//   file.close();
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace evident::report {

/// All of these throw RunError with the file's name.
class NetcdfGroup {
 public:
  NetcdfGroup(int id, std::string file) : id_(id), file_(std::move(file)) {}

  int dimension(const std::string& name, std::size_t size) const;
  /// The values with the last dimension quickest; as many as the dimensions say.
  void numbers(const std::string& name, const std::vector<int>& dimensions, std::span<const double> values) const;
  void whole_numbers(const std::string& name, const std::vector<int>& dimensions,
                     std::span<const std::int64_t> values) const;
  void attribute(const std::string& name, const std::string& text) const;
  void attribute(const std::string& name, double number) const;

 private:
  int variable(const std::string& name, int type, const std::vector<int>& dimensions, std::size_t size) const;

  int id_;
  std::string file_;
};

class NetcdfFile {
 public:
  explicit NetcdfFile(const std::filesystem::path& file);
  ~NetcdfFile();
  NetcdfFile(const NetcdfFile&) = delete;
  NetcdfFile& operator=(const NetcdfFile&) = delete;

  NetcdfGroup root() const { return {id_, file_}; }
  NetcdfGroup group(const std::string& name) const;
  void close();  ///< makes sure that all of it arrived

 private:
  std::string file_;
  int id_ = -1;
};

bool netcdf_is_built_in();

/// A name as netCDF allows it, and unlike those in `taken`, to which it is added.
std::string netcdf_name(const std::string& name, std::vector<std::string>& taken);

}  // namespace evident::report
