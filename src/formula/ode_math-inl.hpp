// What the solver of differential equations and its way back have in common. Compiled once per SIMD target.
#if defined(EVIDENT_FORMULA_ODE_MATH_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef EVIDENT_FORMULA_ODE_MATH_INL_HPP_
#undef EVIDENT_FORMULA_ODE_MATH_INL_HPP_
#else
#define EVIDENT_FORMULA_ODE_MATH_INL_HPP_
#endif

#include "formula/kernels-inl.hpp"
#include "formula/ode_room.hpp"
#include "formula/tsitouras.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::formula {
namespace HWY_NAMESPACE {

using StepFunction = void (*)(Code, const View*, std::size_t, Room&, double*, std::size_t, std::size_t);

template <class F>
HWY_INLINE void each_lane(std::size_t lanes, double* out, F f) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  for (std::size_t i = 0; i < lanes; i += 2 * width) {
    const V first = f(i), second = f(i + width);
    hn::Store(first, d, out + i);
    hn::Store(second, d, out + i + width);
  }
}

/// The steps of rates. There are many, each is short, and finding the kernel takes as long as running it: what most
/// rates are made of is done here, by the same operations.
HWY_NOINLINE void run_rates(const std::vector<PlacedStep>& steps, Room& room, StepFunction step, std::size_t lanes) {
  const D d;
  const std::size_t together = 2 * hn::Lanes(d), count = (lanes + together - 1) / together * together;
  for (const PlacedStep& s : steps) {
    const double *a = s.x[0], *b = s.x[1], *c = s.x[2];
    const auto A = [=](std::size_t i) HWY_ATTR { return hn::Load(D(), a + i); };
    const auto B = [=](std::size_t i) HWY_ATTR { return hn::Load(D(), b + i); };
    const auto C = [=](std::size_t i) HWY_ATTR { return hn::Load(D(), c + i); };
    const auto run = [&](auto f) HWY_ATTR { each_lane(count, s.out, f); };
    switch (s.code) {
      case Code::mul:
        run([=](std::size_t i) HWY_ATTR { return hn::Mul(A(i), B(i)); });
        break;
      case Code::add:
        run([=](std::size_t i) HWY_ATTR { return hn::Add(A(i), B(i)); });
        break;
      case Code::sub:
        run([=](std::size_t i) HWY_ATTR { return hn::Sub(A(i), B(i)); });
        break;
      case Code::div:
        run([=](std::size_t i) HWY_ATTR { return hn::Div(A(i), B(i)); });
        break;
      case Code::square:
        run([=](std::size_t i) HWY_ATTR { return hn::Mul(A(i), A(i)); });
        break;
      case Code::neg:
        run([=](std::size_t i) HWY_ATTR { return hn::Neg(A(i)); });
        break;
      case Code::reciprocal:
        run([=](std::size_t i) HWY_ATTR { return hn::Div(One(), A(i)); });
        break;
      case Code::mul_add:
        run([=](std::size_t i) HWY_ATTR { return hn::MulAdd(A(i), B(i), C(i)); });
        break;
      case Code::mul_sub:
        run([=](std::size_t i) HWY_ATTR { return hn::MulSub(A(i), B(i), C(i)); });
        break;
      case Code::neg_mul_add:
        run([=](std::size_t i) HWY_ATTR { return hn::NegMulAdd(A(i), B(i), C(i)); });
        break;
      default:
        step(s.code, s.arguments, s.count, room, s.out, 1, lanes);
    }
  }
}

/// Bit i: the mask has lane i.
HWY_INLINE std::uint64_t bits(hn::Mask<D> m) {
  std::uint8_t out[8] = {};
  hn::StoreMaskBits(D(), m, out);
  return out[0];
}

/// The mask of the vector at lane i.
HWY_INLINE hn::Mask<D> lanes_in(std::uint64_t all, std::size_t i) {
  const std::uint8_t buffer[8] = {static_cast<std::uint8_t>(all >> i & ((1u << hn::Lanes(D())) - 1))};
  return hn::LoadMaskBits(D(), buffer);
}

/// About x^-0.17 y^0.04, from the bits: a power is a multiple of the logarithm, and the bits are one.
HWY_INLINE V powers(V x, V y) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  constexpr std::uint64_t one = 0x3FF0000000000000ULL;
  const auto a = hn::BitCast(du, x), b = hn::BitCast(du, y);
  const auto down = hn::Add(hn::Add(hn::ShiftRight<3>(a), hn::ShiftRight<5>(a)), hn::ShiftRight<6>(a));
  const auto up = hn::Add(hn::ShiftRight<5>(b), hn::ShiftRight<7>(b));
  constexpr std::uint64_t whole = one + (one >> 3) + (one >> 5) + (one >> 6) - (one >> 5) - (one >> 7);
  return hn::BitCast(d, hn::Sub(hn::Add(hn::Set(du, whole), up), down));
}

/// Weights of the rates in the solution after the share x of a step of size h.
HWY_INLINE void interpolant(V x, V h, V* weight) {
  const D d;
  for (std::size_t j = 0; j < kOdeStages; ++j) {
    const auto& c = tsitouras::kInterpolant[j];
    V sum = hn::MulAdd(hn::Set(d, c[3]), x, hn::Set(d, c[2]));
    sum = hn::MulAdd(sum, x, hn::Set(d, c[1]));
    if (j == 0) sum = hn::MulAdd(sum, x, hn::Set(d, c[0]));
    weight[j] = hn::Mul(hn::Mul(h, x), j == 0 ? sum : hn::Mul(sum, x));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace evident::formula
HWY_AFTER_NAMESPACE();

#endif  // include guard, per target
