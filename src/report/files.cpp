#include "evident/report/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <set>
#include <span>

#include "evident/base/error.hpp"
#include "journal/output_file.hpp"

namespace evident::report {
namespace {

constexpr std::size_t kMaxFileName = 100;
constexpr std::size_t kMaxFamilyFiles = 100;  // models of a family with files of their own, the most probable ones

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

// RFC 4180: quoted only when needed.
std::string cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
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

std::string draws_csv(const Draws& draws) {
  fmt::memory_buffer out;
  const auto put = std::back_inserter(out);
  const bool densities = !draws.log_likelihood.empty();
  fmt::format_to(put, "weight{}", densities ? ",log_likelihood,log_prior" : "");
  for (const std::string& name : draws.names) fmt::format_to(put, ",{}", cell(name));
  fmt::format_to(put, "\n");
  for (std::size_t i = 0; i < draws.weights.size(); ++i) {
    fmt::format_to(put, "{}", draws.weights[i]);
    if (densities) fmt::format_to(put, ",{},{}", draws.log_likelihood[i], draws.log_prior[i]);
    for (std::size_t j = 0; j < draws.names.size(); ++j) fmt::format_to(put, ",{}", draws.values(j, i));
    fmt::format_to(put, "\n");
  }
  return fmt::to_string(out);
}

std::string trace_csv(const Trace& trace) {
  fmt::memory_buffer out;
  const auto put = std::back_inserter(out);
  fmt::format_to(put,
                 "step,alpha,log_ratio,mean_log_likelihood,variance_log_likelihood,ess,cess,resampled,acceptance,scale,"
                 "jump,likelihood_evaluations,seconds");
  for (std::size_t j = 1; j < kFinest; ++j) fmt::format_to(put, ",mean_log_likelihood_{}_{}", j, kFinest);
  fmt::format_to(put, "\n");
  for (std::size_t t = 0; t < trace.steps.size(); ++t) {
    const Step& s = trace.steps[t];
    fmt::format_to(put, "{},{},{},{},{},{},{},{},{},{},{},{},{}", t, s.alpha, s.log_ratio, s.mean, s.variance, s.ess,
                   s.cess, s.resampled ? 1 : 0, s.acceptance, s.scale, s.jump, s.evaluations, s.seconds);
    for (double u : s.finer) fmt::format_to(put, ",{}", u);
    fmt::format_to(put, "\n");
  }
  return fmt::to_string(out);
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

void write_files(const Comparison& c, const RunInfo& info, const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const ModelResult& m : c.models) names.push_back(m.name);
  names.emplace_back("all-models");  // of the runs that serve all of them
  const std::vector<std::string> files = safe_file_names(names);
  write_file(folder / "result.json", to_json(c, info));
  const std::size_t count = c.runs.empty() ? c.models.size() : std::min(c.models.size(), kMaxFamilyFiles);
  for (std::size_t i = 0; i < count; ++i) {
    const ModelResult& m = c.models[i];
    if (!m.draws.weights.empty()) write_file(folder / (files[i] + "-draws.csv"), draws_csv(m.draws));
    if (m.steps() > 0) write_file(folder / (files[i] + "-trace.csv"), trace_csv(m.replicates.front().trace));
  }
  if (!c.runs.empty() && !c.runs.front().trace.steps.empty()) {
    write_file(folder / (files.back() + "-trace.csv"), trace_csv(c.runs.front().trace));
  }
}

}  // namespace evident::report
