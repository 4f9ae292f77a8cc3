#include "imaging/nifti/mask.hpp"

#include <cmath>

#include "evident/base/error.hpp"
#include "imaging/image_bytes.hpp"
#include "imaging/nifti/nifti.hpp"
#include "support/temporary_folder.hpp"

namespace evident::imaging {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Masks : public testing::Test {
 protected:
  Masks() { image_.shape = {3, 2, 1}; }
  template <class Read>
  std::string refusal(const std::string& path, Read read) {
    const std::string text = message_of<InputError>([&] { read(path, image_); });
    EXPECT_THAT(text, HasSubstr(path));
    return text;
  }
  std::string write(const RawImage& image) { return folder_.write("mask.nii", image.bytes()); }
  std::string write(std::initializer_list<float> values) {
    RawImage image({3, 2, 1});
    image.set_values<float>(16, values);
    return write(image);
  }

  TemporaryFolder folder_;
  Geometry image_;
};

TEST_F(Masks, InsideAndOutside) {
  const Mask mask = read_mask(write({0, 1, 0, 1, 1, 0}), image_);
  EXPECT_THAT(mask.indices, ElementsAre(1, 3, 4));
  EXPECT_THAT(mask.warnings, IsEmpty());
}

TEST_F(Masks, NeitherZeroNorOne) {
  const Mask mask = read_mask(write({0, 0.5f, 0.51f, 7, -3, NAN}), image_);
  EXPECT_THAT(mask.indices, ElementsAre(2, 3));
  EXPECT_THAT(mask.warnings,
              ElementsAre(HasSubstr("4 voxels of the mask are neither"), HasSubstr("1 voxels of the mask are NaN")));
}

TEST_F(Masks, Empty) {
  EXPECT_THAT(refusal(write({0, 0, 0, 0.5f, 0, NAN}), read_mask), HasSubstr("empty"));
  EXPECT_THAT(refusal(write({0, 0, 0, 0, 0, NAN}), read_labels), HasSubstr("empty"));
}

TEST_F(Masks, MustLieOnTheImage) {
  const std::string other = write(RawImage({2, 3, 1}));
  EXPECT_THAT(refusal(other, read_mask), AllOf(HasSubstr("2 x 3 x 1"), HasSubstr("3 x 2 x 1")));
  EXPECT_THAT(refusal(other, read_labels), AllOf(HasSubstr("2 x 3 x 1"), HasSubstr("3 x 2 x 1")));
  const std::string series = write(RawImage({3, 2, 1, 4}));
  EXPECT_THAT(refusal(series, read_mask), HasSubstr("this has 4"));

  const std::string path = write({0, 1, 0, 1, 1, 0});
  image_.affine[2][3] = 0.0009;
  EXPECT_THAT(read_mask(path, image_).indices, ElementsAre(1, 3, 4));
  image_.affine[2][3] = 1.25;
  EXPECT_THAT(refusal(path, read_mask), HasSubstr("up to 1.25 mm away"));
  EXPECT_THAT(refusal(path, read_labels), HasSubstr("up to 1.25 mm away"));
  image_.affine[2][3] = NAN;
  EXPECT_THAT(refusal(path, read_mask), HasSubstr("mm away"));
}

TEST_F(Masks, Damaged) {
  std::string bytes = contents(write({0, 1, 0, 1, 1, 0}));
  bytes.pop_back();
  EXPECT_THAT(refusal(folder_.write("mask.nii", bytes), read_mask), HasSubstr("the file has 375"));
}

TEST_F(Masks, Labels) {
  const Labels labels = read_labels(write({0, 17, 3, 17, -2, NAN}), image_);
  EXPECT_THAT(labels.values, ElementsAre(0, 17, 3, 17, -2, 0));
  EXPECT_THAT(labels.present, ElementsAre(-2, 3, 17));
  EXPECT_THAT(labels.indices_of(17), ElementsAre(1, 3));
  EXPECT_THAT(labels.indices_of(5), IsEmpty());
  EXPECT_THAT(labels.warnings, ElementsAre(HasSubstr("1 voxels of the atlas are NaN")));
}

TEST_F(Masks, LabelsAreWholeNumbers) {
  EXPECT_THAT(refusal(write({0, 1, 2, 3, 2.5f, 0}), read_labels), AllOf(HasSubstr("(1, 1, 0)"), HasSubstr("2.5")));
  EXPECT_THAT(refusal(write({0, 1, 2, 3, INFINITY, 0}), read_labels), HasSubstr("inf"));
  EXPECT_THAT(refusal(write({0, 1, 2, 3, 3e9f, 0}), read_labels), HasSubstr("whole numbers"));
}

}  // namespace
}  // namespace evident::imaging
