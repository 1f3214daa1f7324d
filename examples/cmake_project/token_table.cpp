// An architecture in one source file: of a Llama, only its embedding, column by column ([dim, vocab]).
//
//   token_table CHECKPOINT
#include <array>
#include <exception>
#include <iostream>
#include <string_view>

#include "ballast/declare.hpp"
#include "ballast/load.hpp"
#include "ballast/policy.hpp"

namespace {

// A parameter: what it depends on, and how the final tensor is made of that.
struct EmbeddingColumns {
  ballast::Dependency rows;
  ballast::Recipe finalize(const ballast::ModelContext& m) const {
    return transpose(m.transform_embedding(rows), 0, 1);
  }
};

// A container: parameters, and which name of a checkpoint fills what.
struct TokenTable {
  ballast::Parameter<EmbeddingColumns> table;

  static constexpr auto param_mapping = ballast::mapping<TokenTable>(ballast::from_any(
      {"model.embed_tokens.weight", "token_embd.weight"}, ballast::to<&TokenTable::table, &EmbeddingColumns::rows>));
};
static_assert(ballast::well_mapped<TokenTable>);

// A policy: where the names of a checkpoint go. It answers to its own name only, so it is asked for by that.
struct TokenTablePolicy {
  static constexpr std::string_view name = "token_table";
  static constexpr std::array<std::string_view, 0> model_types{};
  static constexpr std::array<std::string_view, 0> architectures{};

  static ballast::ModelContext context(const ballast::ModelConfig& config) {
    return ballast::ModelContext::from_config(config);
  }
  static ballast::ContainerMap container_map(const ballast::ModelContext& /*context*/) {
    ballast::ContainerMap map;
    map.non_transformer(ballast::schema_of<TokenTable>());
    for (const char* unused : {"model.layers", "model.norm", "lm_head", "blk", "output", "output_norm", "rope_freqs"})
      map.skip(unused, "only the embedding is wanted");
    return map;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: token_table CHECKPOINT\n";
    return 2;
  }
  try {
    ballast::PolicyRegistry::global().add<TokenTablePolicy>();
    ballast::LoadOptions options;
    options.model_type = TokenTablePolicy::name;
    const ballast::LoadedModel loaded = ballast::load(argv[1], options);
    const ballast::Tensor& table = loaded.non_transformer<TokenTable>().table;
    std::cout << "table " << name(table.dtype) << ' ' << to_string(table.shape) << ", "
              << loaded.report().execute.bytes_read << " of " << loaded.catalog().tensor_bytes() << " bytes read\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
