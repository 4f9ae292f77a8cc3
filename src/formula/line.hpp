// One line of the likelihood, row by row: its observations, draws of them, their means and log densities.
//
//   const Line line(g, {.law = law, .density = log_density(g, law, y), .dimension = d, .observed = ...}, parameters);
//   line.draw(theta, streams, out);                // a row of `out` per row of the table
#pragma once

#include <optional>
#include <vector>

#include "evident/model/model.hpp"
#include "formula/law_draw.hpp"
#include "formula/program.hpp"

namespace evident::formula {

struct LineText {
  Law law{};
  NodeId density = kNone;  ///< its logarithm, row by row
  std::uint32_t dimension = 0;
  Observed observed{};
  std::vector<double> levels{};  ///< what the categories of a categorical law stand for
};

class Line {
 public:
  Line(Graph& g, LineText text, std::uint32_t parameters);
  /// A line that is a log density alone: nothing can be drawn.
  Line(Graph& g, NodeId density, std::uint32_t dimension, std::uint32_t parameters);

  std::size_t rows() const { return rows_; }
  bool can_draw() const { return draw_.has_value(); }
  const Observed& observed() const { return observed_; }
  /// streams[i] belongs to particle i.
  void draw(ConstBlock theta, std::vector<Stream>& streams, Block out) const;
  void predict(ConstBlock theta, Block out) const;
  /// out[i] += the log density of rows first .. first+count-1.
  void add_log_density(ConstBlock theta, std::size_t first, std::size_t count, std::span<double> out) const;

 private:
  std::size_t rows_;
  Observed observed_{};
  std::vector<double> levels_{};
  std::optional<LawDraw> draw_{};
  Program arguments_{}, mean_{}, density_{};
};

}  // namespace evident::formula
