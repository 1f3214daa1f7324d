#include "plan/dense.hpp"

namespace ballast::test {

namespace {

using Index = std::vector<std::uint64_t>;

// The tensor of this shape whose element at each index is what `element` says.
template <class Element>
Dense build(const Shape& shape, const Element& element) {
  Dense result{shape, {}};
  const std::uint64_t count = shape.numel();
  for (std::uint64_t i = 0; i < count; ++i) {
    Index index(shape.rank());
    std::uint64_t rest = i;
    for (std::size_t axis = shape.rank(); axis-- > 0; rest /= shape[axis]) index[axis] = rest % shape[axis];
    result.elements.push_back(element(index));
  }
  return result;
}

}  // namespace

std::uint64_t Dense::at(std::span<const std::uint64_t> index) const {
  std::uint64_t flat = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) flat = flat * shape[axis] + index[axis];
  return elements.at(flat);
}

Dense dense_source(std::uint32_t source, const Shape& shape) {
  Dense result{shape, {}};
  for (std::uint64_t i = 0; i < shape.numel(); ++i) result.elements.push_back(element_number(source, i));
  return result;
}

std::vector<std::uint64_t> rows_of(std::uint32_t source, std::uint64_t row_elements,
                                   std::span<const std::uint64_t> rows) {
  std::vector<std::uint64_t> elements;
  for (const std::uint64_t row : rows)
    for (std::uint64_t i = 0; i < row_elements; ++i) elements.push_back(element_number(source, row * row_elements + i));
  return elements;
}

Dense dense_concat(std::size_t axis, std::span<const Dense> operands) {
  Shape shape = operands[0].shape;
  shape[axis] = 0;
  for (const Dense& operand : operands) shape[axis] += operand.shape[axis];
  return build(shape, [&](Index index) {
    std::size_t k = 0;
    for (; index[axis] >= operands[k].shape[axis]; ++k) index[axis] -= operands[k].shape[axis];
    return operands[k].at(index);
  });
}

Dense dense_stack(std::span<const Dense> operands, std::size_t axis) {
  Shape shape;
  for (std::size_t a = 0; a <= operands[0].shape.rank(); ++a)
    shape.push_back(a == axis ? operands.size() : operands[0].shape[a - (a > axis ? 1 : 0)]);
  return build(shape, [&](Index index) {
    const Dense& operand = operands[index[axis]];
    index.erase(index.begin() + static_cast<std::ptrdiff_t>(axis));
    return operand.at(index);
  });
}

Dense dense_slice(const Dense& x, std::size_t axis, std::uint64_t begin, std::uint64_t end) {
  Shape shape = x.shape;
  shape[axis] = end - begin;
  return build(shape, [&](Index index) {
    index[axis] += begin;
    return x.at(index);
  });
}

Dense dense_reshape(const Dense& x, const Shape& shape) { return {shape, x.elements}; }

Dense dense_permute(const Dense& x, std::span<const std::uint64_t> order) {
  Shape shape;
  for (const std::uint64_t axis : order) shape.push_back(x.shape[axis]);
  return build(shape, [&](const Index& index) {
    Index from(index.size());
    for (std::size_t axis = 0; axis < index.size(); ++axis) from[order[axis]] = index[axis];
    return x.at(from);
  });
}

Dense dense_interleave(std::size_t axis, std::span<const Dense> operands) {
  Shape shape = operands[0].shape;
  shape[axis] *= operands.size();
  return build(shape, [&](Index index) {
    const Dense& operand = operands[index[axis] % operands.size()];
    index[axis] /= operands.size();
    return operand.at(index);
  });
}

Dense dense_shard(const Dense& x, std::size_t axis, std::uint64_t rank, std::uint64_t ranks,
                  std::uint64_t granularity) {
  std::vector<std::uint64_t> chunks(ranks, 0);
  for (std::uint64_t chunk = 0; chunk < x.shape[axis] / granularity; ++chunk) ++chunks[chunk % ranks];
  std::uint64_t begin = 0;
  for (std::uint64_t r = 0; r < rank; ++r) begin += chunks[r] * granularity;
  return dense_slice(x, axis, begin, begin + chunks[rank] * granularity);
}

}  // namespace ballast::test
