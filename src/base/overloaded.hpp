// A function for each alternative of a variant.
//
//   std::visit(Overloaded{[](int i) { ... }, [](const std::string& s) { ... }}, value);
#pragma once

namespace evident {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // Clang 14 does not deduce it

}  // namespace evident
