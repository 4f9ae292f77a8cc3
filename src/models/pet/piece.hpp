// One polynomial of a plasma input: its value, and the same polynomial written around another start.
#pragma once

#include "models/pet/input.hpp"

namespace evident::pet {

inline double value_at(const PetInput::Piece& p, double time) {
  const double v = time - p.start;
  return p.c[0] + v * (p.c[1] + v * (p.c[2] + v * p.c[3]));
}

/// The same polynomial, written around another start and ending where it ended.
inline PetInput::Piece restarted(const PetInput::Piece& p, double start) {
  const double v = start - p.start;
  return {start,
          p.start + p.length - start,
          {value_at(p, start), p.c[1] + v * (2 * p.c[2] + v * 3 * p.c[3]), p.c[2] + 3 * v * p.c[3], p.c[3]}};
}

}  // namespace evident::pet
