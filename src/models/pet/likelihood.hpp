// What the likelihood of a time-activity curve needs from the frames, for many particles at once.
//
// With C_i the activity that the model predicts at frame i, everything is written in c_i = dt_i C_i / unit and
// b_i = dt_i y_i / unit, because then dt_i (y_i - C_i)^2 / C_i = unit (b_i - c_i)^2 / c_i. The unit brings b to 1.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evident/base/block.hpp"
#include "models/pet/convolution_table.hpp"

namespace evident::pet {

/// One curve in the form that the kernels read. Rows are padded with 1, which adds nothing to the results.
struct Curve {
  const ConvolutionTable* table;
  AlignedVector<double> activity;  ///< b
  AlignedVector<double> floor;     ///< least c
  AlignedVector<double> blood;     ///< what blood adds to c; padded with 0
  double most_blood = 0;           ///< largest |blood|
  double unit = 1;
  std::size_t frames = 0;
};

Curve make_curve(const ConvolutionTable& table, std::span<const double> activity, double activity_floor);

/// Of each particle: sum (b-c)^2 / c and sum log c. NaN in `sum` marks a particle that needs the careful way: a rate
/// outside the table, or predictions so small or large that their product leaves the range of a double.
/// True when no particle does. Outputs are rows as in base/block.hpp.
bool normal_terms(const Curve& curve, ConstBlock phi, ConstBlock theta, double* sum, double* log_product);

/// Of each particle: sum log(1 + k (b-c)^2 / c) with k its own `ratio`, and sum log c; NaN as above.
bool student_terms(const Curve& curve, ConstBlock phi, ConstBlock theta, const double* ratio, double* sum,
                   double* log_product);

/// The same table rows read and summed, nothing else: the memory and multiply-add floor of the two functions above.
void table_traffic(const Curve& curve, ConstBlock phi, ConstBlock theta, double* sum);

/// c of every frame, one particle, any rate.
std::vector<double> predictions(const Curve& curve, std::span<const double> phi, std::span<const double> theta);

/// One particle the careful way: any rate, one logarithm per frame. An activity of 0 (or not finite) has no density:
/// then `sum` is infinite.
struct Terms {
  double sum, log_product;
};
Terms careful_normal_terms(const Curve& curve, std::span<const double> phi, std::span<const double> theta);
/// Here `sum` is nu sum log(1 + w lambda unit (b-c)^2 / c) with w = 1/nu, which may be 0.
Terms careful_student_terms(const Curve& curve, std::span<const double> phi, std::span<const double> theta,
                            double lambda, double w);

/// Log density of the activities of some frames, one particle: normal noise for w = 0, Student t with 1/w degrees of
/// freedom otherwise.
double frames_log_density(const Curve& curve, std::span<const double> phi, std::span<const double> theta, double lambda,
                          double w, std::size_t first, std::size_t count);

}  // namespace evident::pet
