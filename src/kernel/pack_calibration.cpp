#include "kernel/pack_calibration.hpp"

#include "evident/base/error.hpp"

namespace evident {

void put_value(Packer& out, const std::shared_ptr<const FittedMixture>& fit) {
  put_value(out, fit != nullptr);
  if (fit == nullptr) return;
  put_value(out, fit->marginals());
  put_value(out, fit->components());
}

void get_value(Unpacker& in, std::shared_ptr<const FittedMixture>& fit) {
  bool there = false;
  get_value(in, there);
  fit.reset();
  if (!there) return;
  std::vector<Marginal> marginals;
  std::vector<MixtureComponent> components;
  get_value(in, marginals);
  get_value(in, components);
  try {
    fit = std::make_shared<const FittedMixture>(FittedMixture::from_parts(std::move(components), std::move(marginals)));
  } catch (const InputError&) {  // no fit that was made is like this
    Unpacker::refuse();
  }
}

}  // namespace evident
