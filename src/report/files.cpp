#include "report/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>
#include <span>

#include "evident/base/error.hpp"
#include "journal/output_file.hpp"
#include "report/study_report.hpp"

namespace evident::report {
namespace {

constexpr std::size_t kMaxFileName = 100;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

std::string safe_name(const std::string& name) {
  std::string out;
  for (char c : name) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;  // one '_' for each character, not byte
    if (!continues) out += is_plain(c) ? c : '_';
    if (out.size() == kMaxFileName) break;
  }
  if (out.empty() || out.front() == '.' || out.front() == '-') out.insert(out.begin(), '_');
  return out;
}

std::string lower(std::string s) {
  std::ranges::transform(s, s.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return s;
}

}  // namespace

std::vector<std::string> safe_file_names(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  std::set<std::string> taken;
  for (const std::string& name : names) {
    const std::string base = safe_name(name);
    std::string candidate = base;
    for (std::size_t n = 2; !taken.insert(lower(candidate)).second; ++n) candidate = fmt::format("{}-{}", base, n);
    out.push_back(candidate);
  }
  return out;
}

void write_file(const std::filesystem::path& file, std::string_view text) {
  std::FILE* out = std::fopen(file.c_str(), "wb");
  const bool written = out && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  const bool closed = out && std::fclose(out) == 0;
  if (!written || !closed)
    throw RunError(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
}

void replace_file(const std::filesystem::path& file, std::string_view text) {
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored))
    return write_file(file, text);  // a device or a pipe
  OutputFile out(std::filesystem::is_symlink(file, ignored) ? std::filesystem::weakly_canonical(file) : file);
  out.write(std::as_bytes(std::span(text)));
  out.commit();
}

void write_files(const Document& document, const std::filesystem::path& folder, bool with_report) {
  document.each_file([&](const std::string& name, const std::string& text) { write_file(folder / name, text); });
  if (with_report && has_study_report()) write_file(folder / "report.html", study_report(document));
}

}  // namespace evident::report
