// A config that asks for far more tensors than there are is refused without using memory.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

long peak_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

struct AbsurdConfig : testing::Test {
  const ContainerSchema block =
      layer({experts("up"), experts("down")}, {{"up.*.w", {"up.experts"}}, {"down.*.w", {"down.experts"}}});
};

TEST_F(AbsurdConfig, IsRefused) {
  constexpr std::uint64_t kLayers = 4096, kExperts = 65'536;
  const ContainerMap map = ContainerMap().layers({"layers"}, block, kLayers);
  const long before = peak_kib();
  EXPECT_TRUE(has_fault(bind_error({"layers.0.up.0.w"}, map, context_of(kLayers, kExperts)), Errc::context_invalid,
                        {"far more tensors than the checkpoint has", "/models/m", "4096 layers, 65536 experts",
                         "a config.json of another model"}));
  EXPECT_LT(peak_kib() - before, 64 * 1024);  // entries for all of them would be 2 GiB
}

TEST_F(AbsurdConfig, ListsHaveABoundOfTheirOwn) {
  const ContainerMap map = ContainerMap().layers({"layers"}, block, 1);
  EXPECT_TRUE(has_fault(bind_error({}, map, context_of(1, std::uint64_t{1} << 62)), Errc::limit_exceeded,
                        {"list 'experts' is too long", "at most 65536 elements"}));
}

TEST_F(AbsurdConfig, LargestModelsAreFarFromIt) {
  // 61 layers of 384 experts with three matrices each are 70,000.
  const ContainerMap map = ContainerMap().layers({"layers"}, block, 400);
  EXPECT_EQ(bind_error({}, map, context_of(400, 1000))->code(), Errc::dependency_missing);
}

}  // namespace
}  // namespace ballast::test
