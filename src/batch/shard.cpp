#include "batch/shard.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "base/option.hpp"
#include "evident/base/error.hpp"

namespace evident::batch {
namespace {

std::optional<std::uint64_t> whole(const std::string& text) {
  std::uint64_t out = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out);
  if (text.empty() || read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return out;
}

/// Where a scheduler says which task of an array this is; not all of them tell the first, the last and the step.
struct Scheduler {
  std::string_view name;
  const char *task, *first, *last, *step;
};
constexpr std::array<Scheduler, 4> kSchedulers = {{
    {"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"},
    {"SGE", "SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"},
    {"LSF", "LSB_JOBINDEX", "", "LSB_JOBINDEX_END", "LSB_JOBINDEX_STEP"},
    {"PBS", "PBS_ARRAY_INDEX", "", "", ""},
}};

struct Task {
  const Scheduler* scheduler = nullptr;
  std::uint64_t number = 0;
};

Task task_of(const Environment& environment) {
  for (const Scheduler& s : kSchedulers) {
    const std::string text = environment(s.task);
    if (text.empty() || text == "undefined") continue;  // SGE says so of jobs that are no arrays
    const auto number = whole(text);
    if (!number)
      throw InputError(fmt::format("{}: {} is '{}', which is no number", option("shard", "auto"), s.task, text));
    if (s.name == "LSF" && *number == 0) continue;  // as LSF says of jobs that are no arrays
    return {&s, *number};
  }
  throw InputError(fmt::format("{}: this is no task of an array job of Slurm, SGE, LSF or PBS; write, for example, {}",
                               option("shard", "auto"), option("shard", "3/10")));
}

/// The array as a whole, which must be 1-N or 0-(N-1): parts of an array that are run again say only how many they are.
Shard whole_array(const Environment& environment) {
  const auto [s, number] = task_of(environment);
  const auto value = [&](const char* name, std::uint64_t fallback) {
    return *name == 0 ? fallback : whole(environment(name)).value_or(fallback);
  };
  const std::uint64_t first = value(s->first, 1), last = value(s->last, 0), step = value(s->step, 1);
  const std::string count = environment("SLURM_ARRAY_TASK_COUNT");
  const bool complete = s->name != "Slurm" || whole(count).value_or(0) == last - first + 1;
  if (last == 0 || first > 1 || step != 1 || number < first || number > last || !complete)
    throw InputError(
        fmt::format("{}: {} does not tell an array of all tasks from 1 to N; write {}, with the number N of all tasks",
                    option("shard", "auto"), s->name, option("shard", "auto/N")));
  return {.number = number - first + 1, .count = last - first + 1, .is_whole = false};
}

}  // namespace

std::vector<std::uint64_t> Shard::items(std::uint64_t items) const {
  std::vector<std::uint64_t> out;
  out.reserve(size(items));
  for (std::uint64_t i = number - 1; i < items; i += count) out.push_back(i);
  return out;
}

std::string Shard::text() const { return fmt::format("{}/{}", number, count); }

Environment process_environment() {
  return [](const std::string& name) {
    const char* const value = std::getenv(name.c_str());
    return std::string(value == nullptr ? "" : value);
  };
}

Shard parse_shard(const std::string& text, const Environment& environment) {
  if (text == "auto") return whole_array(environment);
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw InputError(fmt::format("{} must be i/n, such as 3/10, or auto, was '{}'", option("shard"), text));
  const std::string number = text.substr(0, slash);
  const auto count = whole(text.substr(slash + 1));
  if (!count || *count < 1 || *count > kMaxShards)
    throw InputError(
        fmt::format("{}: the number of shards must be between 1 and {}", option("shard", text), kMaxShards));
  const auto i = number == "auto" ? task_of(environment).number : whole(number);
  if (!i || *i < 1 || *i > *count)
    throw InputError(fmt::format("{}: the shard must be between 1 and {}{}", option("shard", text), *count,
                                 i && number == "auto" ? fmt::format(", but this is task {}", *i) : ""));
  return {.number = *i, .count = *count, .is_whole = false};
}

}  // namespace evident::batch
