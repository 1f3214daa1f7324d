#include <gtest/gtest.h>

#include "convert/convert.hpp"

namespace ballast::test {
namespace {

TEST(ZeroElements, touch_nothing_and_may_have_null_addresses) {
  for (const DTypeInfo& from : all_dtypes()) {
    for (const DTypeInfo& to : all_dtypes()) {
      const auto kernel = convert::find_kernel(from.dtype, to.dtype);
      if (kernel != nullptr) kernel(nullptr, nullptr, 0);
    }
  }
}

}  // namespace
}  // namespace ballast::test
