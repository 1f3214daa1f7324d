// What a call that must fail said.
//
//   EXPECT_TRUE(fails_with([&] { (void)open_checkpoint(path); }, Errc::shard_missing, {"model-00002", "incomplete"}));
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string_view>

#include "ballast/error.hpp"

namespace ballast::test {

// The ballast::Error that `call` throws; nothing where it throws none.
template <class Call>
[[nodiscard]] std::optional<Error> error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

// Holds where one of the error's diagnostics has this code and its rendering contains every one of `parts`.
[[nodiscard]] testing::AssertionResult has_fault(const std::optional<Error>& error, Errc code,
                                                 std::initializer_list<std::string_view> parts = {});
// How many of the diagnostics have this code.
[[nodiscard]] std::size_t count_faults(const std::optional<Error>& error, Errc code);

template <class Call>
[[nodiscard]] testing::AssertionResult fails_with(Call&& call, Errc code,
                                                  std::initializer_list<std::string_view> parts = {}) {
  return has_fault(error_of(call), code, parts);
}

}  // namespace ballast::test
