// Runs a program on a block of particles.
//
//   double* rows[] = {log_likelihood.data()};
//   run(program, theta, rows);
#pragma once

#include <span>

#include "evident/base/block.hpp"
#include "formula/program.hpp"

namespace evident::formula {

/// rows[k][i] = output k for particle i. Any number of particles; each result depends on its own particle alone.
void run(const Program& program, ConstBlock theta, std::span<double* const> rows);
/// Rows first .. first+count-1 of a program of compile_rows: row k * count + r of `out` is row first+r of output k.
void run_rows(const Program& program, ConstBlock theta, std::size_t first, std::size_t count, Block out);

}  // namespace evident::formula
