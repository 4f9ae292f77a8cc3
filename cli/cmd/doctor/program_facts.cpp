#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <filesystem>

#include "base/simd.hpp"
#include "build_info.hpp"
#include "cmd/doctor/facts.hpp"
#include "report/html.hpp"
#include "report/netcdf.hpp"

namespace evident::cli::doctor {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Fact compiler() {
  const BuildInfo& info = build_info();
  Fact fact{.key = "compiler", .label = "Compiler", .text = {}, .value = info.compiler};
  fact.text = fmt::format("{}, {} build for {}", info.compiler, info.type.empty() ? "plain" : info.type, info.system);
  if (info.type == "Debug" || info.type.empty())
    fact.advice = "an optimised build is many times as fast: -DCMAKE_BUILD_TYPE=Release";
  return fact;
}

Fact built_with() {
  Fact fact{.key = "built_with", .label = "Built with", .text = {}, .value = Json::object()};
  for (const auto& [name, version] : build_info().libraries) {
    if (version.empty()) continue;
    fact.text += fmt::format("{}{} {}", fact.text.empty() ? "" : ", ", name, version);
    fact.value[std::string(name)] = version;
  }
  return fact;
}

/// The shared libraries in memory, by the files behind their names, which carry the version.
Fact loaded() {
  std::vector<std::string> files;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        std::error_code failed;
        if (const fs::path file = fs::canonical(info->dlpi_name, failed); !failed)
          static_cast<std::vector<std::string>*>(out)->push_back(file.string());
        return 0;
      },
      &files);
  std::ranges::sort(files);
  // Those that evident asks for; what they need themselves is in the JSON document.
  constexpr std::string_view direct[] = {"libevident", "libfmt",    "libhwy",    "libnetcdf",
                                         "libnlopt",   "libstdc++", "libtbb.so", "libz.so"};
  Fact fact{.key = "loaded", .label = "Loaded", .text = {}, .value = files};
  for (const std::string& file : files) {
    const std::string name = fs::path(file).filename().string();
    if (std::ranges::any_of(direct, [&](std::string_view start) { return name.starts_with(start); }))
      fact.text += (fact.text.empty() ? "" : ", ") + name;
  }
  if (fact.text.empty()) fact.text = "no shared libraries";
  return fact;
}

Fact simd() {
  Fact fact{.key = "simd", .label = "SIMD", .text = {}, .value = Json::object()};
  std::vector<std::string> compiled;
  std::string used = "none";
  for (const SimdTarget& target : simd_targets()) {
    compiled.push_back(target.name);
    if (target.in_use) used = target.name;
  }
  fact.text = fmt::format("{} in use; compiled for {}", used, fmt::join(compiled, ", "));
  fact.value = {{"in_use", used}, {"compiled", compiled}};
  return fact;
}

Fact reports() {
  const std::vector<std::string> kinds = report::html_kinds();
  Fact fact{.key = "html_reports", .label = "HTML reports", .text = {}, .value = kinds};
  fact.text = kinds.empty() ? "none" : fmt::format("yes ({})", fmt::join(kinds, ", "));
  if (kinds.empty()) fact.advice = "for reports build with -DEVIDENT_REPORT=ON, which needs Node.js and npm";
  return fact;
}

Fact netcdf() {
  Fact fact{.key = "netcdf", .label = "netCDF", .text = {}, .value = report::has_netcdf()};
  fact.text = report::has_netcdf() ? "yes (compare --netcdf)" : "no";
  if (!report::has_netcdf()) fact.advice = "for compare --netcdf build where libnetcdf-dev is installed";
  return fact;
}

}  // namespace

std::vector<Fact> program_facts() { return {compiler(), built_with(), loaded(), simd(), reports(), netcdf()}; }

}  // namespace evident::cli::doctor
