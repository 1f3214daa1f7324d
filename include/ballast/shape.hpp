// The extents of a tensor, outermost first. Up to `Shape::kMaxRank` dimensions, stored in place.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

namespace ballast {

class Shape {
 public:
  static constexpr std::size_t kMaxRank = 16;

  constexpr Shape() = default;
  constexpr Shape(std::initializer_list<std::uint64_t> extents) {
    for (const std::uint64_t extent : extents) push_back(extent);
  }

  [[nodiscard]] constexpr std::size_t rank() const noexcept { return rank_; }
  [[nodiscard]] constexpr std::uint64_t operator[](std::size_t axis) const noexcept { return extents_[axis]; }
  [[nodiscard]] constexpr std::uint64_t& operator[](std::size_t axis) noexcept { return extents_[axis]; }
  [[nodiscard]] constexpr const std::uint64_t* begin() const noexcept { return extents_.data(); }
  [[nodiscard]] constexpr const std::uint64_t* end() const noexcept { return extents_.data() + rank_; }
  [[nodiscard]] constexpr std::span<const std::uint64_t> extents() const noexcept { return {begin(), rank_}; }

  // False, and nothing is changed, where the shape already has kMaxRank dimensions.
  constexpr bool push_back(std::uint64_t extent) noexcept {
    if (rank_ == kMaxRank) return false;
    extents_[rank_++] = extent;
    return true;
  }

  // The number of elements: 1 for a scalar, 0 where any extent is 0. Nothing where the product of the non-zero
  // extents overflows 64 bits: a zero must not hide an overflow in some order of the dimensions.
  [[nodiscard]] constexpr std::optional<std::uint64_t> checked_numel() const noexcept {
    std::uint64_t product = 1;
    bool zero = false;
    for (const std::uint64_t extent : *this) {
      if (extent == 0)
        zero = true;
      else if (__builtin_mul_overflow(product, extent, &product))
        return std::nullopt;
    }
    return zero ? 0 : product;
  }
  // For shapes that have been validated.
  [[nodiscard]] constexpr std::uint64_t numel() const noexcept {
    std::uint64_t product = 1;
    for (const std::uint64_t extent : *this) product *= extent;
    return product;
  }

  friend constexpr bool operator==(const Shape& a, const Shape& b) noexcept {
    if (a.rank_ != b.rank_) return false;
    for (std::size_t i = 0; i < a.rank_; ++i)
      if (a.extents_[i] != b.extents_[i]) return false;
    return true;
  }

 private:
  std::array<std::uint64_t, kMaxRank> extents_{};
  std::uint8_t rank_ = 0;
};

// "[576, 1536]"; "[]" for a scalar.
[[nodiscard]] std::string to_string(const Shape& shape);

}  // namespace ballast
