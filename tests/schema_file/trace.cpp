// What a C++ finalize says, as a formula.
#include "schema_file/trace.hpp"

#include <gtest/gtest.h>

#include "ballast/declare.hpp"
#include "ballast/models/common.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

template <class P>
struct Holder {
  Parameter<P> parameter;
};

template <class P>
std::string formula_of(const schema_file::ContextNames& names = {}) {
  const std::vector<schema_file::TracedForm> forms =
      schema_file::trace(schema_of<Holder<P>>().parameters().front(), names);
  EXPECT_EQ(forms.size(), 1U);
  return forms.front().recipe;
}

struct Plain {
  Dependency params;
  Recipe finalize(const ModelContext&) const { return params; }
};
struct Nothing {
  Dependency params;
  Recipe finalize(const ModelContext&) const { return Recipe::nothing(); }
};
struct Operations {
  Dependency a, b;
  Recipe finalize(const ModelContext& m) const {
    const Recipe joined = concat(1, slice(a, 0, 2, 8), interleave(0, a, b));
    return m.transform_gated_mlp_1(transpose(cast(joined, DType::F32), 0, 1), b);
  }
};
TEST(Trace, WritesOperationsDown) {
  EXPECT_EQ(formula_of<Plain>(), "params");
  EXPECT_EQ(formula_of<Nothing>(), "nothing");
  EXPECT_EQ(formula_of<models::UnfusedQkv>(), "transform_qkv(concat(0, q_params, k_params, v_params))");
  EXPECT_EQ(
      formula_of<Operations>(),
      "transform_gated_mlp_1(transpose(cast(concat(1, slice(a, 0, 2, 8), interleave(0, a, b)), 'F32'), 0, 1), b)");
}

// ---- conditions

struct OfGguf {
  Dependency params;
  Recipe finalize(const ModelContext& m) const {
    return m.transform_norm(m.from_gguf ? m.from_gguf_rope(params, m.n_heads_kv) : Recipe(params));
  }
};
struct TwoOptionals {
  OptionalDependency a, b;
  Recipe finalize(const ModelContext& m) const {
    if (a && b) return m.transform_norm(concat(0, a, b));
    return a ? Recipe(a) : Recipe(b);
  }
};
struct OptionalBias {
  OptionalDependency bias;
  Recipe finalize(const ModelContext& m) const { return bias ? m.transform_mlp_2(bias) : Recipe::nothing(); }
};
struct WeightOrBias {
  Dependency params;
  Recipe finalize(const ModelContext& m) const {
    return m.transform_mlp_1(params.shape().rank() == 1 ? Recipe(params) : transpose(params, 0, 1));
  }
};
struct OnRank0 {
  Dependency params;
  Recipe finalize(const ModelContext& m) const {
    return m.tp_rank == 0 ? m.to_activation_dtype(params) : Recipe::nothing();
  }
};
struct Sharded {
  Dependency params;
  Recipe finalize(const ModelContext& m) const {
    const Recipe mine = m.tp_size == 1 ? Recipe(params) : shard(params, 0, m.tp_rank, m.tp_size, m.head_size);
    return m.to_activation_dtype(mine);
  }
};
struct ByLayout {
  Dependency gate_up;
  Recipe finalize(const ModelContext& m) const {
    return m.gated_layout == GatedLayout::interleaved ? gate_up : transpose(gate_up, 0, 1);
  }
};
TEST(Trace, CasesBecomeConditions) {
  EXPECT_EQ(formula_of<OfGguf>(),
            "from_gguf ? transform_norm(from_gguf_rope(params, n_heads_kv)) : transform_norm(params)");
  EXPECT_EQ(formula_of<TwoOptionals>(), "present(a) ? present(b) ? transform_norm(concat(0, a, b)) : a : b");
  EXPECT_EQ(formula_of<OptionalBias>(), "transform_mlp_2(bias)") << "without it nothing is asked";
  EXPECT_EQ(formula_of<WeightOrBias>(),
            "rank(params) == 1 ? transform_mlp_1(params) : transform_mlp_1(transpose(params, 0, 1))");
  EXPECT_EQ(formula_of<OnRank0>(), "tp_rank == 0 ? to_activation_dtype(params) : nothing");
  EXPECT_EQ(formula_of<Sharded>(),
            "tp_size == 1 ? to_activation_dtype(params) : "
            "to_activation_dtype(shard(params, 0, tp_rank, tp_size, head_size))");
  EXPECT_EQ(formula_of<ByLayout>(), "gated_interleaved ? gate_up : transpose(gate_up, 0, 1)");
}

