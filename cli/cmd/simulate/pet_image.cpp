// evident simulate pet-image
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "arguments.hpp"
#include "base/option.hpp"
#include "choices.hpp"
#include "cmd/simulate/pet_image_files.hpp"
#include "cmd/simulate/simulation.hpp"
#include "evident/base/error.hpp"
#include "imaging/phantom/phantom.hpp"
#include "tables/table.hpp"

namespace evident::cli {
namespace {

class PetImageSimulation final : public Simulation {
 public:
  std::string name() const override { return "pet-image"; }
  std::string description() const override { return "A dynamic PET image with its blood, as a BIDS data set"; }
  std::string examples() const override {
    return "Noise is Normal with variance C / (lambda dt), dt the frame's length times its decay: lambda is 3 (low), "
           "0.3\n"
           "(medium) or 0.03 (high) for C in kBq/mL. The image is in Bq/mL and the blood in kBq/mL, as is common.\n\n"
           "Examples:\n"
           "  evident simulate pet-image --seed 1 --out phantom\n"
           "  evident simulate pet-image --seed 1 --out brain --truth brain --voxels 217000 --noise high";
  }

  void declare(CLI::App& app) override {
    offer(app.add_option("--truth", truth_,
                         "small: three slabs; brain: six regions; prior: drawn from the prior (default small)"),
          {"small", "brain", "prior"})
        ->type_name("KIND");
    app.add_option("--voxels", voxels_, "voxels inside the mask (default 300; brain 20000)")->type_name("N");
    offer(app.add_option("--noise", noise_, "none, low, medium or high (default medium)"),
          {"none", "low", "medium", "high"})
        ->type_name("LEVEL");
    app.add_option("--vb", blood_volume_, "share of blood in each voxel, 0 to 0.99 (default 0)")->type_name("X");
    app.add_option("--input", input_,
                   "feng, or a table with columns time (s), CP and perhaps CB, in kBq/mL (default feng)")
        ->type_name("FILE");
  }

  void prepare(std::uint64_t seed) override {
    imaging::PhantomOptions options;
    if (truth_ != "small" && truth_ != "brain" && truth_ != "prior")
      throw InputError(fmt::format("{} must be small, brain or prior, was '{}'", option("truth"), truth_));
    const bool brain = truth_ == "brain";
    options.kind = brain               ? imaging::PhantomKind::brain
                   : truth_ == "prior" ? imaging::PhantomKind::prior
                                       : imaging::PhantomKind::small;
    options.voxels = voxels_ ? whole_number("voxels", *voxels_, 1, imaging::kMostPhantomVoxels) : brain ? 20000 : 300;
    constexpr std::array<std::string_view, 4> levels = {"none", "low", "medium", "high"};
    if (std::find(levels.begin(), levels.end(), noise_) == levels.end())
      throw InputError(fmt::format("{} must be none, low, medium or high, was '{}'", option("noise"), noise_));
    options.precision = imaging::noise_precision(noise_);
    if (blood_volume_) options.blood_volume = real_number("vb", *blood_volume_, 0, 0.99, false);
    if (input_ != "feng") options.blood = read_blood();
    story_ = {.command = fmt::format("evident simulate pet-image --seed {} --truth {} --voxels {} --noise {} --vb {} "
                                     "--input {}",
                                     seed, truth_, options.voxels, noise_, options.blood_volume, input_),
              .seed = seed,
              .noise = noise_,
              .input = input_};
    phantom_.emplace(std::move(options), seed);
  }

  std::vector<std::string> write(const std::filesystem::path& folder) const override {
    return write_phantom(phantom_.value(), story_, folder);
  }

 private:
  imaging::PhantomBlood read_blood() const {
    const Table table = Table::read(input_);
    return imaging::sampled_blood(table.numbers("time"), table.numbers("CP"),
                                  table.has("CB") ? table.numbers("CB") : std::vector<double>{});
  }

  std::string truth_ = "small", noise_ = "medium", input_ = "feng";
  std::optional<std::string> voxels_, blood_volume_;
  std::optional<imaging::Phantom> phantom_;
  PhantomStory story_;
};

}  // namespace

std::unique_ptr<Simulation> pet_image_simulation() { return std::make_unique<PetImageSimulation>(); }

}  // namespace evident::cli
