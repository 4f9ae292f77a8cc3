// A program: what the nodes of a graph become when they are to be evaluated for many particles.
//
// Values per particle live in scalar slots, kWidth numbers each. Values per particle and row live in tile slots:
// `tile_rows` rows of kWidth numbers. A stage does its per-particle steps, then sweeps over the rows of tables; the
// sums of its sweeps are scalars of the next stage. Within a sweep all steps run on one tile before the next tile is
// begun, so that rows x particles never exist as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "evident/base/context.hpp"
#include "formula/graph.hpp"
#include "formula/operations.hpp"

namespace evident::formula {

inline constexpr std::size_t kWidth = kBlockSize;

/// The operations of the graph, and some that do the work of several.
enum class Code : std::uint8_t {
  EVIDENT_FORMULA_ARITHMETIC(EVIDENT_FORMULA_ENTRY)
  // and those of programs alone
  copy,
  mul_add,      ///< a b + c
  mul_sub,      ///< a b - c
  neg_mul_add,  ///< c - a b
  quadratic,    ///< a (b - c)^2 + d
  products,     ///< a b + c d
  exp_mul,      ///< exp(a b)
  linear,       ///< a1 b1 + a2 b2 + ... + c, where the a are scalars and the b data
};
Code code_of(Op op);

enum class Fold : std::uint8_t {
  sum,             ///< a
  sum_product,     ///< a b
  sum_square,      ///< a^2
  sum_difference,  ///< (a - b)^2
  sum_log,         ///< log a
  sum_log1p_exp,   ///< log(1 + exp a)
  sum_log_sum_exp,
  min,
  max,
  group,  ///< a, by group
  store,  ///< a itself, row by row
};

struct Operand {
  enum Kind : std::uint8_t { constant, scalar, tile, data, gather, curve } kind = constant;
  std::uint32_t place = 0;  ///< constant, slot, column or curve
  std::uint32_t index = 0;  ///< index column of a gather or a curve
};

struct Instruction {
  Code code{};
  std::uint32_t out = 0;
  std::uint32_t first = 0, count = 0;  ///< in Program::operands
};

struct Reduction {
  Fold fold{};
  std::uint32_t out = 0;    ///< scalar slot, the first of `groups`
  std::uint32_t state = 0;  ///< first of three scalar slots that hold what is summed up so far
  std::uint32_t groups = 1, index = 0;
  std::uint32_t first = 0, count = 0;
};

struct Sweep {
  std::size_t rows = 0, tile_rows = 1;
  std::uint32_t tile_slots = 0;
  bool stores = false;  ///< its rows are results, and only those asked for are swept over
  std::vector<Instruction> steps{};
  std::vector<Reduction> reductions{};
};

struct Stage {
  std::vector<Instruction> steps{};
  std::vector<Sweep> sweeps{};
};

struct OdeProgram;
struct OdeBackward;

struct Program {
  std::uint32_t parameters = 0;       ///< they are the first scalar slots
  std::vector<std::uint32_t> used{};  ///< those that it needs
  std::uint32_t scalar_slots = 0;
  std::size_t tile_numbers = 0;  ///< of the largest sweep
  std::vector<double> constants{};
  std::vector<std::shared_ptr<const std::vector<double>>> columns{};
  std::vector<std::shared_ptr<const std::vector<std::uint32_t>>> indices{};
  std::vector<Operand> operands{};
  std::vector<Stage> stages{};
  std::shared_ptr<const OdeProgram> ode{};        ///< solved after the steps of a stage, before its sweeps
  std::uint32_t ode_stage = 0, solved = 0;        ///< and the slot that tells where there is a solution
  std::shared_ptr<const OdeBackward> backward{};  ///< slopes of the solution, after the steps of a later stage
  std::uint32_t backward_stage = 0;
  std::vector<Operand> outputs{};  ///< scalars or constants, in the order asked for
  std::size_t row_outputs = 0;     ///< of compile_rows
};

/// The program that gives these nodes, all of them of dimension 0.
Program compile(const Graph& graph, std::span<const NodeId> outputs, std::uint32_t parameters);
/// The program that gives these nodes row by row; they have that dimension, or 0.
Program compile_rows(const Graph& graph, std::span<const NodeId> outputs, std::uint32_t dimension,
                     std::uint32_t parameters);

}  // namespace evident::formula
