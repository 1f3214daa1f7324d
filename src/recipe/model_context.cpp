#include "ballast/model_context.hpp"

#include <fmt/format.h>

#include <array>

#include "ballast/error.hpp"
#include "ballast/sharding.hpp"

namespace ballast {

namespace {

void complain(Diagnostics& faults, const ModelConfig& config, std::string what, std::string expected, std::string got) {
  Diagnostic d;
  d.code = Errc::context_invalid;
  d.operation = "read config";
  d.what = std::move(what);
  d.file = config.path;
  d.expected = std::move(expected);
  d.got = std::move(got);
  faults.add(std::move(d));
}

// Upper bounds keep products of a config's numbers far from overflow and what is made for each layer far from
// exhausting memory; no published model comes near them.
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 31;
constexpr std::uint64_t kMostLayers = 4096;

void require(Diagnostics& faults, const ModelConfig& config, std::uint64_t number, std::string_view key,
             std::string_view gguf_key, std::uint64_t most = kMostElements) {
  if (number == 0)
    complain(faults, config, fmt::format("the config does not say {}", config.from_gguf ? gguf_key : key),
             "a positive number", "nothing");
  else if (number > most)
    complain(faults, config, fmt::format("{} is absurd", config.from_gguf ? gguf_key : key),
             fmt::format("at most {}", most), std::to_string(number));
}

}  // namespace

ModelContext ModelContext::from_config(const ModelConfig& config) {
  Diagnostics faults;
  require(faults, config, config.model_dim, "hidden_size", "embedding_length");
  require(faults, config, config.n_layers, "num_hidden_layers", "block_count", kMostLayers);
  require(faults, config, config.n_heads, "num_attention_heads", "attention.head_count");

  ModelContext m;
  m.model_type = config.model_type;
  m.model_dim = config.model_dim;
  m.n_layers = config.n_layers;
  m.n_heads = config.n_heads;
  m.n_heads_kv = config.n_heads_kv != 0 ? config.n_heads_kv : config.n_heads;
  m.head_size = config.head_size;
  if (m.head_size == 0 && m.n_heads != 0) m.head_size = m.model_dim / m.n_heads;
  m.intermediate_dim = config.intermediate_dim;
  m.vocab_size = config.vocab_size;
  m.n_experts = config.n_experts;
  m.max_positions = config.max_positions;
  m.type_vocab_size = config.type_vocab_size;
  m.tie_word_embeddings = config.tie_word_embeddings.value_or(false);
  m.from_gguf = config.from_gguf;
  m.moe_intermediate_dim = config.moe_intermediate_dim;
  m.shared_intermediate_dim = config.shared_intermediate_dim;

  // What follows from an absent number is not worth a complaint of its own.
  if (config.head_size != 0 || (m.model_dim != 0 && m.n_heads != 0)) {
    if (config.head_size == 0 && m.model_dim % m.n_heads != 0)
      complain(faults, config, "the dimension is not a multiple of the heads, and no head_dim is given",
               fmt::format("a multiple of {}", m.n_heads), std::to_string(m.model_dim));
    else
      require(faults, config, m.head_size, "head_dim", "attention.key_length");
  }
  if (config.n_heads_kv != 0) require(faults, config, m.n_heads_kv, "num_key_value_heads", "attention.head_count_kv");
  if (m.n_heads_kv != 0 && m.n_heads % m.n_heads_kv != 0)
    complain(faults, config, "query heads cannot share key/value heads evenly",
             fmt::format("a number that divides {} query heads", m.n_heads),
             fmt::format("{} key/value heads", m.n_heads_kv));
  faults.throw_if_any();
  return m;
}

void ModelContext::check_ranks() const { (void)shard_endpoints(0, tp_rank, tp_size, 1); }

std::optional<std::uint64_t> ModelContext::attribute(std::string_view wanted) const noexcept {
  using Entry = std::pair<std::string_view, std::uint64_t ModelContext::*>;
  static constexpr std::array<Entry, 13> kNumbers{{{"model_dim", &ModelContext::model_dim},
                                                   {"n_layers", &ModelContext::n_layers},
                                                   {"n_heads", &ModelContext::n_heads},
                                                   {"n_heads_kv", &ModelContext::n_heads_kv},
                                                   {"head_size", &ModelContext::head_size},
                                                   {"intermediate_dim", &ModelContext::intermediate_dim},
                                                   {"vocab_size", &ModelContext::vocab_size},
                                                   {"n_experts", &ModelContext::n_experts},
                                                   {"moe_intermediate_dim", &ModelContext::moe_intermediate_dim},
                                                   {"shared_intermediate_dim", &ModelContext::shared_intermediate_dim},
                                                   {"max_positions", &ModelContext::max_positions},
                                                   {"type_vocab_size", &ModelContext::type_vocab_size},
                                                   {"tp_size", &ModelContext::tp_size}}};
  for (const auto& [key, member] : kNumbers)
    if (key == wanted) return this->*member;
  if (const auto found = extra.find(wanted); found != extra.end()) return found->second;
  return std::nullopt;
}

std::uint64_t ModelContext::number(std::string_view wanted) const {
  if (const auto found = extra.find(wanted); found != extra.end()) return found->second;
  Diagnostic d;
  d.code = Errc::context_invalid;
  d.operation = "finalize";
  d.what = fmt::format("the model context has no number '{}'", wanted);
  d.cause = "a policy whose context() does not set what its recipes ask for";
  throw Error(std::move(d));
}

}  // namespace ballast
