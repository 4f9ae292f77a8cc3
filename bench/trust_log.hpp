// The runs of bench_trust in a file, a line each: what was measured is not measured again.
//
//   bench::TrustLog log("trust.tsv");
//   if (!log.find("default", "eggbox", 3)) log.add(run);
//
// Fields, with a tab in between: setting, problem, seed, error, standard error, interval holds (1 or 0), verdict,
// evaluations, CPU seconds, error of the answer, alarms with a comma in between, message of a run that failed.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "known_answers.hpp"

namespace evident::bench {

struct LoggedRun {
  std::string setting, problem;
  std::uint64_t seed = 0;
  double error = 0, se = 0;
  bool held = false;
  std::string verdict = {};
  double evaluations = 0, seconds = 0;
  double answer_error = 0;  ///< of the known answer
  std::vector<std::string> alarms = {};
  std::string failure = {};  ///< empty unless the run failed

  void set(const Outcome& o) {
    error = o.error, se = o.se, held = o.held, evaluations = o.evaluations, seconds = o.seconds;
    verdict = name(o.verdict);
    for (const Reason& r : o.reasons) alarms.emplace_back(name(r.code));
  }
  bool trusted() const { return verdict == name(Verdict::trust); }
  bool trusted_and_wrong() const { return trusted() && is_wrong(error, se); }
  bool right_but_not_trusted() const { return !trusted() && is_right(error); }
};

class TrustLog {
 public:
  /// Reads what is there. No path: nothing is kept. A line that was cut off when its program was stopped is removed.
  explicit TrustLog(std::string path) : path_(std::move(path)) {
    if (path_.empty() || !std::filesystem::exists(path_)) return;
    std::ifstream in(path_, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    const std::string all = text.str();
    const std::size_t end = all.rfind('\n') == std::string::npos ? 0 : all.rfind('\n') + 1;
    if (end < all.size()) std::filesystem::resize_file(path_, end);
    std::istringstream lines(all.substr(0, end));
    for (std::string line; std::getline(lines, line);) keep(read(line));
  }

  const LoggedRun* find(const std::string& setting, const std::string& problem, std::uint64_t seed) const {
    const std::lock_guard lock(mutex_);
    const auto found = runs_.find({setting, problem, seed});
    return found == runs_.end() ? nullptr : &found->second;
  }

  void add(const LoggedRun& r) {
    if (path_.empty()) return;
    const std::string line = written(r);
    const std::lock_guard lock(mutex_);
    std::ofstream out(path_, std::ios::binary | std::ios::app);
    out << line << std::flush;
    if (!out) throw std::runtime_error("cannot write to " + path_);
    keep(r);
  }

 private:
  using Key = std::tuple<std::string, std::string, std::uint64_t>;

  void keep(LoggedRun r) {
    Key key{r.setting, r.problem, r.seed};
    runs_.insert_or_assign(std::move(key), std::move(r));
  }

  static std::string written(const LoggedRun& r) {
    const auto number = [](double v) {
      char text[40];
      std::snprintf(text, sizeof text, "%.17g", v);
      return std::string(text);
    };
    std::string alarms, failure = r.failure;
    for (const std::string& a : r.alarms) alarms += (alarms.empty() ? "" : ",") + a;
    for (char& c : failure)
      if (c == '\t' || c == '\n' || c == '\r') c = ' ';
    std::string line;
    for (const std::string& field :
         {r.setting, r.problem, std::to_string(r.seed), number(r.error), number(r.se), std::string(r.held ? "1" : "0"),
          r.verdict, number(r.evaluations), number(r.seconds), number(r.answer_error), alarms, failure})
      line += (line.empty() ? "" : "\t") + field;
    return line + "\n";
  }

  LoggedRun read(const std::string& line) const {
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == '\t')
        fields.emplace_back();
      else
        fields.back() += c;
    }
    if (fields.size() != 12) throw std::runtime_error(path_ + " has a line that is no run: " + line);
    const auto number = [&](std::size_t k) { return std::strtod(fields[k].c_str(), nullptr); };
    LoggedRun out{.setting = fields[0],
                  .problem = fields[1],
                  .seed = std::strtoull(fields[2].c_str(), nullptr, 10),
                  .error = number(3),
                  .se = number(4),
                  .held = fields[5] == "1",
                  .verdict = fields[6],
                  .evaluations = number(7),
                  .seconds = number(8),
                  .answer_error = number(9),
                  .failure = fields[11]};
    std::istringstream alarms(fields[10]);
    for (std::string alarm; std::getline(alarms, alarm, ',');) out.alarms.push_back(alarm);
    return out;
  }

  std::string path_;
  mutable std::mutex mutex_;
  std::map<Key, LoggedRun> runs_;
};

}  // namespace evident::bench
