#include "kernel/pack_calibration.hpp"

#include "evident/base/error.hpp"

namespace evident {

void put_fit(Packer& out, const FittedMixture* fit) {
  out.put(static_cast<char>(fit != nullptr));
  if (fit == nullptr) return;
  out.put(static_cast<std::uint64_t>(fit->marginals().size()));
  for (const Marginal& m : fit->marginals()) {
    for (const double v : {m.centre, m.scale, m.skew, m.tail}) out.put(v);
    out.put(static_cast<char>(m.bent));
  }
  out.put(static_cast<std::uint64_t>(fit->components().size()));
  for (const MixtureComponent& c : fit->components()) {
    out.put(c.weight);
    out.put(c.df);
    out.put_doubles(c.mean);
    out.put_doubles(c.root);
  }
}

std::shared_ptr<const FittedMixture> get_fit(Unpacker& in) {
  if (in.get<char>() == 0) return nullptr;
  std::vector<Marginal> marginals(in.get_count(sizeof(double)));
  for (Marginal& m : marginals) {
    for (double* v : {&m.centre, &m.scale, &m.skew, &m.tail}) *v = in.get<double>();
    m.bent = in.get<char>() != 0;
  }
  std::vector<MixtureComponent> components(in.get_count(sizeof(double)));
  for (MixtureComponent& c : components) {
    c.weight = in.get<double>();
    c.df = in.get<double>();
    c.mean = in.get_doubles();
    c.root = in.get_doubles();
  }
  try {
    return std::make_shared<const FittedMixture>(FittedMixture::again(std::move(components), std::move(marginals)));
  } catch (const InputError&) {  // no fit that was made is like this
    Unpacker::refuse();
  }
}

void put_calibrations(Packer& out, const std::vector<Calibration>& calibrations) {
  out.put(static_cast<std::uint64_t>(calibrations.size()));
  for (const Calibration& c : calibrations) {
    out.put(static_cast<std::uint64_t>(c.passes));
    out.put(static_cast<std::uint64_t>(c.groups.size()));
    for (const Calibration::Group& g : c.groups) {
      out.put_doubles(g.mean);
      out.put_doubles(g.root);
      out.put(g.scale);
      out.put(g.share);
      put_fit(out, g.fit.get());
    }
  }
}

std::vector<Calibration> get_calibrations(Unpacker& in) {
  std::vector<Calibration> calibrations(in.get_count(sizeof(double)));
  for (Calibration& c : calibrations) {
    c.passes = static_cast<std::size_t>(in.get<std::uint64_t>());
    c.groups.resize(in.get_count(sizeof(double)));
    for (Calibration::Group& g : c.groups) {
      g.mean = in.get_doubles();
      g.root = in.get_doubles();
      g.scale = in.get<double>();
      g.share = in.get<double>();
      g.fit = get_fit(in);
    }
  }
  return calibrations;
}

}  // namespace evident
