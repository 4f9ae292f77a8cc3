// Draws on top of a stream of uniforms and normals. All are exact up to rounding, for small and for large arguments.
#pragma once

#include "evident/base/random.hpp"

namespace evident::dist {

/// Keeps a positive draw positive and finite, so that its logarithm is finite.
double clamp_positive(double x);
/// Keeps a real draw finite.
double clamp_finite(double x);
/// Keeps a draw strictly between zero and one.
double clamp_unit(double x);

/// Logarithm of a gamma draw with rate one. Finite for any shape, even when the draw itself would underflow.
double draw_log_gamma(Stream& stream, double shape);
double draw_gamma(Stream& stream, double shape, double scale);
double draw_beta(Stream& stream, double a, double b);
/// Standard Student t.
double draw_student_t(Stream& stream, double df);
/// Draw of z - near, where z is a standard normal restricted to [near, near + width], near >= 0.
double draw_normal_tail_excess(Stream& stream, double near, double width);
/// Standard normal restricted to [a, b], a <= 0 <= b.
double draw_central_normal(Stream& stream, double a, double b);

double draw_poisson(Stream& stream, double mean);
double draw_binomial(Stream& stream, double n, double p);

}  // namespace evident::dist
