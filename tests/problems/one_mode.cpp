// One mode and nothing hard about it: what must be right and trusted.
#include "problems/families.hpp"
#include "problems/published.hpp"

namespace evident::problems {

SuiteEntries one_mode() {
  const std::string family = "one mode";
  return {fixed_entry(family, "conjugate normal n=20 d=1", [] { return conjugate_normal(20, 1); }),
          fixed_entry(family, "conjugate normal n=20 d=5", [] { return conjugate_normal(20, 5); }),
          fixed_entry(family, "equicorrelated gaussian d=10", [] { return equicorrelated_gaussian(10); }),
          fixed_entry(family, "narrow gaussian d=20", [] { return narrow_gaussian(20); }),
          fixed_entry(family, "log exponential d=5", [] { return log_exponential(5); }),
          fixed_entry(family, "eight schools, pooled", [] { return pooled_schools(); })};
}

}  // namespace evident::problems
