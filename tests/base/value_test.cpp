#include "ballast/value.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ballast {
namespace {

TEST(Value, WholeNumbersOfEveryStorage) {
  EXPECT_EQ(Value(std::int64_t{12}).unsigned_integer(), 12U);
  EXPECT_EQ(Value(std::numeric_limits<std::uint64_t>::max()).unsigned_integer(),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(Value(12.0).unsigned_integer(), 12U);
}

TEST(Value, WhatIsNoWholeNumber) {
  EXPECT_FALSE(Value(std::int64_t{-1}).unsigned_integer());
  EXPECT_FALSE(Value(12.5).unsigned_integer());
  EXPECT_FALSE(Value(-1.0).unsigned_integer());
  EXPECT_FALSE(Value(18446744073709551616.0).unsigned_integer()) << "2^64";
  EXPECT_FALSE(Value(std::nan("")).unsigned_integer());
  EXPECT_FALSE(Value(std::numeric_limits<double>::infinity()).unsigned_integer());
  EXPECT_FALSE(Value(true).unsigned_integer());
  EXPECT_FALSE(Value(std::string("12")).unsigned_integer());
  EXPECT_FALSE(Value().unsigned_integer());
}

TEST(Value, Numbers) {
  EXPECT_EQ(Value(std::int64_t{-3}).number(), -3.0);
  EXPECT_EQ(Value(2.5).number(), 2.5);
  EXPECT_FALSE(Value(true).number());
}

TEST(Value, Booleans) {
  EXPECT_EQ(Value(true).boolean(), true);
  EXPECT_FALSE(Value(std::int64_t{1}).boolean());
}

TEST(Value, FindsMembersOfObjects) {
  Value::Object members;
  members.emplace_back("a", Value(std::int64_t{1}));
  members.emplace_back("b", Value(std::string("two")));
  const Value object(std::move(members));
  ASSERT_NE(object.find("b"), nullptr);
  EXPECT_EQ(*object.find("b")->string(), "two");
  EXPECT_EQ(object.find("c"), nullptr);
  EXPECT_EQ(Value().find("a"), nullptr);
  EXPECT_TRUE(Value().is_null());
}

}  // namespace
}  // namespace ballast
