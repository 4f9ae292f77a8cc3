// The memory that a program runs in.
#pragma once

#include <vector>

#include "formula/ode_room.hpp"
#include "formula/view.hpp"

namespace evident::formula {

/// Where the rows of a program of compile_rows go.
struct RowTarget {
  std::size_t first = 0, count = 0;  ///< the rows asked for
  double* out = nullptr;             ///< row first of output 0
  std::size_t stride = 0;            ///< from row to row; output k begins k * count rows later
};

struct Workspace {
  AlignedVector<double> slots, tiles;
  RowTarget target{};
  std::vector<View> arguments;
  Room room;
  OdeRoom ode;
  OdeBackRoom back;
  std::size_t particles = 0;  ///< in the block at work; the other lanes are padding

  void fit(const Program& p) {
    if (slots.size() < p.scalar_slots * kWidth) slots.resize(p.scalar_slots * kWidth);
    if (tiles.size() < p.tile_numbers) tiles.resize(p.tile_numbers);
    if (p.ode) ode.fit(*p.ode);
  }

  /// The operands first .. first+count-1, for a tile that begins at row `row` and has `tile_rows` rows.
  const View* views(const Program& p, std::uint32_t first, std::uint32_t count, std::size_t row,
                    std::size_t tile_rows) {
    if (arguments.size() < count) arguments.resize(count);
    for (std::uint32_t k = 0; k < count; ++k) arguments[k] = locate(p, p.operands[first + k], row, tile_rows);
    return arguments.data();
  }

  const View* view(const Program& p, const Operand& o) {
    if (arguments.empty()) arguments.resize(1);
    arguments[0] = locate(p, o, 0, 1);
    return arguments.data();
  }

 private:
  View locate(const Program& p, const Operand& o, std::size_t row, std::size_t tile_rows) const {
    switch (o.kind) {
      case Operand::constant:
        return {&p.constants[o.place], 0, nullptr, false};
      case Operand::scalar:
        return {slots.data() + o.place * kWidth, 0, nullptr, true};
      case Operand::tile:
        return {tiles.data() + o.place * tile_rows * kWidth, kWidth, nullptr, true};
      case Operand::data:
        return {p.columns[o.place]->data() + row, 1, nullptr, false};
      case Operand::curve:
        return {ode.curve(*p.ode, o.place), 0, p.indices[o.index]->data() + row, true};
      case Operand::gather:
        return {slots.data() + o.place * kWidth, 0, p.indices[o.index]->data() + row, true};
    }
    return {};
  }
};

}  // namespace evident::formula
