#include "report/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <span>

#include "base/version.hpp"
#include "evident/base/error.hpp"
#include "journal/journal.hpp"
#include "report/files.hpp"
#include "report/json_fields.hpp"
#include "report/text.hpp"

namespace evident::report {
namespace fs = std::filesystem;
namespace {

constexpr int kSchema = 1;
constexpr std::string_view kAbout =
    "The files here that evident wrote. When it is told to replace files, it replaces these, as long as they are "
    "unchanged, and no others.";

std::string hex(std::uint64_t sum) { return fmt::format("{:016x}", sum); }

std::uint64_t number_of(const std::string& digits) { return std::stoull(digits, nullptr, 16); }

bool is_file(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(file, ignored));
}

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(file, ignored));
}

std::string in_quotes(const std::string& path) { return fmt::format("'{}'", printable(path)); }

/// Every file below, and every folder with nothing in it; links are files.
std::vector<std::string> leaves(const fs::path& folder) {
  std::vector<std::string> out;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const bool is_folder = entry.symlink_status().type() == fs::file_type::directory;
    if (!is_folder || fs::is_empty(entry.path()))
      out.push_back(entry.path().lexically_relative(folder).generic_string() + (is_folder ? "/" : ""));
  }
  std::ranges::sort(out);
  return out;
}

/// A list from elsewhere must not lead out of its folder.
bool is_below(const fs::path& path) { return path.is_relative() && std::ranges::find(path, "..") == path.end(); }

/// Text of a path in JSON: bytes that are no UTF-8 would not come back.
bool is_text(const std::string& path) {
  try {
    return !Json(path).dump().empty();
  } catch (const Json::exception&) {
    return false;
  }
}

}  // namespace

Manifest::State Manifest::state_of(const fs::path& file) {
  constexpr std::size_t kPiece = std::size_t{1} << 16U;
  std::ifstream in(file, std::ios::binary);
  std::vector<char> piece(kPiece);
  Fingerprint sum;
  std::uintmax_t size = 0;
  while (in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto have = static_cast<std::size_t>(in.gcount());
    if (have > 0) sum.add(std::string_view(piece.data(), have));
    size += have;
  }
  if (!in.eof()) throw RunError(fmt::format("{}: cannot be read", file.string()));
  return {size, sum.value()};
}

std::uint64_t Manifest::own_sum() const {
  Fingerprint sum;
  sum.add(hex(facts_.run));
  sum.add(std::to_string(facts_.pieces_done_again));
  for (const auto& [path, states] : files_)
    for (const auto& [size, of_file] : states) {
      sum.add(path);
      sum.add(std::to_string(size));
      sum.add(hex(of_file));
    }
  return sum.value();
}

std::optional<Manifest> Manifest::read(const fs::path& file) {
  if (!is_file(file)) return std::nullopt;
  try {
    std::ifstream in(file, std::ios::binary);
    const Json json = Json::parse(in);
    if (json.at("schema") != kSchema) return std::nullopt;
    Manifest out(
        {.run = number_of(json.at("run")), .pieces_done_again = json.at("pieces_done_again").get<std::size_t>()});
    for (const Json& one : json.at("files")) {
      const std::string path = one.at("path");
      if (!is_below(path)) return std::nullopt;
      out.files_[path].insert({one.at("size").get<std::uintmax_t>(), number_of(one.at("sum"))});
    }
    if (number_of(json.at("sum")) != out.own_sum()) return std::nullopt;
    return out;
  } catch (const std::exception&) {  // not JSON, or of another shape: somebody else's
    return std::nullopt;
  }
}

void Manifest::add(const fs::path& folder, const std::string& path) { files_[path] = {state_of(folder / path)}; }

void Manifest::add_all(const fs::path& folder) {
  for (const std::string& path : leaves(folder))
    if (path != kName && is_file(folder / path) && is_text(path)) add(folder, path);
}

void Manifest::add(const Manifest& other) {
  for (const auto& [path, states] : other.files_) files_[path].insert(states.begin(), states.end());
}

void Manifest::write(const fs::path& file) const {
  Json files = Json::array();
  for (const auto& [path, states] : files_)
    for (const auto& [size, sum] : states) files.push_back({{"path", path}, {"size", size}, {"sum", hex(sum)}});
  const Json out = {{"schema", kSchema},
                    {"about", kAbout},
                    {"evident", version()},
                    {"run", hex(facts_.run)},
                    {"pieces_done_again", facts_.pieces_done_again},
                    {"files", std::move(files)},
                    {"sum", hex(own_sum())}};
  replace_file(file, out.dump(1) + "\n");
}

std::vector<std::string> Manifest::paths() const {
  std::vector<std::string> out;
  for (const auto& [path, states] : files_) out.push_back(path);
  return out;
}

bool Manifest::matches(const fs::path& folder, const std::string& path) const {
  const auto at = files_.find(path);
  if (at == files_.end() || !is_file(folder / path)) return false;
  try {
    return at->second.contains(state_of(folder / path));
  } catch (const RunError&) {
    return false;
  }
}

std::string not_ours(const fs::path& folder, const std::optional<Manifest>& manifest, const std::string& path) {
  if (!is_there(folder / path)) return {};
  if (!manifest)
    return fmt::format(
        "it is not known who wrote {}, for there is no list of files ({}), as there is beside results "
        "of this version of evident",
        in_quotes(path), Manifest::kName);
  if (!manifest->lists(path)) return fmt::format("{} is not among the files that evident wrote", in_quotes(path));
  if (!manifest->matches(folder, path)) return fmt::format("{} was changed after evident wrote it", in_quotes(path));
  return {};
}

std::string not_ours(const fs::path& folder) {
  const std::optional<Manifest> manifest = Manifest::read(folder / Manifest::kName);
  for (const std::string& path : leaves(folder)) {
    if (manifest && path == Manifest::kName) continue;
    if (std::string why = not_ours(folder, manifest, path); !why.empty()) return why;
  }
  return {};
}

void remove_ours(const fs::path& folder) noexcept {
  std::error_code ignored;
  try {
    const std::optional<Manifest> manifest = Manifest::read(folder / Manifest::kName);
    if (manifest) {
      std::set<fs::path> parents;
      for (const std::string& path : manifest->paths()) {
        if (!manifest->matches(folder, path)) continue;
        fs::remove(folder / path, ignored);
        for (fs::path at = fs::path(path).parent_path(); !at.empty(); at = at.parent_path()) parents.insert(at);
      }
      fs::remove(folder / Manifest::kName, ignored);
      for (auto at = parents.rbegin(); at != parents.rend(); ++at) fs::remove(folder / *at, ignored);
    }
  } catch (const std::exception&) {  // then more of it stays
  }
  fs::remove(folder, ignored);  // not when something else is in it
}

}  // namespace evident::report