struct ByCondition {
  Dependency params;
  Recipe finalize(const ModelContext& m) const {
    return m.extra.at("is_scaled") != 0 ? m.transform_norm(params) : m.to_activation_dtype(params);
  }
};
TEST(Trace, ConditionsOfTheContextAreAskedByName) {
  EXPECT_EQ(formula_of<ByCondition>({.numbers = {}, .conditions = {"other", "is_scaled"}}),
            "is_scaled ? transform_norm(params) : to_activation_dtype(params)");
}

// One formula that does for a special case too is not told apart.
struct AlwaysSharded {
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return shard(params, 1, m.tp_rank, m.tp_size, 2 * m.head_size); }
};
TEST(Trace, SpecialCasesOfOneFormulaAreOne) {
  EXPECT_EQ(formula_of<AlwaysSharded>(), "shard(params, 1, tp_rank, tp_size, 2 * head_size)");
}

// A permutation needs its rank; no other rank can occur.
struct Permuted {
  Dependency params;
  Recipe finalize(const ModelContext&) const { return permute(params, {1, 0}); }
};
struct PermutedExperts {
  Dependency params;
  Recipe finalize(const ModelContext&) const { return permute(params, {0, 2, 1}); }
};
TEST(Trace, RanksThatCannotOccurAreLeftOut) { EXPECT_EQ(formula_of<Permuted>(), "permute(params, [1, 0])"); }

// ---- numbers

struct Numbers {
  Dependency params;
  Recipe finalize(const ModelContext& m) const {
    const std::uint64_t lora = m.extra.at("q_lora_rank");
    return reshape(params, {m.n_heads, m.head_size / 2, m.head_size * (m.n_heads + 2 * m.n_heads_kv),
                            m.n_heads / m.n_heads_kv, lora + 64, lora * m.n_heads, 7});
  }
};
struct Extents {
  Dependency gate_up, other;
  Recipe finalize(const ModelContext& m) const {
    const Shape& shape = gate_up.shape();
    const std::uint64_t half = shape[1] / 2;
    return m.transform_gated_moe_mlp_1(slice(gate_up, 1, 0, half), slice(gate_up, 1, half, shape[1]))
        .with_aux("other", reshape(other, {shape[0] * other.shape()[1], other.shape()[0]}));
  }
};
struct OfAResult {
  Dependency params;
  Recipe finalize(const ModelContext&) const {
    const Recipe turned = transpose(params, 0, 1);
    return slice(turned, 0, 0, turned.shape()[0] / 2);
  }
};
struct LastAxes {
  Dependency params;
  Recipe finalize(const ModelContext&) const {
    const std::uint64_t rank = params.shape().rank();
    return transpose(params, rank - 2, rank - 1);
  }
};
struct DTypes {
  Dependency a, b;
  Recipe finalize(const ModelContext&) const { return concat(0, cast(a, b.dtype()), cast(b, DType::F16)); }
};
TEST(Trace, NumbersAreFoundByTheirValues) {
  EXPECT_EQ(formula_of<Numbers>({.numbers = {"q_lora_rank"}, .conditions = {}}),
            "reshape(params, [n_heads, head_size / 2, (n_heads + 2 * n_heads_kv) * head_size, n_heads / n_heads_kv, "
            "q_lora_rank + 64, n_heads * q_lora_rank, 7])");
  EXPECT_EQ(formula_of<Extents>(),
            "with_aux(transform_gated_moe_mlp_1(slice(gate_up, 1, 0, extent(gate_up, 1) / 2), "
            "slice(gate_up, 1, extent(gate_up, 1) / 2, extent(gate_up, 1))), 'other', "
            "reshape(other, [extent(gate_up, 0) * extent(other, 1), extent(other, 0)]))");
  EXPECT_EQ(formula_of<OfAResult>(), "slice(transpose(params, 0, 1), 0, 0, extent(transpose(params, 0, 1), 0) / 2)");
  EXPECT_EQ(formula_of<LastAxes>(), "transpose(params, rank(params) - 2, rank(params) - 1)");
  EXPECT_EQ(formula_of<DTypes>(), "concat(0, cast(a, dtype(a)), cast(b, 'F16'))");
}

