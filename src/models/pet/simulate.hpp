// A made-up PET study: a plasma input of Feng's form, the frames of the published simulation, and noisy curves.
//
//   const PetStudy study = simulate_pet({.phi = {4e-3, 2e-3}, .theta = {5e-4, 1e-2}}, Streams({.seed = 1}));
//   const PetCompartments model(zhou2013_n(2), study.input(), study.frames, study.activity);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evident/base/random.hpp"
#include "models/pet/convolution_table.hpp"
#include "models/pet/input.hpp"
#include "models/pet/options.hpp"

namespace evident {

/// Mid-times of 1 x 55, 3 x 10, 7 x 30, 12 x 120, 6 x 300 and 3 x 600 s, dt their differences.
PetFrames published_frames();

/// Feng, Huang and Wang (1993), model 2: three exponentials with a repeated root, 0 at time 0. Time in seconds.
double feng_activity(double seconds);

/// Times at which blood is drawn: densely around the peak, then ever more sparsely, to 95 minutes.
std::vector<double> blood_sample_times();

struct PetSimulation {
  std::vector<double> phi = {4e-3, 2e-3};    ///< in 1/s
  std::vector<double> theta = {5e-4, 1e-2};  ///< in 1/s, one per phi
  double lambda = 0.1;                       ///< variance C / (lambda dt)
  PetNoise noise = PetNoise::normal;
  double inverse_nu = 0.2;  ///< for Student t noise
  PetFrames frames = published_frames();
  double blood_volume = 0;  ///< V_B; whole blood has 0.8 times the activity of plasma
};

struct PetStudy {
  std::vector<double> blood_time, blood_activity;  ///< of plasma
  PetFrames frames;
  PetBlood blood = {};
  std::vector<double> truth;     ///< the activity without noise
  std::vector<double> activity;  ///< with it

  PetInput input() const { return PetInput(blood_time, blood_activity); }
};

/// Curves of different `number` have independent noise. Throws InputError when the parameters make no curve.
PetStudy simulate_pet(const PetSimulation& simulation, const Streams& streams, std::uint32_t number = 0);

}  // namespace evident
