#include "imaging/pet/io/dft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "evident/base/error.hpp"
#include "imaging/pet/io/limits.hpp"
#include "imaging/pet/io/units.hpp"
#include "imaging/pet/io/words.hpp"

namespace evident::imaging {
namespace {

struct Line {
  std::size_t number;
  std::vector<std::string_view> words;
  std::string_view text;
};

std::string_view without_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

/// The next line that is neither blank nor a comment; no words at the end of the text.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(without_mark(text)) {}

  Line next() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      const std::string_view text = trimmed(rest_.substr(0, end));
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      if (text.empty() || text.front() == '#') continue;
      Line line{number_, {}, text};
      for (std::string_view s = text; !s.empty();) {
        const std::size_t stop = std::min(s.find_first_of(" \t"), s.size());
        line.words.push_back(s.substr(0, stop));
        s = trimmed(s.substr(stop));
      }
      return line;
    }
    return {number_, {}, {}};
  }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

double number_at(const Line& line, std::size_t word, const std::string& file, bool may_miss) {
  const std::string_view s = line.words[word];
  if (may_miss && (s == "." || lower_case(s) == "nan")) return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const bool plus = s.starts_with('+') && !s.starts_with("+-");
  const auto [stop, status] = std::from_chars(s.data() + (plus ? 1 : 0), s.data() + s.size(), value);
  if (status != std::errc{} || stop != s.data() + s.size() || !std::isfinite(value)) {
    throw InputError(fmt::format("{}:{}:{}: '{}' is not a number", file, line.number, s.data() - line.text.data() + 1,
                                 shortened(s)));
  }
  return value;
}

struct Head {
  std::vector<std::string> regions;
  std::string unit, time_unit;
  std::size_t times = 2;  ///< columns of time
  bool weight = false;
};

// Name, side and plane, joined with '_'; '.' stands for nothing.
std::vector<std::string> region_names(const Line& first, const Line& second, const Line& third) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  std::map<std::string, std::size_t> alike;  // the number to try next
  for (std::size_t r = 1; r < first.words.size(); ++r) {
    std::string name(first.words[r]);
    for (const Line* line : {&second, &third}) {
      if (line->words.size() != first.words.size() || line->words[r] == ".") continue;
      name += "_" + std::string(line->words[r]);
    }
    std::string unique = name;
    for (std::size_t& k = alike.try_emplace(name, 2).first->second; !taken.insert(unique).second; ++k)
      unique = fmt::format("{}_{}", name, k);
    names.push_back(unique);
  }
  return names;
}

Head read_head(Lines& lines, const std::string& file) {
  const Line first = lines.next();
  Line second = lines.next(), third = lines.next();
  const Line fourth = lines.next();
  if (fourth.words.empty())
    throw InputError(fmt::format("{}: a DFT file begins with four title lines; this one ends before", file));
  Head head;
  head.weight = lower_case(first.words.back()) == "weight";
  Line names = first;
  if (head.weight) {
    names.words.pop_back();
    for (Line* line : {&second, &third}) {
      if (line->words.size() == first.words.size()) line->words.pop_back();
    }
  }
  head.regions = region_names(names, second, third);
  if (head.regions.empty()) throw InputError(fmt::format("{}:{}: no regions are named", file, first.number));
  head.unit = std::string(third.words.front());
  const std::string word = lower_case(fourth.words.front());
  if (!word.starts_with("time")) {
    throw InputError(fmt::format("{}:{}: the fourth title line must begin with 'Times (min)' or 'Time (min)', not '{}'",
                                 file, fourth.number, shortened(fourth.words.front())));
  }
  head.times = word.starts_with("times") ? 2 : 1;
  const std::size_t open = fourth.text.find('('), close = fourth.text.find(')');
  if (open != std::string_view::npos && close != std::string_view::npos && open < close) {
    head.time_unit = std::string(fourth.text.substr(open + 1, close - open - 1));
  }
  return head;
}

/// Appends one line: a time, or the start and end of a frame, and the activity of each region. `s` and `k` are what
/// times and activities are multiplied by.
void add_line(TacTable& table, const Head& head, const Line& line, double s, double k) {
  const std::size_t wanted = head.times + head.regions.size() + (head.weight ? 1 : 0);
  if (line.words.size() != wanted) {
    throw InputError(fmt::format("{}:{}: {} values, but {} for the time and {} regions are needed", table.file,
                                 line.number, line.words.size(), head.times, head.regions.size()));
  }
  if (table.middle.size() == kMaxFrames)
    throw InputError(fmt::format("{}: more than {} frames", table.file, kMaxFrames));
  const double start = s * number_at(line, 0, table.file, false);
  if (head.times == 2) {
    const double end = s * number_at(line, 1, table.file, false);
    table.timing.start.push_back(start);
    table.timing.duration.push_back(end - start);
    table.middle.push_back((start + end) / 2);
  } else {
    table.middle.push_back(start);
  }
  for (std::size_t r = 0; r < head.regions.size(); ++r)
    table.activity[r].push_back(k * number_at(line, head.times + r, table.file, true));
}

}  // namespace

bool is_dft(std::string_view text) {
  const Line first = Lines(text).next();
  return !first.words.empty() && first.words.front().starts_with("DFT");
}

TacTable parse_dft(std::string_view text, const std::string& file, const TacOptions& options) {
  Lines lines(text);
  const Head head = read_head(lines, file);
  TacTable table;
  table.file = file;
  table.format = "DFT";
  table.regions = head.regions;
  const bool has_unit = find_activity_factor(head.unit) || options.activity_unit.empty();
  table.units = has_unit ? head.unit : options.activity_unit;
  const double k = activity_factor(table.units, fmt::format("{}: the unit in the third title line", file));
  const std::string unit = !head.time_unit.empty()     ? head.time_unit
                           : options.time_unit.empty() ? "min"
                                                       : options.time_unit;
  const double s = time_factor(unit, fmt::format("{}: the time unit", file));
  table.activity.resize(head.regions.size());
  for (Line line = lines.next(); !line.words.empty(); line = lines.next()) add_line(table, head, line, s, k);
  table.timing.unit_given = true;
  if (table.middle.empty()) throw InputError(fmt::format("{}: has title lines but no data", file));
  check_times(table.middle, file);
  check_times(table.timing.duration, file);
  for (std::size_t r = 0; r < head.regions.size(); ++r)
    check_activities(table.activity[r], fmt::format("{}: region '{}'", file, shortened(head.regions[r])));
  return table;
}

}  // namespace evident::imaging
