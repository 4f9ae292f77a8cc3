#include "batch/run_item.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>

#include "base/option.hpp"
#include "base/work_queue.hpp"
#include "evident/base/error.hpp"
#include "evident/base/random.hpp"
#include "evident/results/study_files.hpp"
#include "journal/journal.hpp"
#include "report/files.hpp"
#include "report/output_folder.hpp"
#include "report/text.hpp"
#include "tables/file_text.hpp"
#include "tables/input_file.hpp"

namespace evident::batch {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxMessage = 1000;

/// One line that can stand in a table.
std::string one_line(std::string_view what) {
  what = what.substr(0, what.find('\n'));
  std::string text = report::printable(what.substr(0, kMaxMessage));
  return text.empty() ? "failed without a message" : text;
}

/// Throws InputError when it cannot be made, or holds a file of somebody else.
void prepare_report(const fs::path& wanted, std::optional<report::OutputFolder>& folder) {
  std::error_code ignored;
  fs::create_directories(wanted.parent_path(), ignored);
  folder.emplace(wanted, true);
}

/// What only this item reads: its data, and what its own study names. The study of all items and the file of all
/// groups are known to the batch.
std::vector<std::string> inputs_of(const ItemList& list, const Item& item, const study::Study& study) {
  std::vector<std::string> out = study.data_files;
  if (list.study.empty()) out.push_back(item.study);
  return out;
}

}  // namespace

std::uint64_t item_seed(std::uint64_t study_seed, const std::string& name) {
  Fingerprint sum;
  sum.add(name);
  return Streams({.seed = study_seed}).part(sum.value()).at({.purpose = Purpose::other}).bits();
}

std::string report_folder_name(const ItemList& list, std::size_t index) {
  const std::size_t digits = std::to_string(list.items.size()).size();
  return fmt::format("{:0{}}-{}", index + 1, digits, report::safe_file_names({list.items[index].name}).front());
}

std::uint64_t file_sum(const std::string& file) {
  Fingerprint sum;
  try {
    sum.add(file_bytes(file, InputFile::kAnySize));
  } catch (const InputError&) {
    return 0;
  }
  return sum.value();
}

ItemResult run_item(const ItemList& list, std::size_t index, const ItemOptions& options, const std::stop_token& stop) {
  const Item& item = list.items[index];
  const auto start = std::chrono::steady_clock::now();
  ItemResult result{.name = item.name, .study = item.study, .data = item.data};
  std::optional<study::Study> study;
  std::optional<Comparison> comparison;
  std::optional<report::OutputFolder> report_folder;
  try {
    if (!options.reports.empty()) prepare_report(options.reports / report_folder_name(list, index), report_folder);
    study::Overrides overrides = options.overrides;
    overrides.data = list.data_of(item);
    study = study::read_study(item.study, overrides);
    study->options.threads = options.threads;
    study->options.seed = result.seed = item_seed(study->options.seed, item.name);
    for (const std::string& file : inputs_of(list, item, *study)) result.inputs.emplace_back(file, file_sum(file));
    comparison = study::run(*study, nullptr, stop);
    add_comparison(*comparison, result);
    if (!result.best()) result.message = "no model has a probability above 0: can any of them be true?";
  } catch (const std::exception& e) {
    result.message = one_line(spelled(message_of(e), options.spelling));
  }
  check_stop(stop);
  if (comparison && report_folder) {
    results::write_study_files(*study, *comparison, report_folder->path(), options.html);
    report_folder->publish();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace evident::batch
