#include "smc/waste_free.hpp"

namespace evident {

MoveReport WasteFreeKernel::move(const TemperedTarget& target, Population& x, const Context& context,
                                 std::uint32_t step) {
  const std::size_t starts = x.size();
  Population all(target.model(), starts * length_);
  const auto keep = [&](std::size_t state) {
    for (std::size_t k = 0; k < starts; ++k) all.copy_from(x, k, k * length_ + state);
  };
  keep(0);
  const MoveReport moved = kernel_->move_chains(target, x, context, step, {.length = length_, .keep = keep});
  all.genealogy = std::move(x.genealogy);
  all.chain = length_;
  x = std::move(all);
  return moved;
}

std::unique_ptr<Kernel> make_mover(std::unique_ptr<Kernel> kernel, const SmcOptions& options) {
  if (options.waste_free == 0) return kernel;
  return std::make_unique<WasteFreeKernel>(std::move(kernel), options.waste_free);
}

double between_chains(std::span<const double> weights, std::size_t length) {
  const std::size_t chains = weights.size() / length;
  double squares = 0;
  for (std::size_t k = 0; k < chains; ++k) {
    double sum = 0;
    for (const double w : weights.subspan(k * length, length)) sum += w;
    squares += sum * sum;
  }
  // The mean of the chains' shares is 1/M: sum (M S_k - 1)^2 / (M (M - 1)).
  const auto m = static_cast<double>(chains);
  return (m * squares - 1) / (m - 1);
}

}  // namespace evident
