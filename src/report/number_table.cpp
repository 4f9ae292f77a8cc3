#include "report/number_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>

#include "evident/base/error.hpp"
#include "report/text.hpp"
#include "tables/file_text.hpp"

namespace evident::report {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

/// The names of the first line, quoted as RFC 4180 has it; a name may hold line breaks. Moves `place` behind it.
std::vector<std::string> parse_names(const std::string& text, std::size_t& place, const std::string& file) {
  std::vector<std::string> names(1);
  bool quoted = false;
  for (; place < text.size(); ++place) {
    const char c = text[place];
    if (quoted) {
      if (c != '"') {
        names.back() += c;
      } else if (place + 1 < text.size() && text[place + 1] == '"') {
        names.back() += '"';
        ++place;
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      names.emplace_back();
    } else if (c == '\n') {
      ++place;
      return names;
    } else if (c != '\r') {
      names.back() += c;
    }
  }
  throw InputError(fmt::format("{}:1: the file ends within its first line", file));
}

double parse_number(std::string_view cell, const std::string& file, std::size_t line) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size()) return value;
  throw InputError(fmt::format("{}:{}: '{}' is no number", file, line, printable(cell.substr(0, 40))));
}

// RFC 4180: quoted only when needed.
std::string quoted_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

}  // namespace

const std::vector<double>* NumberTable::find(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : &columns[static_cast<std::size_t>(found - names.begin())];
}

NumberTable parse_numbers(const std::string& text, const std::string& file) {
  NumberTable out;
  std::size_t place = 0;
  out.names = parse_names(text, place, file);
  out.columns.resize(out.names.size());
  auto line =
      static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
  while (place < text.size()) {
    ++line;
    const std::size_t end = text.find('\n', place);
    if (end == std::string::npos) throw InputError(fmt::format("{}:{}: the file ends within this line", file, line));
    std::string_view rest = std::string_view(text).substr(place, end - place);
    for (std::size_t j = 0; j < out.columns.size(); ++j) {
      const std::size_t comma = rest.find(',');
      if ((comma == std::string_view::npos) != (j + 1 == out.columns.size()))
        throw InputError(
            fmt::format("{}:{}: the line must have {} cells, as the first has", file, line, out.columns.size()));
      out.columns[j].push_back(parse_number(rest.substr(0, comma), file, line));
      if (comma != std::string_view::npos) rest.remove_prefix(comma + 1);
    }
    place = end + 1;
  }
  return out;
}

std::string numbers_csv(const NumberTable& table) {
  fmt::memory_buffer out;
  const auto put = std::back_inserter(out);
  const auto line = [&](const auto& cell) {
    for (std::size_t j = 0; j < table.names.size(); ++j) fmt::format_to(put, "{}{}", j == 0 ? "" : ",", cell(j));
    fmt::format_to(put, "\n");
  };
  line([&](std::size_t j) { return quoted_cell(table.names[j]); });
  for (std::size_t i = 0; i < table.rows(); ++i) line([&](std::size_t j) { return table.columns[j][i]; });
  return fmt::to_string(out);
}

NumberTable trace_table(const Trace& trace) {
  NumberTable out;
  const auto add = [&](std::string name, const auto& value) {
    out.names.push_back(std::move(name));
    std::vector<double>& column = out.columns.emplace_back();
    for (std::size_t t = 0; t < trace.steps.size(); ++t) column.push_back(static_cast<double>(value(t)));
  };
  const auto add_member = [&](const char* name, auto member) {
    add(name, [&](std::size_t t) { return trace.steps[t].*member; });
  };
  add("step", [](std::size_t t) { return t; });
  add_member("alpha", &Step::alpha);
  add_member("log_ratio", &Step::log_ratio);
  add_member("mean_log_likelihood", &Step::mean);
  add_member("variance_log_likelihood", &Step::variance);
  add_member("ess", &Step::ess);
  add_member("cess", &Step::cess);
  add_member("resampled", &Step::resampled);
  add_member("acceptance", &Step::acceptance);
  add_member("scale", &Step::scale);
  add_member("jump", &Step::jump);
  add_member("likelihood_evaluations", &Step::evaluations);
  add_member("seconds", &Step::seconds);
  for (std::size_t j = 1; j < kFinest; ++j)
    add(fmt::format("mean_log_likelihood_{}_{}", j, kFinest),
        [&](std::size_t t) { return trace.steps[t].finer[j - 1]; });
  return out;
}

NumberTable draws_table(const Draws& draws) {
  NumberTable out{{"weight"}, {draws.weights}};
  if (!draws.log_likelihood.empty()) {
    out.names.insert(out.names.end(), {"log_likelihood", "log_prior"});
    out.columns.insert(out.columns.end(), {draws.log_likelihood, draws.log_prior});
  }
  out.names.insert(out.names.end(), draws.names.begin(), draws.names.end());
  for (std::size_t j = 0; j < draws.names.size(); ++j) {
    const std::span<const double> row = draws.values.row(j);
    out.columns.emplace_back(row.begin(), row.end());
  }
  return out;
}

Draws draws_of(const NumberTable& table, bool may_have_densities) {
  Draws out;
  out.weights = table.columns.front();
  const bool densities = may_have_densities && table.names.size() > 2 && table.names[1] == "log_likelihood" &&
                         table.names[2] == "log_prior";
  if (densities) {
    out.log_likelihood = table.columns[1];
    out.log_prior = table.columns[2];
  }
  const std::size_t first = densities ? 3 : 1;
  out.names.assign(table.names.begin() + static_cast<std::ptrdiff_t>(first), table.names.end());
  out.values = BlockStorage(out.names.size(), table.rows());
  for (std::size_t j = 0; j < out.names.size(); ++j)
    std::ranges::copy(table.columns[first + j], out.values.row(j).begin());
  return out;
}

std::string read_file(const std::filesystem::path& file) { return file_bytes(file.string(), kMostBytes); }

}  // namespace evident::report
