#include "batch/gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/option.hpp"
#include "batch/run.hpp"
#include "evident/base/error.hpp"
#include "journal/journal.hpp"
#include "report/output_files.hpp"
#include "report/output_folder.hpp"
#include "tables/input_file.hpp"

namespace evident::batch {
namespace {

namespace fs = std::filesystem;

std::string fact(const Journal& journal, std::string_view name) {
  for (const auto& [key, value] : journal.facts())
    if (key == name) return value;
  return {};
}

/// A shard's journal; open, or read into memory.
class ShardFile {
 public:
  ShardFile(const fs::path& path, bool keep_open) : path_(path), journal_(Journal::read(path)) {
    const std::string text = fact(*journal_, "shard");
    if (text.empty() || fact(*journal_, "batch").empty())
      throw InputError(fmt::format("journal {}: is not that of a shard", path.string()));
    shard_ = parse_shard(text);
    facts_ = journal_->facts();
    chunks_ = journal_->chunks();
    if (!chunks_.empty() && chunks_.back() == kCommandChunk) {
      const std::vector<std::byte> bytes = journal_->payload(kCommandChunk);
      command_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      chunks_.pop_back();
    }
    if (keep_open) return;
    for (const std::uint64_t number : chunks_) kept_[number] = journal_->payload(number);
    journal_.reset();
  }

  const fs::path& path() const { return path_; }
  const Shard& shard() const { return shard_; }
  const std::string& command() const { return command_; }
  const std::vector<std::pair<std::string, std::string>>& facts() const { return facts_; }
  std::string value(std::string_view name) const {
    const auto at = std::ranges::find(facts_, name, [](const auto& f) { return std::string_view(f.first); });
    return at == facts_.end() ? std::string() : at->second;
  }
  /// How many of the data sets that it should have are there.
  std::uint64_t done(std::uint64_t items) const {
    const std::vector<std::uint64_t> wanted = shard_.items(items);
    return static_cast<std::uint64_t>(
        std::ranges::count_if(wanted, [&](std::uint64_t i) { return std::ranges::binary_search(chunks_, i); }));
  }
  std::vector<std::byte> payload(std::uint64_t number) const {
    return journal_ ? journal_->payload(number) : kept_.at(number);
  }

 private:
  fs::path path_;
  std::optional<Journal> journal_;
  Shard shard_;
  std::string command_;
  std::vector<std::pair<std::string, std::string>> facts_;
  std::vector<std::uint64_t> chunks_;
  std::map<std::uint64_t, std::vector<std::byte>> kept_;
};

std::vector<fs::path> journals_in(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".journal" && !entry.path().filename().string().starts_with("."))
      out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

std::vector<fs::path> find_journals(const fs::path& from) {
  try {
    if (is_missing(from)) throw InputError(fmt::format("{}: does not exist", from.string()));
    if (!fs::is_directory(from)) return {from};
    const bool inside = fs::is_directory(from / kShardFolder);
    std::vector<fs::path> out = journals_in(inside ? from / kShardFolder : from);
    if (out.empty() && fs::exists(from / "journal"))
      throw InputError(fmt::format("{}: holds a batch without shards; there is nothing to gather", from.string()));
    if (out.empty())
      throw InputError(
          fmt::format("{}: holds no shards; 'evident batch ... {}' makes them", from.string(), option("shard", "i/n")));
    return out;
  } catch (const fs::filesystem_error& e) {
    throw InputError(fmt::format("{}: {}", from.string(), e.code().message()));
  }
}

/// "3, 7, 12 and 40 more"
std::string some_of(const std::vector<std::string>& texts) {
  constexpr std::size_t kTold = 8;
  const std::size_t told = std::min(texts.size(), kTold);
  std::string out =
      fmt::format("{}", fmt::join(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(told), ", "));
  if (texts.size() > told) out += fmt::format(" and {} more", texts.size() - told);
  return out;
}

class Gathering {
 public:
  explicit Gathering(std::size_t most_open) : most_open_(most_open) {}

  void add(const fs::path& journal) {
    auto file = std::make_unique<ShardFile>(journal, shards_.size() < most_open_);
    if (!shards_.empty()) require_same_batch(*shards_.begin()->second, *file);
    const std::uint64_t number = file->shard().number;
    const auto [at, is_new] = shards_.emplace(number, std::move(file));
    if (!is_new)
      throw InputError(fmt::format("shard {} is there twice: {} and {}", at->second->shard().text(),
                                   at->second->path().string(), journal.string()));
  }

