// Files are open only while something is read from them.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "execute/case.hpp"

namespace ballast::test {
namespace {

class DescriptorLimit {
 public:
  explicit DescriptorLimit(rlim_t most) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit now{most, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &now);
  }
  ~DescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;

 private:
  rlimit before_{};
};

TEST(MoreFilesThanDescriptors, load) {
  Case c;
  for (std::uint32_t i = 0; i != 64; ++i) {
    c.add_file(arbitrary_bytes(5000, i));
    Copy copy = copy_of(i, DType::U8, 0, {{5000, 1, 1}});
    copy.dst_base = c.reserve(5000);
    c.add(copy);
  }
  c.finish();
  const DescriptorLimit limit(24);
  execution::Sizes small;
  small.task_bytes = 1000;
  EXPECT_TRUE(c.loads_right(1, small));
  EXPECT_TRUE(c.loads_right(4, small));
}

}  // namespace
}  // namespace ballast::test
