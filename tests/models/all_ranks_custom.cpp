// Custom operations and shards of any kind, on every rank, and ranks that hold nothing of a tensor.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "ballast/models/common.hpp"
#include "models/tiny_llama.hpp"
#include "support/bytes.hpp"

namespace ballast::test {
namespace {

// This rank's rows, turned round by a function.
struct ReversedRows {
  Dependency params;
  Recipe finalize(const ModelContext& m) const {
    const Recipe rows = shard(params, 0, m.tp_rank, m.tp_size, 1);
    if (rows.shape()[0] == 0) return Recipe::nothing();
    return custom("reverse", std::array{rows}, rows.spec(), [](auto operands, auto out) {
      const auto* from = reinterpret_cast<const float*>(operands[0].data());
      std::reverse_copy(from, from + operands[0].size() / 4, reinterpret_cast<float*>(out.data()));
    });
  }
};
struct Columns {
  Dependency params;
  Recipe finalize(const ModelContext& m) const {
    return cast(shard(params, 1, m.tp_rank, m.tp_size, 1), m.tp_rank == 0 ? DType::BF16 : DType::F32);
  }
};

struct Rest {
  Parameter<ReversedRows> reversed;
  Parameter<Columns> columns;
  static constexpr auto param_mapping =
      mapping<Rest>(from("x", to<&Rest::reversed, &ReversedRows::params>, to<&Rest::columns, &Columns::params>));
};
struct Policy {
  static constexpr std::string_view name = "custom";
  static constexpr std::array<std::string_view, 1> model_types{"custom"};
  static constexpr std::array<std::string_view, 1> architectures{"Custom"};
  using Layer = Rest;
  using NonTransformer = Rest;
  static ModelContext context(const ModelConfig& config) { return ModelContext::from_config(config); }
  static ContainerMap container_map(const ModelContext&) { return ContainerMap().non_transformer(schema_of<Rest>()); }
};

// Three rows of two: 0, 1; 2, 3; 4, 5.
std::vector<TypedModel<Policy>> ranks_of(std::uint64_t tp_size) {
  const TempFolder folder;
  (void)SafetensorsWriter()
      .tensor("x", DType::F32, {3, 2}, bytes_of({0.0F, 1.0F, 2.0F, 3.0F, 4.0F, 5.0F}))
      .write(folder / "model.safetensors");
  folder.write("config.json", R"({"model_type": "custom", "hidden_size": 4, "num_hidden_layers": 1,
      "num_attention_heads": 1})");
  LoadOptions options;
  options.tp_size = tp_size;
  return load_ranks<Policy>(folder.path(), options);
}

std::vector<float> values(const Tensor& tensor) {
  return {tensor.as<float>(), tensor.as<float>() + tensor.shape.numel()};
}

TEST(AllRanksCustom, HaveOperandsOfTheirOwn) {
  const auto ranks = ranks_of(2);
  EXPECT_EQ(values(ranks[0].non_transformer().reversed), (std::vector<float>{3, 2, 1, 0}));
  EXPECT_EQ(values(ranks[1].non_transformer().reversed), (std::vector<float>{5, 4}));
  EXPECT_EQ(values(ranks[1].non_transformer().columns), (std::vector<float>{1, 3, 5}));
  EXPECT_EQ(ranks[0].non_transformer().columns->dtype, DType::BF16);
  EXPECT_EQ(ranks[0].non_transformer().columns->as<std::uint16_t>()[2], 0x4080);  // 4
  EXPECT_EQ(ranks[0].report().execute.bytes_read, 24U);
}

TEST(AllRanksCustom, MayBeMoreThanThereAreRowsOrColumns) {
  const auto ranks = ranks_of(3);
  const Rest rest = ranks[2].non_transformer();
  EXPECT_EQ(values(rest.reversed), (std::vector<float>{5, 4}));
  EXPECT_EQ(rest.columns->shape, (Shape{3, 0}));
  EXPECT_TRUE(ranks[2].model().is_populated());
}

TEST(AllRanksCustom, HoldNothingWhereNothingIsLeft) {
  const auto ranks = ranks_of(7);  // three have a row
  EXPECT_FALSE(ranks[4].model().containers()[0].parameters()[0].value().has_tensor());
  EXPECT_TRUE(ranks[4].model().is_populated());
  EXPECT_EQ(ranks[0].report().execute.bytes_read, 24U);
}

}  // namespace
}  // namespace ballast::test
