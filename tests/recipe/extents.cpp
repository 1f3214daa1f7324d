// The transforms find a config that contradicts the tensors, and say which number would fit. They refuse no extent that
// a published checkpoint may have.
#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using Transform = Recipe (ModelContext::*)(const Recipe&) const;

// 4 query and 2 key/value heads of 8, dimension 32; experts of 48, of which there are 6.
ModelContext numbers() {
  ModelContext m;
  m.model_dim = 32;
  m.n_heads = 4;
  m.n_heads_kv = 2;
  m.head_size = 8;
  m.intermediate_dim = 64;
  m.vocab_size = 100;
  m.n_experts = 6;
  m.moe_intermediate_dim = 48;
  m.extra["of_its_own"] = 48;
  return m;
}

testing::AssertionResult refuses(Transform transform, const Shape& shape, std::initializer_list<std::string_view> parts,
                                 const ModelContext& m = numbers()) {
  return fails_with([&] { (void)(m.*transform)(stored(shape)); }, Errc::shape_mismatch, parts);
}

TEST(Extents, OfNorms) {
  // The dimension; a head; all query heads (32 too); all key/value heads; the intermediate dimension; a number of its
  // own.
  for (const std::uint64_t extent : {32U, 8U, 16U, 64U, 48U})
    EXPECT_EQ(numbers().transform_norm(stored({extent})).shape(), Shape{extent});
  EXPECT_EQ(numbers().transform_norm(stored({4, 8})).shape(), (Shape{4, 8}));  // one for each head
  EXPECT_TRUE(refuses(&ModelContext::transform_norm, {24},
                      {"the norm has another shape", "32 (the model dimension), or 8 of each head", "got:      [24]",
                       "\"hidden_size\": 24"}));
  EXPECT_EQ(ModelContext().transform_norm(stored({24})).shape(), Shape{24});  // nothing to go by
}

