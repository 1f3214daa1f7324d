// A binding with faults: what can be planned says what is wrong with it, and nothing is planned.
#include <gtest/gtest.h>

#include "plan/small_model.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

Recipe fused(const ModelContext&, const Operands& o) { return concat(0, o[0][0], o[1][0], o[2][0]); }

struct FaultsOfWhatIsComplete : testing::Test {
  SmallModel model;
  FaultsOfWhatIsComplete() {
    for (const char* layer : {"layers.0.", "layers.1."}) {
      model.add(layer + std::string("qkv_w.q_params"), DType::F32, {8, 6});
      if (layer[7] == '1') model.add(layer + std::string("qkv_w.k_params"), DType::F32, {4, 5});
      model.add(layer + std::string("qkv_w.v_params"), DType::F32, {4, 6});
    }
    model.layers(2, {made(qkv("qkv_w"), fused)});
  }
};

TEST_F(FaultsOfWhatIsComplete, AreThoseOfParametersThatLackNothing) {
  const Diagnostics faults = plan_faults(model.catalog(), model.bound(), model.context);
  ASSERT_EQ(faults.total(), 1U);
  EXPECT_EQ(faults.kept()[0].code, Errc::shape_mismatch);
  EXPECT_EQ(faults.kept()[0].container, "transformer_layer_1");
  EXPECT_EQ(faults.kept()[0].got, "[4, 5]");
}

TEST_F(FaultsOfWhatIsComplete, NothingIsPlanned) {
  EXPECT_TRUE(fails_with([&] { (void)make_plan(model.catalog(), model.bound(), model.context); },
                         Errc::invalid_argument, {"transformer_layer_0.qkv_w", "a binding with faults"}));
}

TEST_F(FaultsOfWhatIsComplete, AreNoneWhereAllIsRight) {
  SmallModel right;
  right.add("w.params", DType::F32, {2});
  right.rest({kept("w")});
  EXPECT_TRUE(plan_faults(right.catalog(), right.bound(), right.context).empty());
}

}  // namespace
}  // namespace ballast::test
