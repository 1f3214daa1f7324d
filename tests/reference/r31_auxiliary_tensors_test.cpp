// R31: a result carries auxiliary tensors (scales) that move with it; names may not clash.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "models/expected.hpp"
#include "support/bytes.hpp"
#include "support/faults.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::reference {
namespace {

struct Scaled {
  Dependency weight, scale;
  Recipe finalize(const ModelContext&) const { return Recipe(weight).with_aux("scale", scale); }
};
struct Clashing {
  Dependency weight, scale;
  Recipe finalize(const ModelContext&) const {
    return Recipe(weight).with_aux("scale", scale).with_aux("scale", scale);
  }
};
template <class P>
struct Holder {
  Parameter<P> w;
  static constexpr auto param_mapping =
      mapping<Holder>(from("weight", to<&Holder::w, &P::weight>), from("scale", to<&Holder::w, &P::scale>));
};

TEST(R31, AuxiliaryTensorsMoveWithTheResult) {
  InferenceParameter kept;
  {
    LayerContainer container = test::container_of<Holder<Scaled>>();
    test::hand_in(container, "weight", test::stored({2}, {1, 2}));
    test::hand_in(container, "scale", test::stored({1}, {8}));
    kept = container["w"].value();
  }
  EXPECT_EQ(test::values(kept.aux().at("scale")), std::vector<float>{8});
}

struct ScaledPolicy {
  static constexpr std::string_view name = "scaled";
  static constexpr std::array<std::string_view, 1> model_types{"scaled"};
  static constexpr std::array<std::string_view, 1> architectures{"Scaled"};
  using Layer = Holder<Scaled>;
  using NonTransformer = Holder<Scaled>;
  static ModelContext context(const ModelConfig& config) { return ModelContext::from_config(config); }
  static ContainerMap container_map(const ModelContext&) {
    return ContainerMap().non_transformer(schema_of<Holder<Scaled>>());
  }
};

TEST(R31, LoadedOnesLieInTheArenaToo) {
  const test::TempFolder folder;
  (void)test::SafetensorsWriter()
      .tensor("weight", DType::F32, {2}, test::bytes_of({1.0F, 2.0F}))
      .tensor("scale", DType::F32, {1}, test::bytes_of({8.0F}))
      .write(folder / "model.safetensors");
  folder.write("config.json", R"({"model_type": "scaled", "hidden_size": 1, "num_hidden_layers": 1,
      "num_attention_heads": 1})");
  const auto model = load<ScaledPolicy>(folder.path());
  const Holder<Scaled> rest = model.non_transformer();
  EXPECT_EQ(test::values(rest.w), (std::vector<float>{1, 2}));
  const Tensor& scale = rest.w.aux("scale");
  EXPECT_EQ(test::values(scale), std::vector<float>{8});
  EXPECT_EQ((scale.as<std::byte>() - model.arena().data()) % 256, 0);
}

TEST(R31, NamesMayNotClash) {
  LayerContainer container = test::container_of<Holder<Clashing>>();
  test::hand_in(container, "weight", test::stored({2}, {1, 2}));
  EXPECT_TRUE(test::fails_with([&] { test::hand_in(container, "scale", test::stored({1}, {8})); },
                               Errc::finalize_failed, {"'scale'"}));
  InferenceParameter value;
  value.add_aux("scale", {});
  EXPECT_TRUE(test::fails_with([&] { value.add_aux("scale", {}); }, Errc::aux_clash, {"'scale'"}));
}

}  // namespace
}  // namespace ballast::reference
