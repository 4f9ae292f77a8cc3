#include "formula/line.hpp"

#include <algorithm>

#include "evident/base/log_math.hpp"
#include "formula/run.hpp"

namespace evident::formula {
namespace {

constexpr std::size_t kRowsAtOnce = 64;

/// f(first row, how many rows, first particle, its columns of theta) for pieces that fit into little memory.
template <class F>
void in_pieces(std::size_t first, std::size_t count, ConstBlock theta, F f) {
  for (std::size_t i = 0; i < theta.size(); i += kWidth) {
    const ConstBlock some = theta.columns(i, std::min(kWidth, theta.size() - i));
    for (std::size_t r = 0; r < count; r += kRowsAtOnce) f(first + r, std::min(kRowsAtOnce, count - r), i, some);
  }
}

}  // namespace

Line::Line(Graph& g, LineText text, std::uint32_t parameters) : Line(g, text.density, text.dimension, parameters) {
  observed_ = std::move(text.observed);
  levels_ = std::move(text.levels);
  std::vector<NodeId> nodes;
  draw_.emplace(g, text.law, nodes);
  arguments_ = compile_rows(g, nodes, text.dimension, parameters);
  const NodeId mean = levels_.empty() ? law_mean(g, text.law) : g.constant(kNaN);
  mean_ = compile_rows(g, std::span(&mean, 1), text.dimension, parameters);
}

Line::Line(Graph& g, NodeId density, std::uint32_t dimension, std::uint32_t parameters)
    : rows_(g.rows(dimension)), density_(compile_rows(g, std::span(&density, 1), dimension, parameters)) {}

void Line::draw(ConstBlock theta, std::vector<Stream>& streams, Block out) const {
  const std::size_t nodes = arguments_.row_outputs;
  BlockStorage values(nodes * kRowsAtOnce, kWidth);
  std::vector<double> one(nodes);
  in_pieces(0, rows_, theta, [&](std::size_t first, std::size_t count, std::size_t at, ConstBlock some) {
    run_rows(arguments_, some, first, count, values);
    for (std::size_t i = 0; i < some.size(); ++i) {
      for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t k = 0; k < nodes; ++k) one[k] = values(k * count + r, i);
        const double y = (*draw_)(one.data(), streams[at + i]);
        const bool is_level = y >= 1 && y <= static_cast<double>(levels_.size());
        out(first + r, at + i) = is_level ? levels_[static_cast<std::size_t>(y) - 1] : y;
      }
    }
  });
}

void Line::predict(ConstBlock theta, Block out) const {
  BlockStorage values(kRowsAtOnce, kWidth);
  in_pieces(0, rows_, theta, [&](std::size_t first, std::size_t count, std::size_t at, ConstBlock some) {
    run_rows(mean_, some, first, count, values);
    for (std::size_t r = 0; r < count; ++r) std::copy_n(values.block().row_data(r), some.size(), &out(first + r, at));
  });
}

void Line::add_log_density(ConstBlock theta, std::size_t first, std::size_t count, std::span<double> out) const {
  BlockStorage values(kRowsAtOnce, kWidth);
  in_pieces(first, count, theta, [&](std::size_t row, std::size_t rows, std::size_t at, ConstBlock some) {
    run_rows(density_, some, row, rows, values);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t i = 0; i < some.size(); ++i) out[at + i] += values(r, i);
  });
}

}  // namespace evident::formula
