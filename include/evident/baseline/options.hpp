// Options of the methods that the samplers are compared with. All have defaults.
//
//   options.method = Method::population_mcmc;
//   options.population_mcmc = {.chains = 20, .iterations = 10'000};
#pragma once

#include <cstddef>

#include "evident/kernel/options.hpp"
#include "evident/schedule/schedule.hpp"

namespace evident {

enum class ChainUpdate {
  parallel,  ///< every chain moves in each iteration
  serial,    ///< one chain, picked at random, moves in each iteration
};

enum class ExchangeScheme {
  even_odd,  ///< all neighbours: pairs that start at an even rung in one iteration, at an odd rung in the next
  one,       ///< one pair, picked at random, in each iteration
};

/// Population MCMC: chains at fixed tempering parameters that exchange their states.
struct PopulationMcmcOptions {
  std::size_t chains = 30;            ///< rungs of the ladder, alpha = 0 and 1 included
  Schedule ladder = PowerSchedule{};  ///< its shape; the number of steps is chains - 1
  bool adaptive_ladder = false;       ///< spread the rungs during the burn-in so that all exchanges are accepted alike
  ChainUpdate update = ChainUpdate::parallel;
  ExchangeScheme exchange = ExchangeScheme::even_odd;
  std::size_t burn_in = 2000;
  std::size_t iterations = 5000;  ///< kept after the burn-in
  std::size_t ladders = 1;        ///< independent ladders side by side; their spread gives an error
  KernelOptions kernel = {};
};

/// Reversible-jump MCMC.
struct RjmcmcOptions {
  std::size_t chains = 8;
  std::size_t burn_in = 2000;
  std::size_t iterations = 5000;  ///< kept, of each chain
  std::size_t thin = 1;
  KernelOptions kernel = {};
};

/// Chains on the posterior of one model, for the harmonic mean and its relatives.
struct PosteriorChainOptions {
  std::size_t chains = 64;
  std::size_t burn_in = 500;
  std::size_t iterations = 500;  ///< kept, of each chain
  KernelOptions kernel = {};
};

}  // namespace evident
