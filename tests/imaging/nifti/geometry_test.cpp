#include "imaging/nifti/geometry.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "evident/base/error.hpp"

namespace evident::imaging {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void expect_near(const Affine& a, const Affine& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(a[i][j], b[i][j], 1e-12) << i << ", " << j;
  }
}

TEST(Geometry, FormsInTheirOrder) {
  Geometry g;
  g.pixdim = {1, 2, 3, 4};
  EXPECT_THAT(set_affine(g, "x"), IsEmpty());
  expect_near(g.affine, {{{2, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, 4, 0}}});
  g.qform_code = 1;
  g.qoffset = {10, 20, 30};
  EXPECT_THAT(set_affine(g, "x"), IsEmpty());
  expect_near(g.affine, {{{2, 0, 0, 10}, {0, 3, 0, 20}, {0, 0, 4, 30}}});
  g.sform_code = 1;
  g.srow = {{{2, 0, 0, 10}, {0, 3, 0, 20}, {0, 0, 4, 30.5}}};
  EXPECT_THAT(set_affine(g, "x"), ElementsAre(HasSubstr("disagree by up to 0.5 mm")));
  expect_near(g.affine, g.srow);
}

TEST(Geometry, QuaternionsThatAreKnown) {
  Geometry g;
  g.qform_code = 1;
  g.pixdim = {1, 2, 3, 4};
  const double h = std::sqrt(0.5);
  g.quatern = {0, 0, h};  // a quarter turn about z
  expect_near(*qform_affine(g), {{{0, -3, 0, 0}, {2, 0, 0, 0}, {0, 0, 4, 0}}});
  g.quatern = {h, 0, 0};  // about x
  expect_near(*qform_affine(g), {{{2, 0, 0, 0}, {0, 0, -4, 0}, {0, 3, 0, 0}}});
  g.quatern = {0, 1.0000001, 0};  // half a turn about y, a little too long
  expect_near(*qform_affine(g), {{{-2, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, -4, 0}}});
  g.pixdim[0] = -1;
  expect_near(*qform_affine(g), {{{-2, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, 4, 0}}});
}

TEST(Geometry, NotFiniteOrFlat) {
  Geometry g;
  g.sform_code = 1;
  g.srow = {{{1, 0, 0, 0}, {0, 1, 0, NAN}, {0, 0, 1, 0}}};
  EXPECT_THROW(set_affine(g, "x"), InputError);
  g.srow = {};
  EXPECT_THAT(set_affine(g, "x"), ElementsAre(HasSubstr("on a plane")));
  g.sform_code = 0;
  g.qform_code = 1;
  g.quatern = {NAN, 0, 0};
  EXPECT_THROW(set_affine(g, "x"), InputError);
  g.sform_code = 1;  // the qform is not needed, but it is told that it is not the same
  g.srow = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  EXPECT_THAT(set_affine(g, "x"), ElementsAre(HasSubstr("disagree")));
}

TEST(Geometry, ShiftAtTheCorners) {
  Geometry a, b;
  a.shape = b.shape = {10, 20, 30};
  EXPECT_EQ(max_corner_shift_mm(a, b), 0);
  b.affine[0][3] = 3;
  b.affine[1][3] = 4;
  EXPECT_DOUBLE_EQ(max_corner_shift_mm(a, b), 5);
  b = a;
  b.affine[2][2] = 1.01;  // voxels that are larger by 1 %: most at the far end, 29.5 voxels away
  EXPECT_NEAR(max_corner_shift_mm(a, b), 0.295, 1e-12);
  b = a;
  b.unit = SpaceUnit::micrometre;
  for (auto& row : b.affine) {
    for (double& x : row) x *= 1000;
  }
  EXPECT_NEAR(max_corner_shift_mm(a, b), 0, 1e-12);
  b.affine[1][1] = NAN;
  EXPECT_TRUE(std::isnan(max_corner_shift_mm(a, b)));
}

}  // namespace
}  // namespace evident::imaging
