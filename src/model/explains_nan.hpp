// For models that can say why their log likelihood is no number. A class derived from Model may derive from this, too.
#pragma once

#include <span>
#include <string>

namespace evident {

class ExplainsNan {
 public:
  virtual ~ExplainsNan() = default;
  /// "0 / 0 in row 3 of 'dose / EC50' (study.toml:12:18)", say; nothing when it cannot tell. Slow.
  virtual std::string why_nan(std::span<const double> theta) const = 0;
};

}  // namespace evident
