#include "compare/method.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "evident/base/error.hpp"

namespace evident {
namespace {

std::string marks(Method method) {
  std::string out;
  for (const StrengthRow& row : strengths()) {
    const Strength has = row.of(info(method));
    out += has == Strength::yes ? '+' : has == Strength::partly ? '/' : '.';
  }
  return out;
}

TEST(Methods, AllTenAreThereAndNamedOnce) {
  std::set<std::string_view> names;
  std::set<Method> seen;
  for (const MethodInfo& m : methods()) {
    EXPECT_TRUE(names.insert(m.name).second) << m.name;
    EXPECT_TRUE(seen.insert(m.method).second) << m.name;
    EXPECT_FALSE(m.title.empty());
    EXPECT_FALSE(m.summary.empty());
    EXPECT_EQ(find_method(m.name), m.method);
    EXPECT_EQ(info(m.method).name, m.name);
  }
  EXPECT_EQ(methods().size(), 10U);
}

TEST(Methods, StrengthsAreThoseOfThePaper) {
  // Columns of its table, from "countable" down to "ergodicity".
  EXPECT_EQ(marks(Method::harmonic_mean), "..+++..");
  EXPECT_EQ(marks(Method::rjmcmc), "++.....");
  EXPECT_EQ(marks(Method::population_mcmc), "..+++/.");
  EXPECT_EQ(marks(Method::all_in_one), "++.+.++");
  EXPECT_EQ(marks(Method::direct), "..+++++");
  EXPECT_EQ(marks(Method::relative), ".+++.++");
}

TEST(Methods, AMistypedNameGetsAHint) {
  try {
    find_method("al-in-one");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "no method is called 'al-in-one'; did you mean 'all-in-one'?");
  }
  try {
    find_method("quantum");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("known are direct, all-in-one"));
  }
}

}  // namespace
}  // namespace evident
