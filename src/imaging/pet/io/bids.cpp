#include "imaging/pet/io/bids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <system_error>

#include "base/suggest.hpp"
#include "evident/base/error.hpp"
#include "imaging/pet/io/sidecar.hpp"

namespace evident::imaging {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> folders_in(const fs::path& parent, std::string_view prefix) {
  std::vector<std::string> names;
  std::error_code error, ignored;
  for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error)) {
    std::string name = it->path().filename().string();
    if (name.starts_with(prefix) && name.size() > prefix.size() && it->is_directory(ignored)) {
      names.push_back(std::move(name));
    }
  }
  if (error) throw InputError(fmt::format("{}: cannot be read: {}", parent.string(), error.message()));
  std::ranges::sort(names);
  return names;
}

std::string label(std::string_view text, std::string_view key) {
  return std::string(text.starts_with(key) ? text.substr(key.size()) : text);
}

std::set<std::string> labels(const std::vector<std::string>& wanted, std::string_view key) {
  std::set<std::string> out;
  for (const std::string& w : wanted) out.insert(label(w, key));
  return out;
}

bool accepts(const std::set<std::string>& wanted, const std::string& value) {
  return wanted.empty() || wanted.contains(value);
}

std::string some(const std::vector<std::string>& names, std::string_view key) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == 20) return fmt::format("{} and {} more", out, names.size() - i);
    out += (i == 0 ? "" : ", ") + label(names[i], key);
  }
  return out.empty() ? "none" : out;
}

std::vector<std::string> wanted_subjects(const fs::path& root, const BidsQuery& query) {
  std::vector<std::string> all = folders_in(root, "sub-");
  if (all.empty()) {
    throw InputError(fmt::format("{}: has no folders sub-*; give the root of a BIDS data set", root.string()));
  }
  if (query.participants.empty()) return all;
  std::set<std::string> chosen;
  for (const std::string& participant : query.participants) {
    const std::string name = "sub-" + label(participant, "sub-");
    if (!std::ranges::binary_search(all, name)) {
      throw InputError(fmt::format("{}: there is no participant '{}'; found: {}", root.string(),
                                   label(participant, "sub-"), some(all, "sub-")));
    }
    chosen.insert(name);
  }
  return {chosen.begin(), chosen.end()};
}

class Collector {
 public:
  Collector(const fs::path& root, const BidsQuery& query)
      : root_(root),
        sessions_(labels(query.sessions, "ses-")),
        tracers_(labels(query.tracers, "trc-")),
        runs_(labels(query.runs, "run-")) {}

  void subject(const std::string& name) {
    if (sessions_.empty()) folder(fs::path(name) / "pet", name, "");
    for (const std::string& session : folders_in(root_ / name, "ses-")) {
      seen_sessions_.insert(session);
      if (accepts(sessions_, label(session, "ses-"))) folder(fs::path(name) / session / "pet", name, session);
    }
  }

  BidsPet finish() {
    for (const std::string& session : sessions_) {
      if (!seen_sessions_.contains("ses-" + session)) {
        throw InputError(fmt::format("{}: there is no session '{}'; found: {}", root_.string(), session,
                                     some({seen_sessions_.begin(), seen_sessions_.end()}, "ses-")));
      }
    }
    if (found_.scans.empty()) {
      throw InputError(left_out_.empty()
                           ? fmt::format("{}: no PET images (sub-*/[ses-*/]pet/*_pet.nii.gz) of the participants asked "
                                         "for",
                                         root_.string())
                           : fmt::format("{}: no PET image has the tracer and run asked for; found: {}", root_.string(),
                                         some(left_out_, "")));
    }
    return std::move(found_);
  }

 private:
  void folder(const fs::path& relative, const std::string& subject, const std::string& session) {
    std::error_code error, ignored;
    std::map<std::string, fs::path> images;  // stem -> file
    std::vector<fs::path> blood;
    for (fs::directory_iterator it(root_ / relative, error), end; !error && it != end; it.increment(error)) {
      const BidsName name = parse_bids_name(it->path().filename().string());
      if (name.suffix == "blood" && name.extension == ".tsv") blood.push_back(it->path());
      if (name.suffix != "pet" || (name.extension != ".nii" && name.extension != ".nii.gz")) continue;
      const std::string file_name = it->path().filename().string();
      const std::string stem = file_name.substr(0, file_name.size() - name.extension.size() - 4);  // without "_pet"
      if (const auto [at, fresh] = images.emplace(stem, it->path()); !fresh) {
        found_.warnings.push_back(
            fmt::format("{}: there is a .nii and a .nii.gz; the .nii.gz is used", (relative / stem).string()));
        if (name.extension == ".nii.gz") at->second = it->path();
      }
    }
    std::ranges::sort(blood);
    for (const auto& [stem, image] : images) add(relative, subject, session, stem, image, blood);
  }

  void add(const fs::path& relative, const std::string& subject, const std::string& session, const std::string& stem,
           const fs::path& image, const std::vector<fs::path>& blood) {
    const BidsName name = parse_bids_name(image.filename().string());
    if (!accepts(tracers_, name.value("trc")) || !accepts(runs_, name.value("run"))) {
      left_out_.push_back(stem);
      return;
    }
    if ("sub-" + name.value("sub") != subject || (!session.empty() && "ses-" + name.value("ses") != session)) {
      found_.warnings.push_back(
          fmt::format("{}: the name does not fit the folder", (relative / image.filename()).string()));
    }
    BidsPetScan scan{image, find_sidecars(image), {}, label(subject, "sub-"), label(session, "ses-"), stem, relative};
    for (const fs::path& file : blood) {
      if (parse_bids_name(file.filename().string()).within(name, "recording")) scan.blood.push_back(file.string());
    }
    found_.scans.push_back(std::move(scan));
  }

  fs::path root_;
  std::set<std::string> sessions_, tracers_, runs_, seen_sessions_;
  std::vector<std::string> left_out_;
  BidsPet found_;
};

}  // namespace

BidsPet find_bids_pet(const fs::path& root, const BidsQuery& query) {
  std::error_code error;
  if (!fs::is_directory(root, error)) {
    throw InputError(fmt::format("{}: is not a folder; give the root of a BIDS data set", root.string()));
  }
  Collector collector(root, query);
  for (const std::string& subject : wanted_subjects(root, query)) collector.subject(subject);
  BidsPet found = collector.finish();
  if (!fs::is_regular_file(root / "dataset_description.json", error)) {
    found.warnings.insert(found.warnings.begin(),
                          fmt::format("{}: has no dataset_description.json, which BIDS asks for", root.string()));
  }
  return found;
}

}  // namespace evident::imaging
