#include "cmd/pet/progress.hpp"

#include <fmt/format.h>

#include "report/text.hpp"

namespace evident::cli {

std::string progress_line(const imaging::FitProgress& p, const std::string& what) {
  std::string line =
      fmt::format("{} of {} {} ({} %)", p.done, p.total, what, p.total > 0 ? 100 * p.done / p.total : 100);
  if (p.resumed > 0) line += fmt::format(", {} from before", p.resumed);
  const auto fresh = static_cast<double>(p.done - p.resumed);
  if (fresh > 0 && p.seconds > 0) {
    const double rate = fresh / p.seconds;
    line += fmt::format(", {:.3g} {}/s", rate, what);
    if (p.done < p.total)
      line += fmt::format(", {} left", report::duration(static_cast<double>(p.total - p.done) / rate));
  }
  std::string odd;
  for (const imaging::StatusBit& s : imaging::status_bits()) {
    constexpr std::uint32_t kFailures = imaging::kNotFinite | imaging::kConstant | imaging::kFailed;
    const auto found = p.status.find(s.bit);
    if ((s.bit & kFailures) != 0 && found != p.status.end())
      odd += fmt::format("{} {} {}", odd.empty() ? ";" : ",", found->second, s.name);
  }
  return line + odd;
}

}  // namespace evident::cli
