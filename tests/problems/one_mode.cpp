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

SuiteEntries more_one_mode(ParameterDraws& draws) {
  const std::size_t n = draws.whole(5, 100), d = draws.whole(2, 8);
  const std::size_t equal = draws.whole(3, 30, {10}), skew = draws.whole(2, 8, {5}), narrow = draws.whole(5, 30, {20});
  return {
      fixed_entry(draws.family(), "conjugate normal n=" + std::to_string(n) + " d=" + std::to_string(d),
                  [=] { return conjugate_normal(n, d); }),
      fixed_entry(draws.family(), "equicorrelated gaussian d=" + std::to_string(equal),
                  [=] { return equicorrelated_gaussian(equal); }),
      fixed_entry(draws.family(), "log exponential d=" + std::to_string(skew), [=] { return log_exponential(skew); }),
      fixed_entry(draws.family(), "narrow gaussian d=" + std::to_string(narrow),
                  [=] { return narrow_gaussian(narrow); })};
}

}  // namespace evident::problems
