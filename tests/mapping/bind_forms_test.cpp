// A parameter that files store in one of several forms: exactly one of them is there, in full.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct Forms : testing::Test {
  const ContainerSchema moe =
      layer({parameter("moe_mlp_1", {in_form(1, list("gate")), in_form(1, list("up")), in_form(2, single("packed"))})},
            {{"experts.*.gate", {"moe_mlp_1.gate"}},
             {"experts.*.up", {"moe_mlp_1.up"}},
             {"experts.gate_up", {"moe_mlp_1.packed"}}});
  const ContainerMap map = ContainerMap().layers({"h"}, moe, 1);
  const ModelContext context = context_of(1, 2);
  const std::vector<std::string> separate{"h.0.experts.0.gate", "h.0.experts.1.gate", "h.0.experts.0.up",
                                          "h.0.experts.1.up"};
};

TEST_F(Forms, EitherWillDo) {
  EXPECT_EQ(bind_names(separate, map, context).containers[0].sources,
            (std::vector<std::uint32_t>{0, 1, 2, 3, kUnbound}));
  EXPECT_EQ(bind_names({"h.0.experts.gate_up"}, map, context).containers[0].sources,
            (std::vector<std::uint32_t>{kUnbound, kUnbound, kUnbound, kUnbound, 0}));
}

TEST_F(Forms, OfNoneTheFirstIsMissedAndTheOtherNamed) {
  const auto error = bind_error({}, map, context);
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing,
                        {"2 tensors", "h.0.experts.{0..1}.gate", "this name, or 'experts.gate_up'"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"h.0.experts.{0..1}.up"}));
  EXPECT_EQ(error->total(), 2U);
}

TEST_F(Forms, OneInPartMissesTheRestOfItself) {
  const auto error = bind_error({separate[0], separate[1], separate[3]}, map, context);
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"h.0.experts.0.up\""}));
  EXPECT_EQ(error->total(), 1U);
  EXPECT_EQ(error->diagnostics()[0].expected, "") << "the other form would not do beside it";
}

TEST_F(Forms, TwoAreOneTooMany) {
  std::vector<std::string> names = separate;
  names.emplace_back("h.0.experts.gate_up");
  EXPECT_TRUE(has_fault(bind_error(names, map, context), Errc::name_claimed_twice,
                        {"\"h.0.experts.gate_up\"", "'moe_mlp_1' is stored in another form as well"}));
}

}  // namespace
}  // namespace ballast::test
