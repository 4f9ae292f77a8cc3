// What we read and what we write, for other programs to look at.
//
//   imaging_copy read IN DOUBLES FLOATS     prints the header as JSON, writes the values of IN to two files
//   imaging_copy write IN OUT TYPE          IN's values and geometry to OUT
//   imaging_copy series IN                  reads every second voxel by read_series; prints how long it took
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "evident/base/error.hpp"
#include "imaging/nifti/nifti.hpp"
#include "imaging/nifti/nifti_writer.hpp"

namespace {

using namespace evident::imaging;

void print_header(const NiftiReader& reader) {
  const Geometry& g = reader.geometry();
  std::string affine, warnings;
  for (const auto& row : g.affine) {
    affine += fmt::format("{}[{}, {}, {}, {}]", affine.empty() ? "" : ", ", row[0], row[1], row[2], row[3]);
  }
  for (const auto& text : reader.warnings()) warnings += fmt::format("{}\"{}\"", warnings.empty() ? "" : ", ", text);
  fmt::print(R"({{"shape": [{}, {}, {}], "frames": {}, "type": "{}", "version": {}, "compressed": {}, )", g.shape[0],
             g.shape[1], g.shape[2], reader.frames(), name_of(reader.info().type), g.nifti_version,
             reader.info().compressed);
  fmt::print(R"("big_endian": {}, "affine": [{}], "warnings": [{}], "description": "{}"}})", reader.info().big_endian,
             affine, warnings, reader.info().description);
  fmt::print("\n");
}

template <class Value>
void read(const char* in, const char* out) {
  NiftiReader reader(in);
  std::ofstream values(out, std::ios::binary);
  std::vector<Value> volume(reader.geometry().voxels());
  for (std::size_t f = 0; f < reader.frames(); ++f) {
    reader.read_volume(volume);
    values.write(reinterpret_cast<const char*>(volume.data()),
                 static_cast<std::streamsize>(volume.size() * sizeof(Value)));
  }
  reader.finish();
}

void write(const char* in, const char* out, const std::string& type) {
  NiftiReader reader(in);
  const Datatype stored = type == "uint8" ? Datatype::uint8 : type == "int16" ? Datatype::int16 : Datatype::float32;
  NiftiWriter writer(out, reader.geometry(),
                     {.type = stored, .frames = reader.frames(), .frame_step = 2.5, .description = "a copy"});
  std::vector<double> volume(reader.geometry().voxels());
  for (std::size_t f = 0; f < reader.frames(); ++f) {
    reader.read_volume(volume);
    writer.write_volume(volume);
  }
  reader.finish();
  writer.finish();
}

void series(const char* in) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::size_t> indices;
  const std::size_t voxels = NiftiReader(in).geometry().voxels();
  for (std::size_t i = 0; i < voxels; i += 2) indices.push_back(i);
  const Series curves = read_series(in, indices);
  double sum = 0;
  for (const float value : curves.values) sum += value;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double bytes = static_cast<double>(curves.geometry.voxels() * curves.frames * bytes_of(curves.info.type));
  fmt::print("{} voxels x {} frames, sum {}: {:.3f} s, {:.0f} MB/s\n", curves.voxels, curves.frames, sum, seconds,
             bytes / seconds / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string what = argc > 2 ? argv[1] : "";
    if (what == "read" && argc == 5) {
      read<double>(argv[2], argv[3]);
      read<float>(argv[2], argv[4]);
      print_header(NiftiReader(argv[2]));
    } else if (what == "write" && argc == 5) {
      write(argv[2], argv[3], argv[4]);
    } else if (what == "series" && argc == 3) {
      series(argv[2]);
    } else {
      fmt::print(stderr, "see the top of copy.cpp\n");
      return 64;
    }
    return 0;
  } catch (const evident::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
