#include "recipe/extents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "ballast/error.hpp"

namespace ballast::recipes {
namespace {

constexpr std::string_view kTransposed = "the tensor is transposed: a Conv1D (GPT-2 style) checkpoint?";
constexpr std::string_view kAnother = "a config.json of another model, or a file written with other settings";

bool fits(std::uint64_t got, const Extent& wanted) {
  return wanted.value == 0 || got == wanted.value || (wanted.at_least && got > wanted.value);
}

[[noreturn]] void refuse(const Recipe& x, std::string_view what, std::string expected, std::string cause) {
  Diagnostic d;
  d.code = Errc::shape_mismatch;
  d.operation = std::string(what);
  d.what = fmt::format("{} has another shape than the config says", what);
  d.expected = std::move(expected);
  d.got = to_string(x.shape());
  d.cause = std::move(cause);
  throw Error(std::move(d));
}

// "32 along axis 1 (the model dimension)", of every axis that is wrong.
std::string expected_text(const Recipe& x, std::span<const Extent> axes) {
  std::string text;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axis < x.rank() && fits(x.shape()[axis], axes[axis])) continue;
    if (!text.empty()) text += " and ";
    if (axes[axis].value == 0)
      text += fmt::format("an axis {} ({})", axis, axes[axis].meaning);
    else
      text += fmt::format("{}{} along axis {} ({})", axes[axis].at_least ? "at least " : "", axes[axis].value, axis,
                          axes[axis].meaning);
  }
  return text.empty() ? fmt::format("{} axes", axes.size()) : text;
}

// Two axes that would fit if they changed places. A padded vocabulary does so as well.
bool is_transposed(const Recipe& x, std::span<const Extent> axes) {
  const std::size_t n = axes.size();
  if (n < 2 || x.rank() != n) return false;
  const Extent& a = axes[n - 2];
  const Extent& b = axes[n - 1];
  if (a.value == 0 || b.value == 0 || a.value == b.value) return false;
  for (std::size_t axis = 0; axis + 2 < n; ++axis)
    if (!fits(x.shape()[axis], axes[axis])) return false;
  return fits(x.shape()[n - 1], a) && fits(x.shape()[n - 2], b);
}

// The one number of the config that would have to be another.
std::string cause_text(const Recipe& x, std::span<const Extent> axes) {
  if (is_transposed(x, axes)) return std::string(kTransposed);
  const Extent* wrong = nullptr;
  std::uint64_t got = 0;
  for (std::size_t axis = 0; axis < axes.size() && axis < x.rank(); ++axis) {
    if (fits(x.shape()[axis], axes[axis])) continue;
    if (wrong != nullptr) return std::string(kAnother);
    wrong = &axes[axis];
    got = x.shape()[axis];
  }
  if (wrong == nullptr || wrong->key.empty() || x.rank() != axes.size()) return std::string(kAnother);
  return fmt::format("a config.json of another model: the tensor fits \"{}\": {}", wrong->key, got);
}

void check(const Recipe& x, std::span<const Extent> axes, std::string_view what) {
  bool right = x.rank() == axes.size();
  for (std::size_t axis = 0; right && axis < axes.size(); ++axis) right = fits(x.shape()[axis], axes[axis]);
  if (!right) refuse(x, what, expected_text(x, axes), cause_text(x, axes));
}

Extent model_dim(const ModelContext& m) { return {m.model_dim, "the model dimension", "hidden_size"}; }

// Which numbers of key/value heads the fused rows would fit, for the sentence.
std::string cause_of_qkv(const ModelContext& m, const Recipe& x) {
  if (x.rank() == 0 || m.head_size == 0 || m.n_heads == 0) return std::string(kAnother);
  const std::uint64_t rows = x.shape()[0];
  const std::uint64_t q_rows = m.n_heads * m.head_size;
  if (rows > q_rows && (rows - q_rows) % (2 * m.head_size) == 0) {
    const std::uint64_t heads_kv = (rows - q_rows) / (2 * m.head_size);
    if (heads_kv <= m.n_heads && m.n_heads % heads_kv == 0)
      return fmt::format("a config.json of another model: the tensors fit \"num_key_value_heads\": {}", heads_kv);
  }
  const std::uint64_t all_heads = m.n_heads + 2 * m.n_heads_kv;
  if (rows % all_heads == 0 && rows != 0)
    return fmt::format("a config.json of another model: the tensors fit \"head_dim\": {}", rows / all_heads);
  return "a config.json of another model: other heads, or another size of them";
}

// Extents that only one architecture has.
bool is_number_of(const ModelContext& m, std::uint64_t extent) {
  return std::any_of(m.extra.begin(), m.extra.end(), [&](const auto& entry) { return entry.second == extent; });
}

}  // namespace

void check_extents(const Recipe& x, std::initializer_list<Extent> axes, std::string_view what) {
  check(x, std::span(axes.begin(), axes.size()), what);
}

