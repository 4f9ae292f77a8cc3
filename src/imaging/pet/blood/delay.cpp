#include "imaging/pet/blood/delay.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace evident::imaging {
namespace {

constexpr double kSlowest = 1e-5, kFastest = 0.1;  // 1/s
constexpr int kRates = 24;
constexpr double kRange = 60, kCoarse = 4, kFine = 0.5;  // s

/// Least squares with weights that are not negative, one coordinate after another. The problem is small and convex.
double residual_of_nonnegative_fit(const Eigen::MatrixXd& a, const Eigen::VectorXd& y) {
  const Eigen::MatrixXd gram = a.transpose() * a;
  const Eigen::VectorXd target = a.transpose() * y;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(a.cols()), slope = -target;
  constexpr int kSweeps = 2000;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double moved = 0;
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      if (!(gram(j, j) > 0)) continue;
      const double next = std::max(0.0, x[j] - slope[j] / gram(j, j)), step = next - x[j];
      if (step == 0) continue;
      x[j] = next;
      slope += step * gram.col(j);
      moved = std::max(moved, step * step * gram(j, j));
    }
    if (moved < 1e-12 * y.squaredNorm()) break;
  }
  return (a * x - y).squaredNorm();
}

double misfit(const InputFunction& input, const PetFrames& frames, std::span<const double> activity, double vb) {
  const auto n = static_cast<Eigen::Index>(activity.size());
  const double peak = *std::ranges::max_element(activity);
  Eigen::VectorXd weight(n), y(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    weight[i] = std::sqrt(frames.dt[at] / std::max(activity[at], 0.05 * peak));
    y[i] = weight[i] * activity[at];
  }
  const PetInput plasma = input.pet_input();
  if (vb > 0) {
    const PetBlood blood = make_blood(vb, input.blood_input(), frames);
    for (Eigen::Index i = 0; i < n; ++i) y[i] -= weight[i] * vb * blood.activity[static_cast<std::size_t>(i)];
  }
  Eigen::MatrixXd a(n, kRates);
  std::vector<double> k(activity.size());
  for (int r = 0; r < kRates; ++r) {
    convolve_frames(plasma, frames, kSlowest * std::pow(kFastest / kSlowest, r / (kRates - 1.0)), k, {});
    for (Eigen::Index i = 0; i < n; ++i) a(i, r) = weight[i] * k[static_cast<std::size_t>(i)];
  }
  return residual_of_nonnegative_fit(a, y);
}

}  // namespace

double find_delay(const InputFunction& input, const PetFrames& frames, std::span<const double> activity, double vb) {
  double best = 0, least = std::numeric_limits<double>::infinity();
  const auto search = [&](double centre, double range, double step) {
    for (double d = centre - range; d <= centre + range + 1e-9; d += step) {
      const double m = misfit(input.shifted(d), frames, activity, vb);
      if (m < least || (m == least && std::abs(d) < std::abs(best))) least = m, best = d;
    }
  };
  search(0, kRange, kCoarse);
  search(best, kCoarse, kFine);
  return best;
}

}  // namespace evident::imaging
