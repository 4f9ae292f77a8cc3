#include "data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "evident/base/error.hpp"
#include "tables/table.hpp"

namespace zhou2016 {
namespace {

namespace fs = std::filesystem;
using evident::Table;

Table read(const fs::path& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (fs::exists(folder / name)) return Table::read((folder / name).string());
  throw evident::InputError(fmt::format("no data in '{}': neither {} is there; name the folder with --data",
                                        folder.string(), fmt::join(names, " nor ")));
}

}  // namespace

std::vector<double> mixture_data(const fs::path& folder) {
  return read(folder, {"gmm/observations.csv", "mixture/data.csv"}).numbers("y");
}

evident::GoodwinData goodwin_data(const fs::path& folder, const std::string& name) {
  const Table table = read(folder, {"goodwin/" + name + ".csv", "goodwin/data.csv"});
  evident::GoodwinData data;
  data.times = table.numbers("time");
  data.states = {0, 1};
  data.values = {table.numbers("x1"), table.numbers("x2")};
  return data;
}

evident::PetCompartments pet_model(const fs::path& folder, std::size_t compartments) {
  const Table curve = read(folder, {"pet/time-activity.csv", "pet/data.csv"});
  const Table plasma = read(folder, {"pet/plasma-input.csv", "pet/plasma.csv"});
  const evident::PetInput input(plasma.numbers("time"), plasma.numbers("CP"));
  const evident::PetFrames frames{curve.numbers("time"), curve.numbers("dt")};
  return {evident::zhou2013_n(compartments), input, frames, curve.numbers("y")};
}

bool published_data(const fs::path& folder) { return fs::exists(folder / "pet/time-activity.csv"); }

}  // namespace zhou2016
