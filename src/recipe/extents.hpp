// Operands against the numbers of the config: a tensor of another shape is found, and what it would fit is said.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "ballast/model_context.hpp"

namespace ballast::recipes {

// One axis of an operand, as the config has it.
struct Extent {
  std::uint64_t value = 0;   // 0: the config does not say, so that any will do
  std::string_view meaning;  // "the model dimension"
  std::string_view key;      // of config.json, where one number alone says it: "hidden_size"
  bool at_least = false;     // a larger one will do too
};

// Throws Error(shape_mismatch) where x has another rank than there are extents, or another extent. `what` is the noun
// of the sentence: "the embedding".
void check_extents(const Recipe& x, std::initializer_list<Extent> axes, std::string_view what);

// Rows of all query, key and value heads; a bias has no second axis.
void check_qkv(const ModelContext& m, const Recipe& x);
void check_attn_out(const ModelContext& m, const Recipe& x);
// [vocab, dim]; published checkpoints may pad the vocabulary beyond what the config says.
void check_vocab_matrix(const ModelContext& m, const Recipe& x, std::string_view what);
// [inter, dim] (`inter_axis` 0) or [dim, inter] (1), or the bias that goes with it.
void check_mlp(const ModelContext& m, const Recipe& x, std::uint64_t inter_axis, std::uint64_t inter_dim,
               std::string_view what);
// The same of stacked experts, [E, inter, dim] or [E, dim, inter].
void check_experts(const ModelContext& m, const Recipe& x, std::uint64_t inter_axis, std::string_view what);
// [experts, dim], or its bias.
void check_moe_gate(const ModelContext& m, const Recipe& x);
// A norm may be of the model dimension, of a head, of all heads, or of another number of the context.
void check_norm(const ModelContext& m, const Recipe& x);

// Throws Error(quantised_checkpoint) for a dtype that a weight has only where it is quantised: an integer, or a float8
// whose scale is lost.
void check_is_plain(const Recipe& x, std::string_view what);

}  // namespace ballast::recipes
