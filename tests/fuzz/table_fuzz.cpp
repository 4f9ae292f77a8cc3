// Tables of data, comma- or tab-separated: the answer is a table or an InputError, and the cells of a table that was
// read are the same when they are written with quotes and read again.
#include <cmath>

#include "evident/base/error.hpp"
#include "fuzz.hpp"
#include "tables/table.hpp"

namespace {

using evident::Table;

std::string in_quotes(std::string_view cell) {
  std::string out = "\"";
  for (const char c : cell) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string written(const Table& table) {
  std::string out;
  for (std::size_t j = 0; j < table.names().size(); ++j) out += (j > 0 ? "," : "") + in_quotes(table.names()[j]);
  for (std::size_t r = 0; r < table.rows(); ++r) {
    out += '\n';
    for (std::size_t j = 0; j < table.names().size(); ++j) out += (j > 0 ? "," : "") + in_quotes(table.cell(r, j));
  }
  return out;
}

void check_same(const Table& a, const Table& b) {
  fuzz::require(a.names() == b.names() && a.rows() == b.rows(), "a table that is written again has the same shape");
  for (std::size_t r = 0; r < a.rows(); ++r)
    for (std::size_t j = 0; j < a.names().size(); ++j)
      fuzz::require(a.cell(r, j) == b.cell(r, j), "a table that is written again has the same cells");
}

void check_numbers(const Table& table) {
  for (const std::string& name : table.names()) {
    try {
      for (const double x : table.numbers(name)) fuzz::require(std::isfinite(x), "numbers are finite");
    } catch (const evident::InputError&) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  constexpr char delimiters[] = {0, ',', ';', '\t', '|', ' '};
  const std::string_view text = fuzz::text_of({bytes + 1, size - 1});
  try {
    const Table table = Table::parse(std::string(text), bytes[0] & 1 ? "d.tsv" : "d.csv",
                                     {.delimiter = delimiters[(bytes[0] >> 1) % sizeof delimiters]});
    check_numbers(table);
    check_same(table, Table::parse(written(table), "d.csv", {.delimiter = ','}));
    const std::size_t last[] = {table.rows() - 1};
    fuzz::require(table.some_rows(last).cell(0, 0) == table.cell(last[0], 0), "a row that is chosen is that row");
  } catch (const evident::InputError&) {
  }
  return 0;
}
