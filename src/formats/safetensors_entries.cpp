#include "formats/safetensors_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ballast/formats.hpp"
#include "formats/duplicates.hpp"
#include "formats/extents.hpp"
#include "formats/fault.hpp"

namespace ballast {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kMetadataKey = "__metadata__";
// {"":{"dtype":"F4","shape":[],"data_offsets":[0,0]}}
constexpr std::uint64_t kSmallestEntryBytes = 48;

const char* kind_of(dom::element element) noexcept {
  switch (element.type()) {
    case dom::element_type::ARRAY:
      return "a list";
    case dom::element_type::OBJECT:
      return "an object";
    case dom::element_type::INT64:
    case dom::element_type::UINT64:
    case dom::element_type::DOUBLE:
      return "a number";
    case dom::element_type::STRING:
      return "a string";
    case dom::element_type::BOOL:
      return "a boolean";
    case dom::element_type::NULL_VALUE:
      return "null";
  }
  return "something else";
}

// Also shows a list's values: "[1, -2]" says more than "a list".
std::string show(dom::element element) { return printable(simdjson::minify(element)); }

const std::string& known_dtypes() {
  static const std::string text = [] {
    std::string names;
    for (const DTypeInfo& row : all_dtypes()) {
      if (row.kind == DTypeKind::quantised) continue;
      if (!names.empty()) names += ", ";
      names += row.name;
    }
    return names;
  }();
  return text;
}

class HeaderReader {
 public:
  HeaderReader(const std::string& path, std::uint64_t header_bytes, std::uint64_t file_bytes) : path_(path) {
    header_.format = FileFormat::safetensors;
    header_.header_bytes = header_bytes;
    header_.file_bytes = file_bytes;
  }

  FileHeader read(dom::object root) {
    header_.tensors.reserve(std::min<std::size_t>(root.size(), header_.header_bytes / kSmallestEntryBytes));
    std::vector<std::string_view> names;
    names.reserve(root.size());
    for (const auto [name, value] : root) {
      names.push_back(name);
      if (name == kMetadataKey)
        read_metadata(value);
      else
        read_tensor(name, value);
    }
    report_duplicates(names);
    // A tensor without a usable extent would make holes of its own: say what is wrong with it, and no more.
    if (all_placed_) place();
    faults_.throw_if_any();
    for (TensorInfo& tensor : header_.tensors) tensor.offset += header_.header_bytes;
    return std::move(header_);
  }

 private:
  struct Fields {
    std::optional<std::string_view> dtype;
    std::optional<Shape> shape;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> offsets;
    bool whole = true;  // no fault so far
  };

  void add(Errc code, std::string_view tensor, std::string what, std::string expected, std::string got,
           std::string cause = {}) {
    Diagnostic fault = tensor_fault(code, std::move(what), path_, tensor);
    fault.expected = std::move(expected);
    fault.got = std::move(got);
    fault.cause = std::move(cause);
    faults_.add(std::move(fault));
  }

  void report_duplicates(const std::vector<std::string_view>& names) {
    for (const std::size_t second : find_duplicates(names)) {
      if (names[second] == kMetadataKey)
        add(Errc::duplicate_key, "", "the key \"__metadata__\" is there twice", "each key once", "");
      else
        add(Errc::duplicate_key, names[second], "the name is there twice", "each tensor once", "");
    }
  }

  void read_metadata(dom::element element) {
    if (element.is_null()) return;  // as the reference has it: the same as none
    dom::object object;
    if (element.get(object) != simdjson::SUCCESS) {
      add(Errc::header_invalid, "", "\"__metadata__\" is not an object", "an object of strings", kind_of(element));
      return;
    }
    Value::Object members;
    members.reserve(object.size());
    std::vector<std::string_view> keys;
    for (const auto [key, value] : object) {
      keys.push_back(key);
      std::string_view text;
      if (value.get(text) == simdjson::SUCCESS)
        members.emplace_back(key, Value(std::string(text)));
      else
        add(Errc::header_invalid, "",
            fmt::format("the value of \"{}\" in \"__metadata__\" is not a string", printable(key)), "a string",
            show(value));
    }
    for (const std::size_t second : find_duplicates(keys))
      add(Errc::duplicate_key, "", fmt::format("the key \"{}\" is twice in \"__metadata__\"", printable(keys[second])),
          "each key once", "");
    header_.metadata = Value(std::move(members));
  }