void check_qkv(const ModelContext& m, const Recipe& x) {
  const std::uint64_t rows = m.head_size * (m.n_heads + 2 * m.n_heads_kv);
  const bool right = (x.rank() == 1 || x.rank() == 2) && x.shape()[0] == rows &&
                     (x.rank() == 1 || m.model_dim == 0 || x.shape()[1] == m.model_dim);
  if (right) return;
  const std::string heads =
      fmt::format("{} query and 2 x {} key/value heads of {}", m.n_heads, m.n_heads_kv, m.head_size);
  const std::array<Extent, 2> axes{{{rows, heads, {}}, model_dim(m)}};
  const std::span<const Extent> mine = std::span(axes).first(x.rank() == 1 ? 1 : 2);
  const bool only_rows = x.rank() == mine.size() && (x.rank() == 1 || fits(x.shape()[1], axes[1]));
  refuse(x, "the fused qkv", expected_text(x, mine),
         only_rows && !is_transposed(x, mine) ? cause_of_qkv(m, x) : cause_text(x, mine));
}

void check_attn_out(const ModelContext& m, const Recipe& x) {
  if (x.rank() == 1) return check_extents(x, {model_dim(m)}, "the bias of the attention output");
  if (x.rank() == 2 && x.shape()[1] == m.head_size * m.n_heads && fits(x.shape()[0], model_dim(m))) return;
  const std::string heads = fmt::format("{} query heads of {}", m.n_heads, m.head_size);
  check_extents(x, {model_dim(m), {m.head_size * m.n_heads, heads, {}}}, "the attention output");
}

void check_vocab_matrix(const ModelContext& m, const Recipe& x, std::string_view what) {
  const Extent vocabulary{m.vocab_size, "the vocabulary", "vocab_size", true};
  if (x.rank() == 1) return check_extents(x, {vocabulary}, what);  // the bias of a head
  check_extents(x, {vocabulary, model_dim(m)}, what);
}

void check_mlp(const ModelContext& m, const Recipe& x, std::uint64_t inter_axis, std::uint64_t inter_dim,
               std::string_view what) {
  const bool shared = inter_dim != m.intermediate_dim;
  const Extent inter{inter_dim, "the intermediate dimension", shared ? "" : "intermediate_size"};
  if (x.rank() == 1) return check_extents(x, {inter_axis == 0 ? inter : model_dim(m)}, what);
  if (inter_axis == 0) return check_extents(x, {inter, model_dim(m)}, what);
  check_extents(x, {model_dim(m), inter}, what);
}

void check_experts(const ModelContext& m, const Recipe& x, std::uint64_t inter_axis, std::string_view what) {
  if (x.rank() != 2 && x.rank() != 3) return;  // the operations say what they need
  const Extent experts{is_number_of(m, x.shape()[0]) ? 0 : m.n_experts, "the experts", "num_experts"};
  // Gate and up in one matrix are twice as many.
  const std::uint64_t got = inter_axis < x.rank() ? x.shape()[inter_axis] : 0;
  const std::uint64_t wanted = m.moe_intermediate_dim != 0 ? m.moe_intermediate_dim : m.intermediate_dim;
  const Extent inter{got == 2 * wanted ? 0 : wanted, "the intermediate dimension of an expert",
                     wanted == m.intermediate_dim ? "intermediate_size" : "moe_intermediate_size"};
  if (x.rank() == 2) return check_extents(x, {experts, inter_axis == 1 ? inter : model_dim(m)}, what);
  if (inter_axis == 1) return check_extents(x, {experts, inter, model_dim(m)}, what);
  check_extents(x, {experts, model_dim(m), inter}, what);
}

void check_moe_gate(const ModelContext& m, const Recipe& x) {
  if (x.rank() != 1 && x.rank() != 2) return;
  // The gate of a shared expert has one row.
  const bool any = x.shape()[0] == 1 || is_number_of(m, x.shape()[0]);
  const Extent experts{any ? 0 : m.n_experts, "the experts", "num_experts"};
  if (x.rank() == 1) return check_extents(x, {experts}, "the bias of the experts' gate");
  check_extents(x, {experts, model_dim(m)}, "the experts' gate");
}

void check_norm(const ModelContext& m, const Recipe& x) {
  if (m.model_dim == 0 || x.rank() == 0) return;
  const std::uint64_t last = x.shape()[x.rank() - 1];
  const std::array<std::uint64_t, 5> known{m.model_dim, m.head_size, m.n_heads * m.head_size,
                                           m.n_heads_kv * m.head_size, m.intermediate_dim};
  const auto is_known = [&](std::uint64_t extent) {
    return std::find(known.begin(), known.end(), extent) != known.end() || is_number_of(m, extent);
  };
  if (is_known(last) || is_known(x.shape().numel())) return;
  refuse(x, "the norm", fmt::format("{} (the model dimension), or {} of each head", m.model_dim, m.head_size),
         x.rank() == 1 ? fmt::format("a config.json of another model: the tensor fits \"hidden_size\": {}", last)
                       : std::string(kAnother));
}

void check_is_plain(const Recipe& x, std::string_view what) {
  const DTypeInfo& type = info(x.dtype());
  const bool narrow = type.kind == DTypeKind::floating && type.block_bytes * 8 < 16 * type.block_elements;
  if (type.kind == DTypeKind::quantised || (type.kind == DTypeKind::floating && !narrow)) return;
  Diagnostic d;
  d.code = Errc::quantised_checkpoint;
  d.operation = std::string(what);
  d.what = fmt::format("{} is stored as {}, which only quantised weights are", what, type.name);
  d.expected = "a floating dtype of 16 bits or more, or a block type of GGUF";
  d.got = to_string(x.spec());
  d.cause = narrow ? "weights whose scales and config are missing; use the original checkpoint"
                   : "packed or scaled weights whose config is missing; use the original checkpoint";
  throw Error(std::move(d));
}

}  // namespace ballast::recipes
