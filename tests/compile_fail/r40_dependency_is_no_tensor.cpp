// R40: what is not loaded yet has another type than what is.
// EXPECT: Tensor.*Dependency|Dependency.*Tensor
#include "declared.hpp"

std::uint64_t bytes_of(const Parameter<Weight>& parameter) {
  const Tensor& tensor = parameter;
  return tensor.nbytes();
}
#ifndef GOOD
std::uint64_t bytes_of(const Dependency& dependency) {
  const Tensor& tensor = dependency;
  return tensor.nbytes();
}
#endif
