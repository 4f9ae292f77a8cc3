#include "imaging/nifti/nifti_writer.hpp"

#include <signal.h>
#include <sys/resource.h>

#include <cmath>
#include <filesystem>

#include "evident/base/error.hpp"
#include "imaging/image_bytes.hpp"
#include "support/size_limit.hpp"
#include "support/temporary_folder.hpp"

namespace evident::imaging {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

class Writer : public testing::Test {
 protected:
  Writer() {
    geometry_.shape = {5, 4, 3};
    geometry_.pixdim = {-1, 1.1f, 2.2f, 3.3f};
    geometry_.qform_code = 2;
    geometry_.sform_code = 4;
    geometry_.quatern = {0.1f, 0.2f, 0.3f};
    geometry_.qoffset = {-0.1f, 7, 1e-20f};
    geometry_.srow = {{{1.1f, 0.1f, 0, 3}, {0, 2.2f, 0.1f, -0.0}, {0, 0, -3.3f, 9}}};
    geometry_.unit = SpaceUnit::micrometre;
  }
  std::vector<float> ramp(std::size_t count) const {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = 0.1f * static_cast<float>(i);
    return values;
  }
  fs::path path(const char* name = "out.nii.gz") const { return folder_.path() / name; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }

  TemporaryFolder folder_;
  Geometry geometry_;
};

TEST_F(Writer, ComesBackBitForBit) {
  for (const char* name : {"out.nii", "out.nii.gz"}) {
    for (const int version : {1, 2}) {
      geometry_.nifti_version = version;
      const auto values = ramp(60 * 2);
      write_nifti(path(name), geometry_, std::span(values),
                  {.frames = 2, .frame_step = 30, .description = std::string(200, 'x')});
      NiftiReader reader(path(name));
      const Geometry& g = reader.geometry();
      EXPECT_EQ(g.nifti_version, version);
      EXPECT_EQ(g.shape, geometry_.shape);
      EXPECT_EQ(g.pixdim, geometry_.pixdim);
      EXPECT_EQ(g.quatern, geometry_.quatern);
      EXPECT_EQ(g.qoffset, geometry_.qoffset);
      EXPECT_EQ(g.srow, geometry_.srow);
      EXPECT_TRUE(std::signbit(g.srow[1][3]));
      EXPECT_EQ(g.qform_code, 2);
      EXPECT_EQ(g.sform_code, 4);
      EXPECT_EQ(g.unit, SpaceUnit::micrometre);
      EXPECT_EQ(reader.info().frame_step, 30);
      EXPECT_EQ(reader.info().time_units, 8);
      EXPECT_EQ(reader.info().description, std::string(79, 'x'));
      std::vector<float> volume(60);
      reader.read_volume(volume);
      EXPECT_TRUE(std::equal(volume.begin(), volume.end(), values.begin()));
      reader.read_volume(volume);
      EXPECT_TRUE(std::equal(volume.begin(), volume.end(), values.begin() + 60));
      reader.finish();
    }
  }
}

TEST_F(Writer, LongDimensionsTakeVersion2) {
  geometry_.shape = {40000, 1, 1};
  const auto values = ramp(40000);
  write_nifti(path(), geometry_, std::span(values));
  EXPECT_EQ(NiftiReader(path()).geometry().nifti_version, 2);
  EXPECT_EQ(NiftiReader(path()).geometry().shape[0], 40000u);
}

TEST_F(Writer, IntegersMustBeIntegersOfTheirRange) {
  geometry_.shape = {3, 1, 1};
  const auto write = [&](Datatype type, double value) {
    const std::vector<double> values{0, 1, value};
    write_nifti(path(), geometry_, std::span(values), {.type = type});
  };
  write(Datatype::uint8, 255);
  write(Datatype::int16, -32768);
  std::vector<double> back(3);
  NiftiReader(path()).read_volume(back);
  EXPECT_EQ(back[2], -32768);
  for (const double bad : {-1.0, 256.0, 0.5, std::nan(""), HUGE_VAL}) {
    EXPECT_THAT(message_of<RunError>([&] { write(Datatype::uint8, bad); }), HasSubstr("voxel 2"));
  }
  EXPECT_THROW(write(Datatype::int16, 32768), RunError);
  EXPECT_EQ(files(), 1u);
  NiftiReader(path()).read_volume(back);  // what was there before is there still
  EXPECT_EQ(back[2], -32768);
  EXPECT_THROW(write(Datatype::float64, 1), InputError);
}

TEST_F(Writer, NamesAndPlaces) {
  const auto values = ramp(60);
  for (const char* name : {"out.img", "out", ".nii", "out.gz", ".nii.gz"}) {
    EXPECT_THAT(message_of<InputError>([&] { write_nifti(path(name), geometry_, std::span(values)); }),
                HasSubstr(name));
  }
  EXPECT_THAT(message_of<InputError>([&] { write_nifti(path("no/out.nii"), geometry_, std::span(values)); }),
              HasSubstr("No such file"));
  EXPECT_THROW(write_nifti(path(), geometry_, std::span(values).first(59)), RunError);
  EXPECT_EQ(files(), 0u);
}

TEST_F(Writer, NothingIsLeftOfAnUnfinishedImage) {
  const auto values = ramp(60);
  {
    NiftiWriter writer(path(), geometry_, {.frames = 2});
    writer.write_volume(std::span(values));
    EXPECT_THROW(writer.finish(), RunError);
    EXPECT_FALSE(fs::exists(path()));
    EXPECT_EQ(files(), 1u);
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(Writer, FullDisk) {
  geometry_.shape = {64, 64, 64};
  std::vector<float> values(64 * 64 * 64);
  std::uint32_t state = 1;
  for (float& v : values) v = static_cast<float>(state = state * 1664525u + 1013904223u);  // hardly compressible
  for (const char* name : {"out.nii", "out.nii.gz"}) {
    folder_.write(name, "what was there before");
    {
      const SizeLimit limit(100000);
      const auto text = message_of<RunError>([&] { write_nifti(path(name), geometry_, std::span(values)); });
      EXPECT_THAT(text, AllOf(HasSubstr(name), HasSubstr("cannot be written")));
    }
    EXPECT_EQ(contents(path(name)), "what was there before");
    fs::remove(path(name));
    EXPECT_EQ(files(), 0u);
  }
}

}  // namespace
}  // namespace evident::imaging
