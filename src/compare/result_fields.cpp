#include "compare/result_fields.hpp"

#include <algorithm>

namespace evident {

void put_value(Packer& out, const BlockStorage& x) {
  out.put(static_cast<std::uint64_t>(x.rows()));
  out.put(static_cast<std::uint64_t>(x.size()));
  for (std::size_t j = 0; j < x.rows(); ++j) out.put_doubles(x.row(j));
}

void get_value(Unpacker& in, BlockStorage& x) {
  const std::size_t rows = in.get_count(sizeof(std::uint64_t)), size = in.get_count(rows > 0 ? rows : 1);
  x = BlockStorage(rows, size);
  for (std::size_t j = 0; j < rows; ++j) {
    const std::vector<double> row = in.get_doubles();
    if (row.size() != size) Unpacker::refuse();
    std::ranges::copy(row, x.row(j).begin());
  }
}

}  // namespace evident
