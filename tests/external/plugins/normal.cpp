// y ~ normal(m / sqrt(lambda), 1 / sqrt(lambda)): with m ~ normal(0, 10) and lambda ~ gamma(1, 1) the linear regression
// with an intercept alone, whose evidence is known. The option "mode" makes it misbehave.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "evident/external/model.h"

#ifndef ABI
#define ABI EVIDENT_MODEL_ABI
#endif

struct evident_model {
  std::string mode, folder;
  std::vector<double> y;
  evident_observed observed{};
};

namespace {
thread_local std::string error;
double mean_of(const double* theta, std::size_t stride, std::size_t i) {
  return theta[i] / std::sqrt(theta[stride + i]);
}
}  // namespace

int evident_model_abi() { return ABI; }

#ifndef NO_ERROR_TEXT
const char* evident_model_last_error() { return error.c_str(); }
#endif

evident_model* evident_model_create(const evident_setup* setup) {
  evident_model model;
  model.folder = setup->folder;
  for (std::size_t k = 0; k < setup->option_count; ++k)
    if (std::strcmp(setup->options[k].name, "mode") == 0) model.mode = setup->options[k].text;
  if (setup->size != sizeof *setup || model.mode == "null") {
    error = "no model today";
    return nullptr;
  }
  if (model.mode == "exit early") std::exit(0);
  if (model.mode == "throw early") throw std::runtime_error("thrown early");
  for (std::size_t k = 0; k < setup->column_count; ++k)
    if (std::strcmp(setup->columns[k].name, "y") == 0)
      model.y.assign(setup->columns[k].values, setup->columns[k].values + setup->columns[k].size);
  auto* out = new evident_model(model);
  out->observed = {"y", out->y.data(), out->y.size(), nullptr, nullptr, 0};
  return out;
}

void evident_model_destroy(evident_model* model) { delete model; }

#ifndef NO_LIKELIHOOD
int evident_model_log_likelihood(const evident_model* m, const double* theta, std::size_t stride, std::size_t count,
                                 double* out) {
  if (m->mode == "fail") {
    error = "a bad day";
    return 3;
  }
  if (m->mode == "exit") std::exit(0);
  if (m->mode == "throw") throw std::runtime_error("thrown late");
  if (m->mode == "throw int") throw 7;
  for (std::size_t i = 0; i < count; ++i) {
    if (m->mode == "half" && i % 2 == 1) continue;
    const double mean = mean_of(theta, stride, i), lambda = theta[stride + i];
    out[i] = 0;
    for (const double y : m->y)
      out[i] += 0.5 * (std::log(lambda) - std::log(2 * 3.14159265358979323846) - lambda * (y - mean) * (y - mean));
    if (m->mode == "infinite") out[i] = std::numeric_limits<double>::infinity();
  }
  return 0;
}
#endif

int evident_model_gradient(const evident_model* m, const double* theta, std::size_t stride, std::size_t count,
                           double* out, std::size_t out_stride) {
  for (std::size_t i = 0; i < count; ++i) {
    const double a = theta[i], lambda = theta[stride + i], root = std::sqrt(lambda);
    double da = 0, dl = 0;
    for (const double y : m->y) {
      const double r = y * root - a;
      da += r;
      dl += 0.5 / lambda - 0.5 * r * y / root;
    }
    out[i] = da;
    out[out_stride + i] = m->mode == "wrong gradient" ? 2 * dl : dl;
  }
  return 0;
}

std::size_t evident_model_parameter_count(const evident_model* m) { return m->mode == "no parameters" ? 0 : 2; }
const char* evident_model_parameter_name(const evident_model* m, std::size_t index) {
  return m->mode == "nameless" ? nullptr : index == 0 ? "m" : "lambda";
}
const char* evident_model_parameter_prior(const evident_model* m, std::size_t index) {
  return m->mode == "bad prior" ? "gama(1, 1)" : index == 0 ? "normal(0, 10)" : "gamma(shape=1, rate=1)";
}

std::size_t evident_model_observed(const evident_model* m, const evident_observed** out) {
  *out = &m->observed;
  return m->mode == "many tables" ? SIZE_MAX : 1;
}
int evident_model_draw(const evident_model* m, const double* theta, std::size_t stride, std::size_t count,
                       const std::uint64_t* seeds, double* out, std::size_t out_stride) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t state = seeds[i];
    const auto uniform = [&] {  // xorshift
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      return (static_cast<double>(state >> 12) + 0.5) / 4503599627370496.0;
    };
    for (std::size_t k = 0; k < m->y.size(); ++k) {
      const double z = std::sqrt(-2 * std::log(uniform())) * std::cos(2 * 3.14159265358979323846 * uniform());
      out[k * out_stride + i] = mean_of(theta, stride, i) + z / std::sqrt(theta[stride + i]);
    }
  }
  return 0;
}
int evident_model_predict(const evident_model* m, const double* theta, std::size_t stride, std::size_t count,
                          double* out, std::size_t out_stride) {
  for (std::size_t k = 0; k < m->y.size(); ++k)
    for (std::size_t i = 0; i < count; ++i) out[k * out_stride + i] = mean_of(theta, stride, i);
  return 0;
}