TEST(Extents, OfTheHead) {
  EXPECT_EQ(numbers().transform_unembed(stored({128, 32})).shape(), (Shape{128, 32}));  // padded
  EXPECT_EQ(numbers().transform_unembed(stored({100})).shape(), Shape{100});            // a bias
  EXPECT_TRUE(refuses(&ModelContext::transform_unembed, {99, 32}, {"the head", "at least 100", "\"vocab_size\": 99"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_unembed, {100, 24}, {"the head", "32 along axis 1"}));
}

TEST(Extents, OfExperts) {
  const ModelContext m = numbers();
  EXPECT_EQ(m.transform_moe_mlp_1(stored({6, 48, 32})).shape(), (Shape{6, 32, 48}));
  ModelContext plain = m;
  plain.moe_intermediate_dim = 0;  // experts as wide as the MLP of a dense layer
  EXPECT_EQ(plain.transform_moe_mlp_1(stored({6, 64, 32})).shape(), (Shape{6, 32, 64}));
  EXPECT_EQ(m.transform_moe_mlp_1(stored({6, 96, 32})).shape(), (Shape{6, 32, 96}));  // gate and up in one
  EXPECT_EQ(m.transform_moe_mlp_2(stored({6, 32, 48})).shape(), (Shape{6, 48, 32}));
  EXPECT_EQ(m.transform_moe_mlp_1(stored({6, 48})).shape(), (Shape{6, 48}));  // biases
  EXPECT_EQ(m.transform_moe_mlp_2(stored({6, 32})).shape(), (Shape{6, 32}));
  EXPECT_TRUE(
      refuses(&ModelContext::transform_moe_mlp_1, {5, 48, 32}, {"6 along axis 0 (the experts)", "[5, 48, 32]"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_moe_mlp_1, {6, 64, 32}, {"48 along axis 1", "moe_intermediate_size"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_moe_mlp_1, {6, 48, 24}, {"32 along axis 2 (the model dimension)"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_moe_mlp_2, {6, 24, 48}, {"32 along axis 1"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_moe_mlp_2, {6, 24}, {"32 along axis 1"}));
}

TEST(Extents, OfGatedExperts) {
  const ModelContext m = numbers();
  EXPECT_EQ(m.transform_gated_moe_mlp_1(stored({6, 48, 32}), stored({6, 48, 32})).shape(), (Shape{6, 32, 96}));
  EXPECT_TRUE(fails_with(
      [&] {
        (void)m.transform_gated_moe_mlp_1(stored({6, 48, 32}), stored({6, 40, 32}));
      },
      Errc::shape_mismatch, {"the experts' up projection", "[6, 40, 32]"}));
}

TEST(Extents, OfTheGateOfExperts) {
  EXPECT_EQ(numbers().transform_moe_gate(stored({6, 32})).shape(), (Shape{6, 32}));
  EXPECT_EQ(numbers().transform_moe_gate(stored({6})).shape(), Shape{6});            // a bias
  EXPECT_EQ(numbers().transform_moe_gate(stored({1, 32})).shape(), (Shape{1, 32}));  // of a shared expert
  EXPECT_TRUE(refuses(&ModelContext::transform_moe_gate, {5, 32}, {"the experts' gate", "6 along axis 0"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_moe_gate, {6, 24}, {"the experts' gate", "32 along axis 1"}));
}

TEST(Extents, OfBiasesOfWhatIsSummedOverRanks) {
  EXPECT_TRUE(refuses(&ModelContext::transform_attn_out, {24}, {"the bias of the attention output", "32"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_mlp_2, {64}, {"the second MLP matrix", "32"}));
}

TEST(Extents, SayThatATensorIsTransposed) {
  constexpr std::string_view kSays = "the tensor is transposed: a Conv1D (GPT-2 style) checkpoint?";
  EXPECT_TRUE(refuses(&ModelContext::transform_mlp_1, {32, 64}, {kSays}));
  EXPECT_TRUE(refuses(&ModelContext::transform_mlp_2, {64, 32}, {kSays}));
  EXPECT_TRUE(refuses(&ModelContext::transform_qkv, {32, 64}, {kSays}));
  EXPECT_TRUE(refuses(&ModelContext::transform_embedding, {32, 128}, {kSays}));
  EXPECT_TRUE(refuses(&ModelContext::transform_moe_gate, {32, 6}, {kSays}));
  ModelContext wide = numbers();
  wide.head_size = 16;
  EXPECT_TRUE(refuses(&ModelContext::transform_attn_out, {64, 32}, {kSays}, wide));
  EXPECT_TRUE(refuses(&ModelContext::transform_mlp_1, {32, 65}, {"a config.json of another model"}));
}

TEST(Extents, SayWhichNumberWouldFit) {
  EXPECT_TRUE(refuses(&ModelContext::transform_mlp_1, {96, 32}, {"\"intermediate_size\": 96"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_embedding, {99, 32}, {"\"vocab_size\": 99"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_qkv, {96, 32}, {"\"num_key_value_heads\": 4"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_qkv, {48, 32}, {"\"num_key_value_heads\": 1"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_qkv, {128, 32}, {"\"head_dim\": 16"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_qkv, {64, 24}, {"32 along axis 1", "\"hidden_size\": 24"}));
}

TEST(Extents, OfAnotherNumberOfAxes) {
  EXPECT_TRUE(refuses(&ModelContext::transform_mlp_1, {64, 32, 1}, {"[64, 32, 1]"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_embedding, {}, {"the embedding"}));
  EXPECT_TRUE(refuses(&ModelContext::transform_qkv, {64, 32, 1}, {"the fused qkv"}));
}

TEST(Extents, ConcatSaysThatAnOperandIsTransposed) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)concat(0, stored({32, 32}), stored({32, 16}));
      },
      Errc::shape_mismatch, {"[32, 16]", "one of the tensors is transposed"}));
  const auto other = error_of([] { (void)concat(0, stored({32, 32}), stored({16, 24})); });
  ASSERT_TRUE(other);
  EXPECT_EQ(other->diagnostics()[0].cause, "");
}

// Dtypes that only quantised weights have; what is no weight of the layout table is not looked at.
TEST(PlainDtypes, AreWhatWeightsAwait) {
  const ModelContext m = numbers();
  for (const DType dtype : {DType::I8, DType::U8, DType::I32, DType::U32, DType::F8_E4M3, DType::F8_E5M2, DType::F4}) {
    const auto refused = [&](auto&& transform) {
      return fails_with(transform, Errc::quantised_checkpoint, {name(dtype), "use the original checkpoint"});
    };
    EXPECT_TRUE(refused([&] { (void)m.transform_mlp_1(stored({64, 32}, dtype)); })) << name(dtype);
    EXPECT_TRUE(refused([&] { (void)m.transform_qkv(stored({64, 32}, dtype)); }));
    EXPECT_TRUE(refused([&] { (void)m.transform_attn_out(stored({32, 32}, dtype)); }));
    EXPECT_TRUE(refused([&] { (void)m.transform_mlp_2(stored({32, 64}, dtype)); }));
    EXPECT_TRUE(refused([&] { (void)m.transform_gated_mlp_1(stored({64, 32}), stored({64, 32}, dtype)); }));
    EXPECT_TRUE(refused([&] { (void)m.transform_embedding(stored({100, 32}, dtype)); }));
    EXPECT_TRUE(refused([&] { (void)m.transform_unembed(stored({100, 32}, dtype)); }));
    EXPECT_TRUE(refused([&] { (void)m.transform_norm(stored({32}, dtype)); }));
    EXPECT_TRUE(refused([&] { (void)m.transform_moe_gate(stored({6, 32}, dtype)); }));
    EXPECT_TRUE(refused([&] { (void)m.transform_moe_mlp_1(stored({6, 48, 32}, dtype)); }));
    EXPECT_TRUE(refused([&] { (void)m.transform_moe_mlp_2(stored({6, 32, 48}, dtype)); }));
    EXPECT_EQ(m.to_activation_dtype(stored({3}, dtype)).dtype(), dtype);
  }
  for (const DType dtype : {DType::F64, DType::F32, DType::F16, DType::BF16, DType::Q8_0, DType::Q4_0})
    EXPECT_EQ(m.transform_mlp_1(stored({64, 32}, dtype)).shape(), (Shape{64, 32})) << name(dtype);
}

}  // namespace
}  // namespace ballast::test
