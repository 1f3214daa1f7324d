// Random nests of all operations over small tensors: the copies bring to every place the element that index-by-index
// computation finds there, and write no place twice.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ballast/error.hpp"
#include "plan/dense.hpp"
#include "plan/emitted.hpp"

namespace ballast::test {
namespace {

// At full size always: a range that grows with the number of the case would make early cases plain copies.
std::uint64_t pick(std::uint64_t least, std::uint64_t most) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
}

// One tensor, both ways.
struct Value {
  Recipe recipe;
  Dense dense;
};

struct Values {
  std::vector<Recipe> recipes;
  std::vector<Dense> dense;
  void add(Value value) {
    recipes.push_back(std::move(value.recipe));
    dense.push_back(std::move(value.dense));
  }
};

// Makes recipes from the result down: an operation that gives the wanted shape, then operands that it needs for that.
class Maker {
 public:
  Value make(const Shape& shape, int depth) {
    if (depth == 0 || stored_.size() >= kMostSources) return source(shape);
    const bool has_axes = shape.rank() > 0;
    switch (pick(0, has_axes ? 8 : 1)) {
      case 0:
        return source(shape);
      case 1:
        return reshaped(shape, depth - 1);
      case 2:
        return concatenated(shape, depth - 1);
      case 3:
        return stacked(shape, depth - 1);
      case 4:
        return sliced(shape, depth - 1);
      case 5:
        return interleaved(shape, depth - 1);
      case 6:
        return sharded(shape, depth - 1);
      case 7:
        return transposed(shape, depth - 1);
      default:
        return permuted(shape, depth - 1);
    }
  }

  static Shape random_shape() {
    Shape shape;
    const std::uint64_t rank = pick(0, 9) == 0 ? 0 : pick(1, 4);
    // An extent of 0 makes everything easy: seldom.
    for (std::uint64_t axis = 0; axis < rank; ++axis) shape.push_back(pick(0, 19) == 0 ? 0 : pick(1, 6));
    return shape;
  }

 private:
  static constexpr std::size_t kMostSources = 32;

  static std::size_t random_axis(const Shape& shape) { return pick(0, shape.rank() - 1); }

  // A new stored tensor, or one that is there already.
  Value source(const Shape& shape) {
    std::uint32_t index = 0;
    while (index < stored_.size() && !(stored_[index] == shape)) ++index;
    if (index == stored_.size() || pick(0, 3) != 0) {
      index = static_cast<std::uint32_t>(stored_.size());
      stored_.push_back(shape);
    }
    return {stored(index, shape), dense_source(index, shape)};
  }

  // The prime factors dealt out to axes in some order, and axes of extent 1 among them.
  static Shape same_count(std::uint64_t count) {
    std::vector<std::uint64_t> extents(pick(1, 4), 1);
    if (count == 0) extents[pick(0, extents.size() - 1)] = 0;
    for (std::uint64_t factor = 2; count > 1; ++factor)
      for (; count % factor == 0; count /= factor) extents[pick(0, extents.size() - 1)] *= factor;
    Shape shape;
    for (const std::uint64_t extent : extents) shape.push_back(extent);
    return shape;
  }

  Value reshaped(const Shape& shape, int depth) {
    const Value x = make(same_count(shape.numel()), depth);
    return {reshape(x.recipe, shape), dense_reshape(x.dense, shape)};
  }

  Value concatenated(const Shape& shape, int depth) {
    const std::size_t axis = random_axis(shape);
    Values parts;
    std::uint64_t rest = shape[axis];
    for (std::uint64_t more = pick(0, 2); more > 0; --more) {
      const std::uint64_t extent = pick(0, rest);
      parts.add(make(with(shape, axis, extent), depth));
      rest -= extent;
    }
    parts.add(make(with(shape, axis, rest), depth));
    return {concat(axis, parts.recipes), dense_concat(axis, parts.dense)};
  }

  Value stacked(const Shape& shape, int depth) {
    const std::size_t axis = random_axis(shape);
    if (shape[axis] == 0) return source(shape);
    Shape each;
    for (std::size_t a = 0; a < shape.rank(); ++a)
      if (a != axis) each.push_back(shape[a]);
    Values parts;
    for (std::uint64_t i = 0; i < shape[axis]; ++i) parts.add(make(each, depth));
    return {stack(parts.recipes, axis), dense_stack(parts.dense, axis)};
  }

