#include "report/output_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/option.hpp"
#include "evident/base/error.hpp"
#include "report/files.hpp"

namespace evident::report {
namespace fs = std::filesystem;

fs::path OutputFiles::first_there(const Names& names) const {
  std::error_code ignored;
  for (const std::string& name : names)
    if (fs::exists(fs::symlink_status(folder_ / name, ignored))) return folder_ / name;
  return {};
}

std::string OutputFiles::in_the_way(const Names& names) const {
  const std::optional<Manifest> known = manifest();
  std::string why;
  if (!known && !first_there({manifest_}).empty())
    why = fmt::format("'{}' is not a list of files that evident wrote", manifest_);
  for (std::size_t i = 0; i < names.size() && why.empty(); ++i) why = not_ours(folder_, known, names[i]);
  if (why.empty()) return {};
  return fmt::format("{}: {}, so it is not replaced; move it away, or choose another folder ({})", folder_.string(),
                     why, option("out"));
}

void OutputFiles::check(const Names& names) const {
  if (const std::string why = in_the_way(names); !why.empty()) throw InputError(why);
}

void OutputFiles::put(const fs::path& from, const std::string& name, const std::optional<Manifest>& known) const {
  const fs::path to = folder_ / name;
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
  if (const std::string why = not_ours(folder_, known, name); !why.empty())
    throw RunError(fmt::format("{}: {}, so it is not replaced", folder_.string(), why));
  if (::rename(from.c_str(), to.c_str()) != 0)
    throw RunError(fmt::format("{}: cannot be written: {}", to.string(), std::strerror(errno)));
}

void OutputFiles::publish(const fs::path& work, const Names& names, const RunFacts& facts) const {
  if (const std::string why = in_the_way(names); !why.empty()) throw RunError(why);
  Manifest made(facts), both(facts);
  for (const std::string& name : names) made.add(work, name);
  both.add(made);
  const std::optional<Manifest> known = manifest();
  if (known) both.add(*known);
  both.write(folder_ / manifest_);
  for (const std::string& name : names) put(work / name, name, both);
  std::error_code ignored;
  for (const std::string& old : both.paths())
    if (!made.lists(old) && both.matches(folder_, old)) fs::remove(folder_ / old, ignored);
  made.write(folder_ / manifest_);
}

void OutputFiles::publish_text(const std::string& name, std::string_view text) const {
  if (const std::string why = in_the_way({name}); !why.empty()) throw RunError(why);
  const std::optional<Manifest> known = manifest();
  if (!known) return replace_file(folder_ / name, text);  // nothing is there, and nothing is listed
  const Staging work(folder_);
  write_file(work.path() / name, text);
  Manifest made = *known, both = made;
  made.add(work.path(), name);
  both.add(made);
  both.write(folder_ / manifest_);
  put(work.path() / name, name, both);
  made.write(folder_ / manifest_);
}

}  // namespace evident::report
