// R34: policies are registered by name, and found by model_type and architecture.
#include <gtest/gtest.h>

#include "ballast/models/llama.hpp"
#include "models/tiny_llama.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

TEST(R34, PoliciesRegisterByNameAndAreFoundByModelTypeAndArchitecture) {
  PolicyRegistry registry;
  EXPECT_EQ(registry.find("llama"), nullptr);
  registry.add<models::LlamaPolicy>();
  ASSERT_NE(registry.find("llama"), nullptr);
  EXPECT_EQ(registry.find("LlamaForCausalLM"), registry.find("llama"));
  EXPECT_TRUE(test::fails_with([&] { registry.add<models::LlamaPolicy>(); }, Errc::invalid_argument, {"'llama'"}));
}

TEST(R34, CheckpointsChooseTheirs) {
  test::TinyLlama by_type, by_architecture;
  by_type.architectures.clear();
  by_architecture.model_type.clear();
  for (const test::TinyLlama& tiny : {by_type, by_architecture}) {
    const test::TempFolder folder;
    EXPECT_EQ(prepare(tiny.write(folder)).policy->name(), "llama");
  }
}

}  // namespace
}  // namespace ballast::reference