  Value sliced(const Shape& shape, int depth) {
    const std::size_t axis = random_axis(shape);
    const std::uint64_t begin = pick(0, 3), end = begin + shape[axis];
    const Value x = make(with(shape, axis, end + pick(0, 3)), depth);
    return {slice(x.recipe, axis, begin, end), dense_slice(x.dense, axis, begin, end)};
  }

  Value interleaved(const Shape& shape, int depth) {
    const std::size_t axis = random_axis(shape);
    std::uint64_t n = pick(1, 3);
    while (shape[axis] % n != 0) --n;
    Values parts;
    for (std::uint64_t i = 0; i < n; ++i) parts.add(make(with(shape, axis, shape[axis] / n), depth));
    return {interleave(axis, parts.recipes), dense_interleave(axis, parts.dense)};
  }

  Value sharded(const Shape& shape, int depth) {
    const std::size_t axis = random_axis(shape);
    std::uint64_t granularity = pick(1, 3);
    while (shape[axis] % granularity != 0) --granularity;
    const std::uint64_t ranks = pick(1, 3), rank = pick(0, ranks - 1), chunks = shape[axis] / granularity;
    // Uneven parts: the first `more` ranks have one chunk more.
    std::uint64_t more = pick(0, ranks - 1);
    if (rank < more && chunks == 0) more = 0;
    const std::uint64_t whole = (chunks - (rank < more ? 1 : 0)) * ranks + more;
    const Value x = make(with(shape, axis, whole * granularity), depth);
    return {shard(x.recipe, axis, rank, ranks, granularity), dense_shard(x.dense, axis, rank, ranks, granularity)};
  }

  Value transposed(const Shape& shape, int depth) {
    const std::size_t a = random_axis(shape), b = random_axis(shape);
    Shape from = shape;
    std::swap(from[a], from[b]);
    std::vector<std::uint64_t> order;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) order.push_back(axis == a ? b : axis == b ? a : axis);
    const Value x = make(from, depth);
    return {transpose(x.recipe, a, b), dense_permute(x.dense, order)};
  }

  Value permuted(const Shape& shape, int depth) {
    std::vector<std::uint64_t> order;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis)
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(pick(0, order.size())), axis);
    Shape from = shape;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) from[order[axis]] = shape[axis];
    const Value x = make(from, depth);
    return {permute(x.recipe, order), dense_permute(x.dense, order)};
  }

  static Shape with(Shape shape, std::size_t axis, std::uint64_t extent) {
    shape[axis] = extent;
    return shape;
  }

  std::vector<Shape> stored_;
};

TEST(RandomRecipes, PlaceEveryElementOnce) {
  constexpr int kRecipesACase = 100;  // a hundred cases
  int made = 0, refused = 0;
  std::size_t copies = 0, most_copies = 0;
  std::string why;
  EXPECT_TRUE(rc::check([&] {
    for (int i = 0; i < kRecipesACase; ++i) {
      Maker maker;
      const Value value = maker.make(Maker::random_shape(), static_cast<int>(pick(1, 6)));
      RC_ASSERT(value.recipe.shape() == value.dense.shape);
      ++made;
      Emitted emitted;
      try {
        emitted = emit(value.recipe);
      } catch (const Error& error) {
        // What strided copies cannot express is refused, never done wrong.
        RC_ASSERT(error.code() == Errc::recipe_invalid);
        ++refused;
        why = error.what();
        continue;
      }
      copies += emitted.copies.size();
      most_copies = std::max(most_copies, emitted.copies.size());
      const auto right = places(emitted, value.dense.elements);
      if (!right) RC_FAIL(right.message());
    }
  }));
  EXPECT_LT(refused * 100, made) << refused << " of " << made << " refused: " << why;
  RecordProperty("recipes", made);
  RecordProperty("refused", refused);
  RecordProperty("copies", std::to_string(copies));
  RecordProperty("most copies", std::to_string(most_copies));
}

}  // namespace
}  // namespace ballast::test
