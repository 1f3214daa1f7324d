// How Ballast reports what is wrong.
//
// One exception type, `Error`, carries a machine-readable code and a list of diagnostics: one diagnostic per fault,
// and all faults of a stage together. The library never prints, aborts or exits.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ballast {

// The kinds of fault. The names are stable and appear in the tool's JSON (see `name(Errc)`).
enum class Errc : std::uint16_t {
  // reading files
  io_open,             // a file or folder cannot be opened
  io_read,             // a read failed or came up short
  io_changed,          // a file changed size or identity while it was being read
  not_a_regular_file,  // a FIFO, device or socket in place of a file
  // file formats
  not_a_checkpoint,  // a Git LFS pointer, an HTML page, an empty file, an unknown format
  header_truncated,  // the file ends inside its header
  header_too_large,  // the header is larger than the limit
  header_invalid_utf8,
  header_invalid_json,
  header_invalid,  // well-formed, but not what the format says
  duplicate_key,
  unknown_dtype,
  shape_overflow,  // a shape product or byte count that overflows 64 bits
  rank_too_large,
  extent_reversed,  // a tensor that ends before it begins
  extent_overlap,
  extent_hole,
  extent_misaligned,
  extent_mismatch,     // byte extent disagrees with shape x dtype
  extent_out_of_file,  // the data ends before the tensor does
  trailing_bytes,      // bytes after the last tensor
  unsupported_version,
  big_endian,
  limit_exceeded,  // a count in a header beyond what the file could hold
  // catalogs
  no_weights,          // a folder without weights
  index_invalid,       // an index.json that does not say what it should
  shard_path_escapes,  // a shard name that leaves the folder
  shard_missing,
  tensor_missing_from_shard,
  duplicate_tensor,  // one name in two shards without an index
  config_missing,
  config_invalid,
  model_type_missing,
  unknown_architecture,
  quantised_checkpoint,
  // mapping: definition (D1-D8)
  unknown_parameter,
  unknown_dependency,
  malformed_target,  // a target without a dot
  dependency_unmapped,
  dependency_mapped_twice,
  duplicate_pattern,
  wildcard_count,  // a list rule without exactly one '*'
  mixed_targets,   // list and single targets in one rule
  rule_without_target,
  ambiguous_patterns,
  invalid_pattern,
  unknown_list_length,  // a list whose length names no member of the model context
  duplicate_parameter,
  schema_invalid,   // a schema file that does not say what it should
  formula_invalid,  // a formula of a schema file or a policy that makes no sense
  // mapping: binding (B1-B9)
  name_claimed_twice,
  name_unclaimed,
  dependency_missing,
  list_index_invalid,
  layer_index_out_of_range,
  tied_weights_differ,
  companion_unclaimed,
  another_architecture,  // names that fit another policy than the one chosen, or none
  // plan
  shape_mismatch,
  dtype_mismatch,
  dtype_unsupported,
  invalid_sharding,
  recipe_invalid,
  context_invalid,  // a model context whose numbers make no sense
  too_large,        // the arena does not fit into memory or 64 bits
  // execution
  out_of_memory,
  cancelled,
  custom_failed,
  // containers
  already_set,
  already_finalised,
  not_loaded,
  wrong_device,
  finalize_failed,
  aux_clash,
  invalid_argument,
};

[[nodiscard]] std::string_view name(Errc code) noexcept;  // "extent_overlap"

// One fault. Empty fields do not apply. `what` is the sentence; the other fields say where, what was expected, what
// was found, and what most likely happened. Each has an initialiser, so that a maker may name the fields that it fills
// and leave out the rest.
struct Diagnostic {
  Errc code = Errc::invalid_argument;
  std::string what{};        // "tensor overlaps the one before it"
  std::string operation{};   // "read header", "bind", "plan"
  std::string container{};   // "transformer_layer_3"
  std::string parameter{};   // "qkv_w"
  std::string dependency{};  // "k_params", "experts[7]"
  std::string tensor{};      // source name in the checkpoint; several are joined by ", "
  std::string file{};        // path as given to the library
  std::string place{};       // in that file: "containers.Layer.rules[3], line 41, column 7"
  std::string expected{};
  std::string got{};
  std::string nearest{};             // the known name most like the one at fault
  std::string cause{};               // likely cause, and what to do
  std::uint64_t offset = kNoOffset;  // byte offset in `file`, where one is known

  static constexpr std::uint64_t kNoOffset = ~std::uint64_t{0};
};

// Text that came from a file, made safe for a terminal and short enough to read: control characters, invisible and
// direction-changing characters and invalid UTF-8 are written as escapes, and the middle of what is longer than
// `max_bytes` is left out (and said to be).
[[nodiscard]] std::string printable(std::string_view text, std::size_t max_bytes = 200);

// A person's rendering, without a final newline: the sentence with its place, then expected, got and cause.
[[nodiscard]] std::string to_string(const Diagnostic& diagnostic);

// Faults of one stage, in order, capped: the first `kMaxKept` are kept, the rest are counted.
class Diagnostics {
 public:
  static constexpr std::size_t kMaxKept = 100;

  void add(Diagnostic diagnostic);
  [[nodiscard]] bool empty() const noexcept { return total_ == 0; }
  [[nodiscard]] std::size_t total() const noexcept { return total_; }
  [[nodiscard]] const std::vector<Diagnostic>& kept() const noexcept { return kept_; }
  // Adds all of `other`.
  void append(const Diagnostics& other);
  // Throws Error with everything collected; does nothing when empty.
  void throw_if_any() const;

 private:
  std::vector<Diagnostic> kept_;
  std::size_t total_ = 0;
};

// Copying is cheap and does not throw. `code()` is the code of the first diagnostic. A cause that is itself an
// exception is nested (std::throw_with_nested), never flattened away.
class Error : public std::exception {
 public:
  explicit Error(Diagnostic diagnostic);
  explicit Error(Diagnostics diagnostics);
  [[nodiscard]] const char* what() const noexcept override;  // every diagnostic kept, one after the other
  [[nodiscard]] Errc code() const noexcept;
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const noexcept;
  [[nodiscard]] std::size_t total() const noexcept;  // faults found, also those not kept
  // Both of these, to be added to the faults of a later stage (Diagnostics::append).
  [[nodiscard]] const Diagnostics& faults() const noexcept;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace ballast
