#include "imaging/nifti/nifti.hpp"

#include <cmath>
#include <limits>

#include "evident/base/error.hpp"
#include "imaging/image_bytes.hpp"
#include "support/temporary_folder.hpp"

namespace evident::imaging {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Nifti : public testing::Test {
 protected:
  std::string write(const std::string& bytes) const { return folder_.write("image.nii", bytes); }
  std::vector<float> read_all(const std::string& path) const {
    NiftiReader reader(path);
    std::vector<float> all, volume(reader.geometry().voxels());
    for (std::size_t f = 0; f < reader.frames(); ++f) {
      reader.read_volume(volume);
      all.insert(all.end(), volume.begin(), volume.end());
    }
    reader.finish();
    return all;
  }
  std::string refusal(const std::string& bytes) const {
    const std::string path = write(bytes);
    const std::string text = message_of<InputError>([&] { read_all(path); });
    EXPECT_THAT(text, HasSubstr(path));
    return text;
  }
  std::string refusal(const RawImage& image) const { return refusal(image.bytes()); }

  TemporaryFolder folder_;
};

TEST_F(Nifti, ReadsVolumeByVolume) {
  const std::string path = write(RawImage({2, 3, 1, 2}).bytes());
  NiftiReader reader(path);
  EXPECT_EQ(reader.frames(), 2u);
  EXPECT_EQ(shape_text(reader.geometry()), "2 x 3 x 1");
  EXPECT_THAT(reader.warnings(), IsEmpty());
  std::vector<double> volume(6);
  reader.read_volume(volume);
  EXPECT_THAT(volume, ElementsAre(0, 1, 2, 3, 4, 5));
  reader.read_volume(volume);
  EXPECT_THAT(volume, ElementsAre(6, 7, 8, 9, 10, 11));
  EXPECT_THROW(reader.read_volume(volume), RunError);
  reader.finish();
  NiftiReader again(path);
  std::vector<float> small(5);
  EXPECT_THROW(again.read_volume(small), RunError);
}

TEST_F(Nifti, SlopeZeroMeansNone) {
  RawImage image({3, 1, 1});
  image.put<float>(112, 0);
  image.put<float>(116, 5);
  EXPECT_THAT(read_all(write(image.bytes())), ElementsAre(0, 1, 2));
  image.put<float>(116, std::nanf(""));
  EXPECT_THAT(read_all(write(image.bytes())), ElementsAre(0, 1, 2));
  image.put<float>(112, 2);
  image.put<float>(116, 5);
  EXPECT_THAT(read_all(write(image.bytes())), ElementsAre(5, 7, 9));
  for (const float odd : {std::nanf(""), INFINITY, -INFINITY}) {
    image.put<float>(112, odd);
    image.put<float>(116, 0);
    EXPECT_THAT(refusal(image), HasSubstr("scl_slope"));
    image.put<float>(112, 1);
    image.put<float>(116, odd);
    EXPECT_THAT(refusal(image), HasSubstr("scl_inter"));
  }
}

TEST_F(Nifti, NotFiniteValuesStay) {
  RawImage image({4, 1, 1});
  image.set_values<float>(16, {NAN, INFINITY, -INFINITY, 1.5f});
  const auto values = read_all(write(image.bytes()));
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(values[1], INFINITY);
  EXPECT_EQ(values[2], -INFINITY);
  EXPECT_EQ(values[3], 1.5f);
}

TEST_F(Nifti, ShapesOfFewerAndMoreDimensions) {
  EXPECT_EQ(shape_text(NiftiReader(write(RawImage({5}).bytes())).geometry()), "5 x 1 x 1");
  EXPECT_EQ(shape_text(NiftiReader(write(RawImage({5, 2}).bytes())).geometry()), "5 x 2 x 1");
  EXPECT_EQ(NiftiReader(write(RawImage({2, 2, 2, 1, 3}).bytes())).frames(), 3u);
  EXPECT_EQ(NiftiReader(write(RawImage({2, 2, 2, 3, 1, 1, 1}).bytes())).frames(), 3u);
  EXPECT_THAT(refusal(RawImage({2, 2, 2, 2, 3})), HasSubstr("2 x 2 x 2 x 2 x 3"));
}

TEST_F(Nifti, HostileDimensions) {
  for (const int count : {-1, 0, 8, 1024}) {
    RawImage image({2, 2, 2});
    image.put<std::int16_t>(40, static_cast<std::int16_t>(count));
    EXPECT_THAT(refusal(image), HasSubstr(std::to_string(count) + " dimensions"));
  }
  RawImage negative({2, 2, 2});
  negative.put<std::int16_t>(44, -3);
  EXPECT_THAT(refusal(negative), HasSubstr("dim[2] is -3"));
  negative.put<std::int16_t>(44, 0);
  EXPECT_THAT(refusal(negative), HasSubstr("dim[2] is 0"));
  EXPECT_THAT(refusal(RawImage({32767, 32767, 32767})), AllOf(HasSubstr("promises"), HasSubstr("but the file has")));
  EXPECT_THAT(refusal(RawImage({32767, 32767, 32767, 32767, 1})), HasSubstr("absurd"));
  // A compressed file cannot hold so much, and nobody makes room for it.
  EXPECT_THAT(refusal(gzipped(RawImage({32767, 32767, 1}).bytes())), HasSubstr("at most"));
}

TEST_F(Nifti, HostileSizesOfVersion2) {
  std::string bytes(544, '\0');
  const auto put = [&](std::size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  put(0, std::int32_t{540});
  std::memcpy(bytes.data() + 4, "n+2\0\r\n\x1a\n", 8);
  put(12, std::int16_t{2});
  put(14, std::int16_t{8});
  for (std::size_t i = 0; i < 4; ++i) put(104 + 8 * i, 1.0);
  put(16, std::int64_t{3});
  for (const std::int64_t hostile : {std::int64_t{1} << 62, std::numeric_limits<std::int64_t>::max()}) {
    put(24, hostile);
    put(32, std::int64_t{4});
    put(40, std::int64_t{4});
    EXPECT_THAT(refusal(bytes), HasSubstr("absurd"));
    EXPECT_THAT(refusal(gzipped(bytes)), HasSubstr("absurd"));
  }
  put(24, std::numeric_limits<std::int64_t>::min());
  EXPECT_THAT(refusal(bytes), HasSubstr("dim[1]"));
  put(24, std::int64_t{1});
  put(32, std::int64_t{1});
  put(40, std::int64_t{1});
  EXPECT_THAT(read_all(write(bytes + "\x07")), ElementsAre(7));
  put(168, std::int64_t{-5});
  EXPECT_THAT(refusal(bytes), HasSubstr("begin at byte -5"));
  put(168, std::numeric_limits<std::int64_t>::max());
  EXPECT_THAT(refusal(bytes), HasSubstr("begin at byte"));
}

TEST_F(Nifti, WhereTheDataBegin) {
  RawImage image({2, 1, 1});
  for (const float odd : {1.0f, 351.0f, 352.5f, -352.0f, NAN, INFINITY, 1e30f}) {
    image.put<float>(108, odd);
    EXPECT_THAT(refusal(image), HasSubstr("begin at byte"));
  }
  image.put<float>(108, 0);  // not filled in
  EXPECT_THAT(read_all(write(image.bytes())), ElementsAre(0, 1));
  image.put<float>(108, 400);  // extensions between header and data
  image.set_data(std::string(48, 'x') + std::string("\3\0\4\0", 4));
  EXPECT_THAT(read_all(write(image.bytes())), ElementsAre(3, 4));
  EXPECT_THAT(read_all(write(gzipped(image.bytes()))), ElementsAre(3, 4));
}

TEST_F(Nifti, NotNifti) {
  EXPECT_THAT(refusal(std::string()), HasSubstr("too short"));
  EXPECT_THAT(refusal(std::string("\x1f", 1)), HasSubstr("too short"));
  EXPECT_THAT(refusal(std::string("PNG and so on")), HasSubstr("not a NIfTI file"));
  EXPECT_THAT(refusal(RawImage({2, 1, 1}).bytes().substr(0, 200)), AllOf(HasSubstr("348"), HasSubstr("200")));
  RawImage analyze({2, 1, 1});
  analyze.put<std::int32_t>(344, 0);
  EXPECT_THAT(refusal(analyze), HasSubstr("ANALYZE"));
  analyze.put<std::int32_t>(344, 0x0031696e);
  EXPECT_THAT(refusal(analyze), HasSubstr(".img"));
  EXPECT_THROW(NiftiReader(folder_.path() / "none.nii"), InputError);
  EXPECT_THROW(NiftiReader(folder_.path()), InputError);
}

TEST_F(Nifti, OddBitsAreToldOf) {
  RawImage image({2, 1, 1});
  image.put<std::int16_t>(72, 8);
  EXPECT_THAT(NiftiReader(write(image.bytes())).warnings(), ElementsAre(HasSubstr("bitpix 8")));
}

TEST_F(Nifti, TooLittleAndTooMuch) {
  const std::string whole = RawImage({4, 3, 2}).bytes();  // 352 + 48
  EXPECT_THAT(refusal(whole.substr(0, 399)), AllOf(HasSubstr("promises 400 bytes"), HasSubstr("the file has 399")));
  EXPECT_THAT(refusal(whole + "x"), AllOf(HasSubstr("promises 400 bytes"), HasSubstr("the file has 401")));
  EXPECT_THAT(refusal(gzipped(whole.substr(0, 399))), AllOf(HasSubstr("promises 400 bytes"), HasSubstr("only 399")));
  EXPECT_THAT(refusal(gzipped(whole + "x")), AllOf(HasSubstr("promises 400 bytes"), HasSubstr("the file has 401")));
}

TEST_F(Nifti, CompressedFileCutAnywhere) {
  const std::string whole = gzipped(RawImage({4, 3, 2}).bytes());
  EXPECT_EQ(read_all(write(whole)).size(), 24u);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    SCOPED_TRACE(length);
    refusal(whole.substr(0, length));
  }
  EXPECT_THAT(refusal(whole.substr(0, whole.size() - 1)), AllOf(HasSubstr("400 can be read"), HasSubstr("end early")));
}

TEST_F(Nifti, CompressedFileDamagedAnywhere) {
  const std::string whole = gzipped(RawImage({4, 3, 2}).bytes());
  const auto right = read_all(write(whole));
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    SCOPED_TRACE(at);
    std::string bad = whole;
    bad[at] = static_cast<char>(bad[at] ^ 0x20);
    const std::string path = write(bad);
    try {
      // Bytes that mean nothing here, the time in gzip's header for instance, may be anything; the values may not.
      EXPECT_EQ(read_all(path), right);
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path));
      ++refused;
    }
  }
  EXPECT_GE(refused, whole.size() * 8 / 10);
  std::string bad = whole;
  bad[bad.size() - 8] = static_cast<char>(bad[bad.size() - 8] ^ 1);
  EXPECT_THAT(refusal(bad), AllOf(HasSubstr("400"), HasSubstr("incorrect data check")));
}

