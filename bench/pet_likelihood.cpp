// Speed and accuracy of the PET likelihood: 32 frames, one thread, prior draws.
//
//   bench_pet_likelihood [folder]      folder: that with pet/plasma-input.csv; default that of EVIDENT_DATA, else
//   simulated
//
// The floor is measured here, too: the same rates, the same table rows, read and multiplied but nothing else done
// with them.
#include <time.h>

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "models/pet/compartments.hpp"
#include "models/pet/likelihood.hpp"
#include "models/pet/reference.hpp"
#include "models/pet/simulate.hpp"
#include "problems_with_data.hpp"

using namespace evident;

namespace {

struct Data {
  std::string source;
  std::vector<double> blood_time, blood_activity, activity;
  PetFrames frames;
};

std::vector<std::vector<double>> read_columns(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line, cell;
  std::vector<std::vector<double>> columns;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::stringstream cells(line);
    for (std::size_t j = 0; std::getline(cells, cell, ','); ++j) {
      if (columns.size() <= j) columns.emplace_back();
      columns[j].push_back(std::stod(cell));
    }
  }
  return columns;
}

Data load(const std::filesystem::path& folder) {
  if (std::filesystem::exists(folder / "pet" / "plasma-input.csv")) {
    const auto blood = read_columns(folder / "pet" / "plasma-input.csv");
    const auto curve = read_columns(folder / "pet" / "time-activity.csv");
    return {folder.string(), blood.at(0), blood.at(1), curve.at(2), {curve.at(0), curve.at(1)}};
  }
  // The same size as a continuously sampled input: one sample a second.
  const PetStudy study = simulate_pet({}, Streams({.seed = 1}));
  Data data{"simulated", {}, {}, study.activity, study.frames};
  for (double t = 0.5; t < 5436; t += 1.0165) {
    data.blood_time.push_back(t);
    data.blood_activity.push_back(feng_activity(t));
  }
  return data;
}

double seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Least time of one call of f, in ns per particle, over many windows of about `window` seconds.
template <class F>
double nanoseconds(std::size_t particles, double window, F f) {
  double once = -seconds();
  f();
  once += seconds();
  const int repeats = std::max(1, static_cast<int>(window / std::max(once, 1e-9)));
  double best = 1e300;
  for (int w = 0; w < 40; ++w) {
    const double start = seconds();
    for (int r = 0; r < repeats; ++r) f();
    best = std::min(best, (seconds() - start) / repeats);
  }
  return 1e9 * best / static_cast<double>(particles);
}

/// Largest error of the table against adaptive quadrature of the interpolated input: relative to K, and relative to
/// the same integral of |CP| (they differ where an input with noise around 0 makes K vanish).
void table_error(const ConvolutionTable& table) {
  std::vector<double> k(table.size());
  double worst = 0, worst_size = 0;
  constexpr int rates = 60;
  for (int j = 0; j <= rates; ++j) {
    const double theta =
        std::clamp(table.theta_min() * std::pow(table.theta_max() / table.theta_min(), static_cast<double>(j) / rates),
                   table.theta_min(), table.theta_max());
    table.evaluate(theta, k);
    for (std::size_t i = 0; i < table.size(); ++i) {
      const double t = table.frames().time[i];
      double value = 0, size = 0;
      for (const auto& p : table.input().pieces()) {
        if (p.start >= t) break;
        const double piece = boost::math::quadrature::gauss_kronrod<double, 15>::integrate(
            [&](double v) {
              return (p.c[0] + v * (p.c[1] + v * (p.c[2] + v * p.c[3]))) * std::exp(-theta * (t - p.start - v));
            },
            0.0, std::min(p.length, t - p.start), 5, 1e-12);
        value += piece;
        size += std::abs(piece);
      }
      worst = std::max(worst, std::abs(k[i] - value) / std::abs(value));
      worst_size = std::max(worst_size, std::abs(k[i] - value) / size);
    }
  }
  std::printf(
      "table error against quadrature, %d rates from %g to %g, all frames: %.2e of the integral of |CP|, %.2e of K\n",
      rates + 1, table.theta_min(), table.theta_max(), worst_size, worst);
}

