// A PET curve with 32 frames and two compartments, and draws of its prior: what the checks of kernels and speed use.
#pragma once

#include <vector>

#include "evident/base/random.hpp"
#include "models/pet/compartments.hpp"
#include "models/pet/simulate.hpp"

namespace evident::cli::doctor {

struct PetProblem {
  explicit PetProblem(std::size_t count)
      : study(simulate_pet({}, Streams({.seed = 1}))),
        model(zhou2013_n(2), study.input(), study.frames, study.activity),
        draws(model.parameters().size(), count) {
    model.draw_prior(Streams({.seed = 1}), 0, draws);
  }

  PetStudy study;
  PetCompartments model;
  BlockStorage draws;
};

}  // namespace evident::cli::doctor