// ---- lists

struct Experts {
  DependencyList<&ModelContext::n_experts> gate, up;
  Recipe finalize(const ModelContext& m) const { return m.transform_gated_moe_mlp_1(stack(gate), stack(up)); }
};
struct EachTurned {
  DependencyList<&ModelContext::n_experts> experts;
  Dependency bias;
  Recipe finalize(const ModelContext&) const {
    std::vector<Recipe> all;
    for (const Recipe& expert : experts.all()) all.push_back(concat(0, transpose(expert, 0, 1), bias));
    all.push_back(bias);
    return stack(all, 1);
  }
};
struct FirstAndLast {
  DependencyList<&ModelContext::n_layers> all;
  Recipe finalize(const ModelContext&) const {
    return reshape(concat(0, all.all()[0], all.all()[all.size() - 1]), {all.size(), 2});
  }
};
TEST(Trace, ListsAreLists) {
  EXPECT_EQ(formula_of<Experts>(), "transform_gated_moe_mlp_1(stack(0, gate), stack(0, up))");
  EXPECT_EQ(formula_of<EachTurned>(), "stack(1, each(concat(0, transpose(experts, 0, 1), bias)), bias)");
  EXPECT_EQ(formula_of<FirstAndLast>(),
            "reshape(concat(0, element(all, 0), element(all, length(all) - 1)), [length(all), 2])");
}

// ---- what is no formula

struct Custom {
  Dependency params;
  Recipe finalize(const ModelContext&) const {
    const Recipe x = params;
    return custom("negate", std::array{x}, x.spec(), [](auto, auto) {});
  }
};
struct ByNumber {
  Dependency params;
  Recipe finalize(const ModelContext& m) const {
    return m.n_heads == m.n_heads_kv ? m.transform_norm(params) : m.transform_qkv(params);
  }
};
struct ByOne {
  Dependency params;
  Recipe finalize(const ModelContext& m) const {
    return m.n_heads_kv == 1 ? m.transform_norm(params) : m.transform_qkv(params);
  }
};
struct FromElsewhere {
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return slice(params, 0, 0, m.n_heads % 1001); }
};
struct OfDType {
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return cast(params, m.dtype.value_or(DType::F16)); }
};
TEST(Trace, WhatIsNoFormulaIsRefused) {
  const auto refused = [](const std::function<void()>& trace, std::string_view what) {
    EXPECT_TRUE(fails_with(trace, Errc::invalid_argument, {what}));
  };
  refused([] { (void)formula_of<Custom>(); }, "the recipe has a custom operation");
  refused([] { (void)formula_of<ByNumber>(); }, "its recipe branches on a number of the model");
  refused([] { (void)formula_of<ByOne>(); }, "its recipe branches on a number of the model");
  refused([] { (void)formula_of<FromElsewhere>(); }, "a number that is no simple formula");
  refused([] { (void)formula_of<OfDType>(); }, "a dtype that is none of its dependencies'");
}

}  // namespace
}  // namespace ballast::test
