// The families of the suite, one file each or a few; suite.cpp puts them together. Each has problems of set 1, whose
// parameters were chosen, and of set 2, whose parameters are drawn:
//
//   SuiteEntries more_ridges(ParameterDraws& draws) {
//     const std::size_t d = draws.whole(2, 12);
//     const double rho = 1 - draws.by_factor(1e-5, 1e-2);
//     const std::string name = "ridge d=" + std::to_string(d) + " rho=" + shown(rho);
//     return {drawn_entry(draws.family(), name, [=](std::uint64_t i) { return straight_ridge(name, d, rho, i); })};
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "problems/suite.hpp"

namespace evident::problems {

using SuiteEntries = std::vector<SuiteEntry>;

/// The parameters of a family's problems of set 2, the same ones each time. Numbers have two digits, so that a name can
/// tell them. Draw one in a statement: compilers differ in which argument of a call they evaluate first.
class ParameterDraws {
 public:
  explicit ParameterDraws(std::string family);

  const std::string& family() const { return family_; }
  /// Both ends included. None of `taken`, which set 1 has.
  std::size_t whole(std::size_t lowest, std::size_t highest, std::initializer_list<std::size_t> taken = {});
  double between(double low, double high);
  /// Its logarithm is uniform.
  double by_factor(double low, double high);

 private:
  std::string family_;
  Stream stream_;
};

/// A parameter in a name.
std::string shown(double value);

SuiteEntries one_mode();
SuiteEntries ridges();
SuiteEntries unequal_mode_entries();
SuiteEntries many_mode_entries();
SuiteEntries mode_product_entries();
SuiteEntries heavy_tails();
SuiteEntries funnels();
SuiteEntries hierarchies();
SuiteEntries normal_mixtures();
SuiteEntries plateaus();
SuiteEntries discontinuities();
SuiteEntries spikes();
SuiteEntries impossible_regions();
SuiteEntries many_rows();
SuiteEntries many_coordinates();
SuiteEntries waves();
SuiteEntries counts();
SuiteEntries doses();

SuiteEntries more_one_mode(ParameterDraws& draws);
SuiteEntries more_ridges(ParameterDraws& draws);
SuiteEntries more_unequal_modes(ParameterDraws& draws);
SuiteEntries more_many_modes(ParameterDraws& draws);
SuiteEntries more_mode_products(ParameterDraws& draws);
SuiteEntries more_heavy_tails(ParameterDraws& draws);
SuiteEntries more_funnels(ParameterDraws& draws);
SuiteEntries more_hierarchies(ParameterDraws& draws);
SuiteEntries more_normal_mixtures(ParameterDraws& draws);
SuiteEntries more_plateaus(ParameterDraws& draws);
SuiteEntries more_discontinuities(ParameterDraws& draws);
SuiteEntries more_spikes(ParameterDraws& draws);
SuiteEntries more_impossible_regions(ParameterDraws& draws);
SuiteEntries more_many_rows(ParameterDraws& draws);
SuiteEntries more_many_coordinates(ParameterDraws& draws);
SuiteEntries more_waves(ParameterDraws& draws);
SuiteEntries more_counts(ParameterDraws& draws);
SuiteEntries more_doses(ParameterDraws& draws);

/// Random numbers of one instance of a problem: those of no other problem.
Stream numbers_of(std::string_view name, std::uint64_t instance);

/// An entry whose problem is the same for every instance, or is drawn for each. The problem gets the entry's name.
SuiteEntry fixed_entry(std::string family, std::string name, std::function<Problem()> make);
SuiteEntry drawn_entry(std::string family, std::string name, std::function<Problem(std::uint64_t)> make);

}  // namespace evident::problems