TEST_F(Nifti, MembersOneAfterTheOther) {
  const std::string bytes = RawImage({4, 3, 2}).bytes();
  std::string members;
  for (std::size_t i = 0; i < bytes.size(); i += 100) members += gzipped(bytes.substr(i, 100));
  EXPECT_EQ(read_all(write(members)), read_all(write(bytes)));
  EXPECT_THAT(refusal(gzipped(bytes) + "garbage"), AllOf(HasSubstr("400"), HasSubstr("not gzip data follows")));
  EXPECT_THAT(refusal(gzipped(bytes) + "x"), HasSubstr("not gzip data follows"));
  EXPECT_THAT(refusal(gzipped(bytes) + gzipped("more")), HasSubstr("the file has 404"));
}

TEST_F(Nifti, SeriesOfSomeVoxels) {
  const std::string bytes = RawImage({4, 3, 2, 3}).bytes();
  const std::vector<std::size_t> indices{5, 0, 23};
  for (const std::string& form : {bytes, gzipped(bytes)}) {
    const Series series = read_series(write(form), indices);
    EXPECT_EQ(series.voxels, 3u);
    EXPECT_EQ(series.frames, 3u);
    EXPECT_THAT(series.curve(0), ElementsAre(5, 29, 53));
    EXPECT_THAT(series.curve(1), ElementsAre(0, 24, 48));
    EXPECT_THAT(series.curve(2), ElementsAre(23, 47, 71));
  }
  const std::string path = write(bytes);
  const std::vector<std::size_t> outside{24};
  EXPECT_THAT(message_of<InputError>([&] { read_series(path, outside); }), HasSubstr("no voxel 24"));
  // The sums at the end of the file count too.
  std::string bad = gzipped(bytes);
  bad.back() = static_cast<char>(bad.back() ^ 1);
  write(bad);
  EXPECT_THAT(message_of<InputError>([&] { read_series(path, indices); }), HasSubstr("damaged"));
  EXPECT_EQ(read_series(write(bytes), {}).values.size(), 0u);
}

}  // namespace
}  // namespace evident::imaging