  void read_tensor(std::string_view name, dom::element element) {
    dom::object object;
    if (element.get(object) != simdjson::SUCCESS) {
      add(Errc::header_invalid, name, "the tensor's entry is not an object",
          "an object of dtype, shape and data_offsets", kind_of(element));
      all_placed_ = false;
      return;
    }
    Fields fields = read_fields(name, object);
    const auto require = [&](bool there, const char* key) {
      if (there) return;
      add(Errc::header_invalid, name, fmt::format("the tensor has no {}", key), "dtype, shape and data_offsets", "");
    };
    if (fields.whole) {
      require(fields.dtype.has_value(), "dtype");
      require(fields.shape.has_value(), "shape");
      require(fields.offsets.has_value(), "data_offsets");
    }
    keep_tensor(name, fields);
  }

  // A fault in one field is reported at once; `whole` then keeps its absence from being reported as well.
  Fields read_fields(std::string_view name, dom::object object) {
    Fields fields;
    std::vector<std::string_view> others;  // ignored, as the reference does, but not twice
    unsigned seen = 0;
    const auto first_time = [&](unsigned bit, std::string_view key) {
      if ((seen & bit) != 0) report_duplicate_field(name, key, fields);
      return (std::exchange(seen, seen | bit) & bit) == 0;
    };
    for (const auto [key, value] : object) {
      if (key == "dtype") {
        if (first_time(1, key)) read_dtype(name, value, fields);
      } else if (key == "shape") {
        if (first_time(2, key)) read_shape(name, value, fields);
      } else if (key == "data_offsets") {
        if (first_time(4, key)) read_offsets(name, value, fields);
      } else {
        others.push_back(key);
      }
    }
    if (others.size() > 1)
      for (const std::size_t second : find_duplicates(others)) report_duplicate_field(name, others[second], fields);
    return fields;
  }

  void report_duplicate_field(std::string_view name, std::string_view key, Fields& fields) {
    add(Errc::duplicate_key, name, fmt::format("the tensor has \"{}\" twice", printable(key)), "each key once", "");
    fields.whole = false;
  }

  void read_dtype(std::string_view name, dom::element value, Fields& fields) {
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS) {
      fields.dtype = text;
      return;
    }
    add(Errc::header_invalid, name, "the tensor's dtype is not a string", "a dtype's name", show(value));
    fields.whole = false;
  }

  void read_shape(std::string_view name, dom::element value, Fields& fields) {
    dom::array extents;
    Shape shape;
    bool good = value.get(extents) == simdjson::SUCCESS;
    if (good)
      for (const dom::element extent : extents) {
        std::uint64_t number = 0;
        good = extent.get(number) == simdjson::SUCCESS;
        if (!good) break;
        if (shape.push_back(number)) continue;
        add(Errc::rank_too_large, name, "the tensor has too many dimensions",
            fmt::format("at most {} dimensions", Shape::kMaxRank), fmt::format("{} dimensions", extents.size()));
        fields.whole = false;
        return;
      }
    if (good) {
      fields.shape = shape;
      return;
    }
    add(Errc::header_invalid, name, "the tensor's shape is not a list of whole numbers", "whole numbers, none negative",
        show(value));
    fields.whole = false;
  }