  /// All shards that have anything to do must be there, with all of it.
  void require_all() const {
    std::vector<std::string> missing, unfinished;
    std::optional<std::uint64_t> first;
    for (std::uint64_t s = 1; s <= std::min(count(), items()); ++s) {
      const auto at = shards_.find(s);
      const std::uint64_t wanted = Shard{.number = s, .count = count()}.size(items());
      const std::uint64_t done = at == shards_.end() ? 0 : at->second->done(items());
      if (done == wanted) continue;
      if (!first) first = s;
      if (at == shards_.end())
        missing.push_back(std::to_string(s));
      else
        unfinished.push_back(fmt::format("{} with {} of {} data sets", s, done, wanted));
    }
    if (!first) return;
    std::string what;
    if (!missing.empty())
      what = fmt::format("of {} shards {} are missing: {}", count(), missing.size(), some_of(missing));
    if (!unfinished.empty())
      what += fmt::format("{}{} not finished: {}", what.empty() ? "" : "; ",
                          unfinished.size() == 1 ? "one is" : fmt::format("{} are", unfinished.size()),
                          some_of(unfinished));
    throw InputError(fmt::format("{}; shard {} is made by: {}", what, *first, command(*first)));
  }

  Summary write(const fs::path& out) const {
    const ShardFile& any = *shards_.begin()->second;
    const report::Staging work(out);
    Tables tables(work.path(), {.version = any.value("evident"), .study = any.value("study")});
    for (std::uint64_t i = 0; i < items(); ++i) tables.add(unpack(shards_.at(i % count() + 1)->payload(i)));
    return tables.publish(out);
  }

 private:
  std::uint64_t count() const { return shards_.begin()->second->shard().count; }
  std::uint64_t items() const {
    const std::string text = shards_.begin()->second->value("data sets");
    std::uint64_t out = 0;
    for (const char c : text) {
      if (c < '0' || c > '9' || out > kMaxItems) return 0;
      out = 10 * out + static_cast<std::uint64_t>(c - '0');
    }
    return out;
  }

  std::string command(std::uint64_t shard) const {
    const ShardFile& any = *shards_.begin()->second;
    return fmt::format("{} {} {}", any.command().empty() ? "evident batch ..." : any.command(),
                       option("shard", fmt::format("{}/{}", shard, count())), option("resume"));
  }

  static void require_same_batch(const ShardFile& one, const ShardFile& other) {
    const auto differ = [&](std::string_view name, const std::string& a, const std::string& b) {
      throw InputError(fmt::format(
          "{} and {} are of different batches: {} = {} and {}; remove the one that does not belong "
          "here",
          one.path().string(), other.path().string(), name, a.empty() ? "none" : a, b.empty() ? "none" : b));
    };
    if (one.shard().count != other.shard().count)
      differ("shards", std::to_string(one.shard().count), std::to_string(other.shard().count));
    for (const auto& [name, value] : one.facts())
      if (name != "shard" && name != "batch" && other.value(name) != value) differ(name, value, other.value(name));
    for (const auto& [name, value] : other.facts())
      if (name != "shard" && name != "batch" && one.value(name) != value) differ(name, one.value(name), value);
    if (one.value("batch") != other.value("batch")) differ("batch", one.value("batch"), other.value("batch"));
  }

  std::size_t most_open_;
  std::map<std::uint64_t, std::unique_ptr<ShardFile>> shards_;
};

bool is_same_folder(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

/// Reports of shards that were made elsewhere.
void copy_reports(const fs::path& from, const fs::path& out) {
  std::error_code failed;
  if (!fs::is_directory(from / "reports", failed) || is_same_folder(from, out)) return;
  fs::create_directories(out / "reports", failed);
  for (const fs::directory_entry& entry : fs::directory_iterator(from / "reports")) {
    const auto manifest = report::Manifest::read(entry.path() / report::Manifest::kName);
    if (!manifest) continue;  // no report
    report::OutputFolder copy(out / "reports" / entry.path().filename(), true);
    for (const std::string& path : manifest->paths()) {
      fs::create_directories((copy.path() / path).parent_path(), failed);
      fs::copy_file(entry.path() / path, copy.path() / path, failed);
      if (failed)
        throw RunError(fmt::format("{}: cannot be copied: {}", (entry.path() / path).string(), failed.message()));
    }
    copy.publish(manifest->facts());
  }
}

}  // namespace

Summary gather(const GatherRequest& request) {
  Gathering shards(request.most_open_files);
  for (const fs::path& from : request.from)
    for (const fs::path& journal : find_journals(from)) shards.add(journal);
  shards.require_all();
  std::error_code failed;
  fs::create_directories(request.out, failed);
  if (failed)
    throw InputError(fmt::format("output folder {}: cannot be made: {}", request.out.string(), failed.message()));
  // Beside its shards a table of ours can come from nowhere else.
  const report::OutputFiles tables(request.out);
  if (const fs::path first = tables.first_there(Tables::names());
      !request.force && !first.empty() && !fs::is_directory(request.out / kShardFolder, failed))
    throw InputError(fmt::format("{}: holds {} already; add {} to replace it", request.out.string(),
                                 first.filename().string(), option("force")));
  tables.check(Tables::names());
  for (const fs::path& from : request.from) copy_reports(from, request.out);
  return shards.write(request.out);
}

}  // namespace evident::batch
