// R38: parameters are sharded, converted and laid out through the model, with the same result bit for bit as worked out
// apart from Ballast (fixtures/README.md). The experts, of which no fixture has any, are worked out here.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "models/expected.hpp"

namespace ballast::reference {
namespace {

TEST(R38, FixturesOnEveryRankBitForBit) {
  // Grouped heads, more ranks than key/value heads, uneven shards, biases, quantised blocks that shards cut through.
  for (const char* name :
       {"llama_gqa_bf16_sharded", "llama_mqa_f16", "llama_uneven_f32", "bert_f32", "llama_gguf_q4_0"})
    for (const test::Case& one : test::read_expected(name).cases)
      EXPECT_EQ(
          test::differences(test::tensors_of(load(test::checkpoint_path(name), one.options()).model()), one.tensors),
          "")
          << name << ", rank " << one.name();
}

struct MoeGate {
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_moe_gate(params); }
};
struct MoeMlp1 {
  DependencyList<&ModelContext::n_experts> gates, ups;
  Recipe finalize(const ModelContext& m) const { return m.transform_gated_moe_mlp_1(stack(gates), stack(ups)); }
};
struct MoeMlp2 {
  DependencyList<&ModelContext::n_experts> experts;
  Recipe finalize(const ModelContext& m) const { return m.transform_moe_mlp_2(stack(experts)); }
};
struct MoeLayer {
  Parameter<MoeGate> moe_gate;
  Parameter<MoeMlp1> moe_mlp_1;
  Parameter<MoeMlp2> moe_mlp_2;
  static constexpr auto param_mapping = mapping<MoeLayer>(
      from("gate", to<&MoeLayer::moe_gate, &MoeGate::params>), from("w1.*", to<&MoeLayer::moe_mlp_1, &MoeMlp1::gates>),
      from("w3.*", to<&MoeLayer::moe_mlp_1, &MoeMlp1::ups>), from("w2.*", to<&MoeLayer::moe_mlp_2, &MoeMlp2::experts>));
};

constexpr std::uint64_t kDim = 3, kInter = 96;

// Stored [out, in], the element at (o, i) of expert e is 10000 e + 100 o + i (and a half in the up projections).
test::Stored expert(std::uint64_t e, std::uint64_t out, std::uint64_t in, float extra) {
  std::vector<float> values;
  for (std::uint64_t o = 0; o < out; ++o)
    for (std::uint64_t i = 0; i < in; ++i) values.push_back(static_cast<float>(10000 * e + 100 * o + i) + extra);
  return test::stored({out, in}, std::move(values));
}

TEST(R38, ExpertsAreStackedShardedAndTransposed) {
  const std::uint64_t first[] = {0, 64}, last[] = {64, 96};  // three chunks of 32 over two ranks
  for (const std::uint64_t rank : {0U, 1U}) {
    auto context = std::make_shared<ModelContext>();
    context->n_experts = 2;
    context->tp_rank = rank;
    context->tp_size = 2;
    LayerContainer container = test::container_of<MoeLayer>(context);
    test::hand_in(container, "gate", test::counting({2, kDim}, 0));
    for (const std::uint64_t e : {1U, 0U}) {
      test::hand_in(container, fmt::format("w1.{}", e), expert(e, kInter, kDim, 0));
      test::hand_in(container, fmt::format("w3.{}", e), expert(e, kInter, kDim, 0.5F));
      test::hand_in(container, fmt::format("w2.{}", e), expert(e, kDim, kInter, 0));
    }
    EXPECT_EQ(container["moe_gate"].tensor().shape, (Shape{2, kDim})) << "not sharded";
    std::vector<float> mlp_1, mlp_2;
    for (std::uint64_t e = 0; e < 2; ++e)
      for (std::uint64_t in = 0; in < kDim; ++in)
        for (std::uint64_t out = first[rank]; out < last[rank]; ++out)
          for (const float extra : {0.0F, 0.5F})
            mlp_1.push_back(static_cast<float>(10000 * e + 100 * out + in) + extra);
    for (std::uint64_t e = 0; e < 2; ++e)
      for (std::uint64_t in = first[rank]; in < last[rank]; ++in)
        for (std::uint64_t out = 0; out < kDim; ++out) mlp_2.push_back(static_cast<float>(10000 * e + 100 * out + in));
    const std::uint64_t mine = last[rank] - first[rank];
    EXPECT_EQ(container["moe_mlp_1"].tensor().shape, (Shape{2, kDim, 2 * mine}));
    EXPECT_EQ(test::values(container["moe_mlp_1"].tensor()), mlp_1);
    EXPECT_EQ(container["moe_mlp_2"].tensor().shape, (Shape{2, mine, kDim}));
    EXPECT_EQ(test::values(container["moe_mlp_2"].tensor()), mlp_2);
  }
}

}  // namespace
}  // namespace ballast::reference