  void read_offsets(std::string_view name, dom::element value, Fields& fields) {
    dom::array list;
    std::array<std::uint64_t, 2> ends{};
    std::size_t count = 0;
    bool good = value.get(list) == simdjson::SUCCESS;
    if (good)
      for (const dom::element number : list) {
        good = count < 2 && number.get(ends[count]) == simdjson::SUCCESS;
        if (!good) break;
        ++count;
      }
    if (!good || count != 2) {
      add(Errc::header_invalid, name, "the tensor's data_offsets are not two whole numbers", "[begin, end]",
          show(value));
      fields.whole = false;
    } else if (ends[1] < ends[0]) {
      add(Errc::extent_reversed, name, "the tensor ends before it begins", "[begin, end] with begin <= end",
          show(value));
      fields.whole = false;
    } else {
      fields.offsets = {ends[0], ends[1]};
    }
  }

  void keep_tensor(std::string_view name, const Fields& fields) {
    if (!fields.offsets) {
      all_placed_ = false;
      return;
    }
    TensorInfo tensor;
    tensor.name = name;
    tensor.offset = fields.offsets->first;
    tensor.nbytes = fields.offsets->second - fields.offsets->first;
    const std::optional<DType> dtype = fields.dtype ? dtype_from_safetensors(*fields.dtype) : std::nullopt;
    if (fields.dtype && !dtype) report_unknown_dtype(name, *fields.dtype);
    if (fields.shape) tensor.shape = *fields.shape;
    if (dtype) tensor.dtype = *dtype;
    if (dtype && fields.shape) check_size(tensor);
    header_.tensors.push_back(std::move(tensor));
  }

  void report_unknown_dtype(std::string_view name, std::string_view text) {
    const std::optional<DType> meant = dtype_from_text(text);
    const bool suggest = meant && !is_quantised(*meant);
    add(Errc::unknown_dtype, name, "the tensor's dtype is not known", "one of " + known_dtypes(),
        fmt::format("\"{}\"", printable(text)),
        suggest ? fmt::format("the format writes this type as {}", ballast::name(*meant))
                : "a newer version of the format, or a damaged header?");
  }

  void check_size(const TensorInfo& tensor) {
    const DTypeInfo& dtype = info(tensor.dtype);
    const std::optional<std::uint64_t> numel = tensor.shape.checked_numel();
    if (numel && *numel % dtype.block_elements != 0) {
      add(Errc::extent_mismatch, tensor.name, "the tensor does not fill a whole number of bytes",
          fmt::format("a multiple of {} elements of {}", dtype.block_elements, dtype.name),
          fmt::format("shape {}, {} elements", to_string(tensor.shape), *numel));
      return;
    }
    const std::optional<std::uint64_t> bytes = numel ? byte_size(tensor.dtype, *numel) : std::nullopt;
    if (!bytes)
      add(Errc::shape_overflow, tensor.name, "the tensor's size overflows 64 bits", "a size below 2^64 bytes",
          fmt::format("shape {} of {}", to_string(tensor.shape), dtype.name));
    else if (*bytes != tensor.nbytes)
      add(Errc::extent_mismatch, tensor.name, "the tensor's extent disagrees with its shape and dtype",
          fmt::format("{} bytes, for shape {} of {}", *bytes, to_string(tensor.shape), dtype.name),
          fmt::format("{} bytes, data_offsets [{}, {}]", tensor.nbytes, tensor.offset, tensor.offset + tensor.nbytes));
  }

  void place() {
    sort_by_extent(header_.tensors);
    const DataSection data{.begin = header_.header_bytes, .file_bytes = header_.file_bytes};
    check_extents(header_.tensors, data, path_, faults_);
  }

  const std::string& path_;
  FileHeader header_;
  Diagnostics faults_;
  bool all_placed_ = true;  // every tensor's extent is known
};

}  // namespace

FileHeader read_safetensors_entries(simdjson::dom::object root, std::uint64_t header_bytes, std::uint64_t file_bytes,
                                    const std::string& path) {
  return HeaderReader(path, header_bytes, file_bytes).read(root);
}

}  // namespace ballast