/// The same on a dense grid of rates, against the exact convolution. K alone is no fair measure near its zeros, which
/// noise around 0 before the bolus can make; so the frame and rate of its worst case are named.
void dense_error(const ConvolutionTable& table, const Data& data) {
  std::vector<double> magnitude;
  for (const double v : data.blood_activity) magnitude.push_back(std::abs(v));
  const PetInput absolute(data.blood_time, magnitude, PetInterpolation::linear);
  std::vector<double> k(table.size()), exact(table.size()), size(table.size());
  double worst = 0, worst_size = 0, worst_theta = 0, worst_share = 0;
  std::size_t worst_frame = 0;
  constexpr int rates = 8000;
  for (int j = 0; j <= rates; ++j) {
    const double theta =
        std::clamp(table.theta_min() * std::pow(table.theta_max() / table.theta_min(), static_cast<double>(j) / rates),
                   table.theta_min(), table.theta_max());
    table.evaluate(theta, k);
    table.exact(theta, exact);
    absolute.convolve(theta, table.frames().time, size, {});
    for (std::size_t i = 0; i < table.size(); ++i) {
      const double error = std::abs(k[i] - exact[i]), relative = error / std::abs(exact[i]);
      worst_size = std::max(worst_size, error / size[i]);
      if (relative <= worst) continue;
      worst = relative, worst_theta = theta, worst_frame = i + 1, worst_share = std::abs(exact[i]) / size[i];
    }
  }
  std::printf(
      "table error against the exact convolution, %d rates: %.2e of the integral of |CP|; %.2e of K (frame %zu, "
      "theta %.4g, where K is %.1e of the integral of |CP|)\n",
      rates + 1, worst_size, worst, worst_frame, worst_theta, worst_share);
}

void measure(const Data& data, const PetInput& input, PetOptions options, const char* name) {
  const PetCompartments model(options, input, data.frames, data.activity);
  constexpr std::size_t particles = 1024;
  const std::size_t m = options.compartments;
  BlockStorage theta(model.parameters().size(), particles);
  model.draw_prior(Streams({.seed = 1}), 0, theta);
  AlignedVector<double> out(particles), sink(particles);
  const auto curve = pet::make_curve(*model.table(), data.activity, 0);

  const double kernel = nanoseconds(particles, 5e-3, [&] {
    model.log_likelihood(theta.block(), {out.data(), particles});
  });
  const double floor = nanoseconds(particles, 5e-3, [&] {
    pet::table_traffic(curve, theta.block().some_rows(0, m), theta.block().some_rows(m, m), sink.data());
  });
  std::vector<double> one(theta.rows());
  const auto scalar = [&](auto evaluate, std::size_t count) {
    return nanoseconds(count, 5e-3, [&] {
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < one.size(); ++j) one[j] = theta(j, i);
        sink[i] = evaluate(one);
      }
    });
  };
  const double twin = scalar(
      [&](const auto& p) { return pet_log_likelihood_table(options, *model.table(), data.activity, p); }, particles);
  double worst = 0;
  for (std::size_t i = 0; i < particles; ++i) {
    for (std::size_t j = 0; j < one.size(); ++j) one[j] = theta(j, i);
    const double exact = pet_log_likelihood_exact(options, input, data.frames, data.activity, one);
    worst = std::max(worst, std::abs(out[i] - exact) / std::abs(exact));
  }
  const double direct =
      scalar([&](const auto& p) { return pet_log_likelihood_exact(options, input, data.frames, data.activity, p); }, 4);
  std::printf(
      "%-9s m=%zu  %6.1f ns  floor %5.1f ns  ratio %.2f  scalar twin %6.0f ns (%.1fx)  exact twin %.0f ns (%.0fx)  "
      "error %.1e\n",
      name, m, kernel, floor, kernel / floor, twin, twin / kernel, direct, direct / kernel, worst);
}

}  // namespace

int main(int argc, char** argv) {
  const Data data = load(argc > 1 ? argv[1] : bench::data_folder());
  const PetInput input(data.blood_time, data.blood_activity);
  std::printf("input: %s, %zu samples, %zu frames\n", data.source.c_str(), data.blood_time.size(),
              data.frames.time.size());
  const double start = seconds();
  const ConvolutionTable table(input, data.frames, 1e-5, 0.1);
  std::printf("table: %zu nodes, %zu KB, built in %.3f s\n", table.node_count(),
              table.node_count() * table.width() * 2 * sizeof(double) / 1024, seconds() - start);
  table_error(table);
  dense_error(table, data);
  std::printf(
      "per likelihood, 1024 prior draws; floor: the same table rows read, multiplied and added; error: largest "
      "relative error of the log likelihood against the exact twin\n");
  for (std::size_t m = 1; m <= 4; ++m) measure(data, input, zhou2013_n(m), "normal");
  PetOptions marginal = zhou2013_n(2), student = zhou2013_n(2);
  marginal.marginal_precision = true;
  student.noise = PetNoise::student;
  measure(data, input, marginal, "marginal");
  measure(data, input, student, "student");
  return 0;
}
