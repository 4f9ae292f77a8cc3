// Products with a lower triangular matrix and solutions of its equations, for many particles at once. Rows of particles
// are padded and aligned as in vector_math.hpp.
#pragma once

#include <cstddef>

namespace evident::vector_math {

/// out_r = from_r + factor_i * sum_{c <= r} lower[r * rows + c] * noise_c for every particle i; a null factor means 1.
void add_triangular(const double* const* from, const double* lower, const double* const* noise, const double* factor,
                    std::size_t rows, std::size_t n, double* const* out);
/// out_c = sum_{r >= c} lower[r * rows + c] * x_r: the transposed product.
void multiply_transposed(const double* lower, const double* const* x, std::size_t rows, std::size_t n,
                         double* const* out);
/// x becomes the solution y of x_r = sum_{c <= r} lower[r * rows + c] * y_c.
void solve_triangular(const double* lower, std::size_t rows, std::size_t n, double* const* x);

}  // namespace evident::vector_math
