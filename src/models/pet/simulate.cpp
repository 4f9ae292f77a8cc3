#include "models/pet/simulate.hpp"

#include <cmath>
#include <string>

#include "dist/samplers.hpp"
#include "evident/base/error.hpp"

namespace evident {
namespace {

struct Run {
  int count;
  double seconds;
};

void check(const PetSimulation& s) {
  if (s.phi.empty() || s.phi.size() != s.theta.size())
    throw InputError("simulated PET study: " + std::to_string(s.phi.size()) + " phi but " +
                     std::to_string(s.theta.size()) + " theta; one of each per compartment");
  for (std::size_t d = 0; d < s.phi.size(); ++d)
    if (!std::isfinite(s.phi[d]) || !(s.theta[d] >= 0) || !std::isfinite(s.theta[d]))
      throw InputError("simulated PET study: phi must be finite and theta at least 0");
  if (!(s.lambda > 0)) throw InputError("simulated PET study: lambda must be above 0");
  if (s.noise == PetNoise::student && !(s.inverse_nu > 0))
    throw InputError("simulated PET study: inverse_nu must be above 0");
  if (!(s.blood_volume >= 0 && s.blood_volume < 1))
    throw InputError("simulated PET study: blood_volume must be from 0 to below 1");
}

/// Red cells hold less of the tracer than plasma; the simplest whole blood is a constant share of it.
void add_blood(double volume, PetStudy& study) {
  std::vector<double> whole = study.blood_activity;
  for (double& v : whole) v *= 0.8;
  study.blood = make_blood(volume, PetInput(study.blood_time, whole), study.frames);
  for (std::size_t i = 0; i < study.truth.size(); ++i)
    study.truth[i] = (1 - volume) * study.truth[i] + volume * study.blood.activity[i];
}

}  // namespace

PetFrames published_frames() {
  std::vector<double> middles;
  double start = 0;
  for (const Run& run : {Run{1, 55}, {3, 10}, {7, 30}, {12, 120}, {6, 300}, {3, 600}})
    for (int i = 0; i < run.count; ++i, start += run.seconds) middles.push_back(start + run.seconds / 2);
  return frames_from_midtimes(middles);
}

double feng_activity(double seconds) {
  const double t = seconds / 60;
  constexpr double a1 = 851.1225, a2 = 21.8798, a3 = 20.8113;
  return (a1 * t - a2 - a3) * std::exp(-4.1339 * t) + a2 * std::exp(-0.1191 * t) + a3 * std::exp(-0.0104 * t);
}

std::vector<double> blood_sample_times() {
  std::vector<double> times{0};
  for (const Run& run : {Run{60, 2}, {24, 5}, {12, 30}, {10, 60}, {15, 300}})
    for (int i = 0; i < run.count; ++i) times.push_back(times.back() + run.seconds);
  return times;
}

PetStudy simulate_pet(const PetSimulation& simulation, const Streams& streams, std::uint32_t number) {
  check(simulation);
  PetStudy study;
  study.blood_time = blood_sample_times();
  for (const double t : study.blood_time) study.blood_activity.push_back(feng_activity(t));
  study.frames = simulation.frames;
  const std::size_t n = study.frames.time.size();
  std::vector<double> k(n);
  study.truth.assign(n, 0.0);
  const PetInput input = study.input();
  for (std::size_t d = 0; d < simulation.phi.size(); ++d) {
    convolve_frames(input, study.frames, simulation.theta[d], k, {});
    for (std::size_t i = 0; i < n; ++i) study.truth[i] += simulation.phi[d] * k[i];
  }
  if (simulation.blood_volume > 0) add_blood(simulation.blood_volume, study);
  Stream stream = streams.at({.particle = number, .purpose = Purpose::simulate});
  for (std::size_t i = 0; i < n; ++i) {
    const double c = std::abs(study.truth[i]);
    const double noise = simulation.noise == PetNoise::normal ? stream.normal()
                                                              : dist::draw_student_t(stream, 1 / simulation.inverse_nu);
    study.activity.push_back(c + std::sqrt(c / (simulation.lambda * study.frames.dt[i])) * noise);
  }
  return study;
}

}  // namespace evident
