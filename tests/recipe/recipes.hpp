// Operands to build recipes of.
#pragma once

#include <ostream>
#include <vector>

#include "ballast/model_context.hpp"
#include "ballast/recipe.hpp"
#include "ballast/sharding.hpp"

namespace ballast {

// For the messages of failed expectations.
inline void PrintTo(const Shape& shape, std::ostream* out) { *out << to_string(shape); }
inline void PrintTo(const TensorSpec& spec, std::ostream* out) { *out << to_string(spec); }
inline void PrintTo(DType dtype, std::ostream* out) { *out << name(dtype); }
inline void PrintTo(const Range& range, std::ostream* out) { *out << "[" << range.begin << ", " << range.end << ")"; }

namespace test {

[[nodiscard]] inline Recipe stored(const Shape& shape, DType dtype = DType::F32) {
  return Recipe::source(0, 0, {dtype, shape});
}

// A context of this rank; heads of 16 elements, dimension 48.
[[nodiscard]] inline ModelContext context(std::uint64_t heads = 8, std::uint64_t heads_kv = 8, std::uint64_t rank = 0,
                                          std::uint64_t ranks = 1) {
  ModelContext m;
  m.n_heads = heads;
  m.n_heads_kv = heads_kv;
  m.head_size = 16;
  m.model_dim = 48;
  m.tp_rank = rank;
  m.tp_size = ranks;
  return m;
}

// The shapes that all ranks get, rank by rank; [] where a rank holds nothing.
template <class Transform>
[[nodiscard]] std::vector<Shape> on_every_rank(ModelContext m, std::uint64_t ranks, Transform&& transform) {
  std::vector<Shape> shapes;
  m.tp_size = ranks;
  for (m.tp_rank = 0; m.tp_rank < ranks; ++m.tp_rank) shapes.push_back(transform(m).shape());
  return shapes;
}

}  // namespace test

}  // namespace ballast
