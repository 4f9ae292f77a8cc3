// Turku's format of regional curves.
//
//   DFT1        putam  putam  caud
//   UE1234      dx     sin    dx
//   kBq/ml      Pl6    Pl6    Pl7
//   Times (min) 12.0   13.0   12.0
//   0.000 0.250 0.12   0.10   .
//
// "Times" announces two columns of time, "Time" one. A last column called weight is passed over.
#pragma once

#include <string>
#include <string_view>

#include "imaging/pet/io/tacs.hpp"

namespace evident::imaging {

/// True when the first word of the text, after comments, begins with DFT.
bool is_dft(std::string_view text);
TacTable parse_dft(std::string_view text, const std::string& file, const TacOptions& options);

}  // namespace evident::imaging
