// A policy that the user declares: a mixture of experts, with lists, fused gates and a custom recipe.
#include <gtest/gtest.h>

#include <cstring>

#include "ballast/models/common.hpp"
#include "models/tiny_llama.hpp"
#include "support/bytes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

struct ExpertsDown {
  DependencyList<&ModelContext::n_experts> experts;
  Recipe finalize(const ModelContext& m) const { return m.transform_moe_mlp_2(stack(experts)); }
};
struct Negated {
  Dependency params;
  Recipe finalize(const ModelContext&) const {
    const Recipe x = params;
    return custom("negate", std::array{x}, x.spec(), [](auto operands, auto out) {
      for (std::size_t i = 0; i < out.size(); i += sizeof(float)) {
        float value = 0;
        std::memcpy(&value, operands[0].data() + i, sizeof value);
        value = -value;
        std::memcpy(out.data() + i, &value, sizeof value);
      }
    });
  }
};

struct MoeLayer {
  Parameter<models::Norm> moe_gate;
  Parameter<ExpertsDown> moe_mlp_2;
  static constexpr auto param_mapping =
      mapping<MoeLayer>(from("gate", to<&MoeLayer::moe_gate, &models::Norm::params>),
                        from("experts.*.down", to<&MoeLayer::moe_mlp_2, &ExpertsDown::experts>));
};
struct MoeRest {
  Parameter<Negated> negated;
  static constexpr auto param_mapping = mapping<MoeRest>(from("x", to<&MoeRest::negated, &Negated::params>));
};
struct MoePolicy {
  static constexpr std::string_view name = "tiny_moe";
  static constexpr std::array<std::string_view, 1> model_types{"tiny_moe"};
  static constexpr std::array<std::string_view, 1> architectures{"TinyMoe"};
  using Layer = MoeLayer;
  using NonTransformer = MoeRest;
  static ModelContext context(const ModelConfig& config) { return ModelContext::from_config(config); }
  static ContainerMap container_map(const ModelContext& m) {
    return ContainerMap().layers({"h"}, schema_of<MoeLayer>(), m.n_layers).non_transformer(schema_of<MoeRest>());
  }
};

// The rest has no mapping: it is filled by hand after the load.
struct ByHand {
  Parameter<models::Norm> made;
};
struct ByHandPolicy : MoePolicy {
  using NonTransformer = ByHand;
  static ContainerMap container_map(const ModelContext& m) {
    return ContainerMap()
        .skip("x", "made by hand")
        .layers({"h"}, schema_of<MoeLayer>(), m.n_layers)
        .non_transformer(schema_of<ByHand>());
  }
};

constexpr std::string_view kConfig = R"({"model_type": "tiny_moe", "hidden_size": 4, "num_hidden_layers": 2,
    "num_attention_heads": 1, "num_local_experts": 3})";

// Expert e of a layer counts up from 100 e + 1000 layer; experts are written in another order than their own.
std::string write_moe(const TempFolder& folder) {
  SafetensorsWriter writer;
  writer.tensor("x", DType::F32, {2}, bytes_of({1.0F, -2.0F}));
  for (int layer = 0; layer < 2; ++layer) {
    writer.tensor(fmt::format("h.{}.gate", layer), DType::F32, {3, 4});
    for (const int expert : {2, 0, 1}) {
      std::vector<float> values;
      for (int i = 0; i < 4 * 64; ++i) values.push_back(static_cast<float>(1000 * layer + 300 * expert + i));
      writer.tensor(fmt::format("h.{}.experts.{}.down", layer, expert), DType::F32, {4, 64},
                    bytes_of(std::span<const float>(values)));
    }
  }
  (void)writer.write(folder / "model.safetensors");
  folder.write("config.json", kConfig);
  return folder.path();
}

TEST(OwnPolicy, LoadsStacksShardsAndTransposesExperts) {
  const TempFolder folder;
  write_moe(folder);
  LoadOptions options;
  options.tp_size = 2;
  for (options.tp_rank = 0; options.tp_rank < 2; ++options.tp_rank) {
    const auto model = load<MoePolicy>(folder.path(), options);
    const MoeLayer layer = model.layer(1);
    const Tensor& down = layer.moe_mlp_2;
    ASSERT_EQ(down.shape, (Shape{3, 32, 4}));
    for (std::size_t e = 0; e < 3; ++e)
      for (std::size_t in = 0; in < 32; ++in)
        for (std::size_t out = 0; out < 4; ++out)
          ASSERT_EQ(down.as<float>()[(e * 32 + in) * 4 + out],
                    static_cast<float>(1000 + 300 * e + 64 * out + 32 * options.tp_rank + in));
  }
}

TEST(OwnPolicy, RunsCustomRecipes) {
  const TempFolder folder;
  const auto model = load<MoePolicy>(write_moe(folder));
  EXPECT_EQ(model.non_transformer().negated->as<float>()[0], -1.0F);
  EXPECT_EQ(model.non_transformer().negated->as<float>()[1], 2.0F);
}

TEST(OwnPolicy, FillsAContainerWithoutMappingAfterTheLoad) {
  const TempFolder folder;
  auto loaded = load<ByHandPolicy>(write_moe(folder));
  EXPECT_FALSE(loaded.model().is_populated());
  const auto value = std::make_shared<float>(3.0F);
  const Tensor tensor = contiguous_tensor(reinterpret_cast<std::byte*>(value.get()), DType::F32, Shape{1});
  loaded.model().containers().back().direct_injection("made", InferenceParameter(tensor, value));
  EXPECT_TRUE(loaded.model().is_populated());
  EXPECT_EQ(loaded.non_transformer().made->as<float>()[0], 3.0F);
}

TEST(OwnPolicy, IsFoundInTheRegistryThatIsGiven) {
  const TempFolder folder;
  write_moe(folder);
  EXPECT_TRUE(fails_with([&] { (void)load(folder.path()); }, Errc::unknown_architecture, {"'tiny_moe'"}));
  PolicyRegistry registry;
  registry.add<MoePolicy>();
  LoadOptions options;
  options.policies = &registry;
  EXPECT_EQ(load(folder.path(), options).report().policy, "tiny_moe");
}

TEST(OwnPolicy, FoldsWhatIsMissingOfAllExpertsOfAllLayers) {
  const TempFolder folder;
  (void)SafetensorsWriter().tensor("x", DType::F32, {2}).write(folder / "model.safetensors");
  folder.write("config.json", kConfig);
  const auto error = error_of([&] { (void)load<MoePolicy>(folder.path()); });
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing,
                        {"6 tensors", "h.{0..1}.experts.{0..2}.down", "transformer_layer_{0..1}.moe_mlp_2.experts"}));
  EXPECT_EQ(error->total(), 2U);
}

}  // namespace
}  // namespace ballast::test
