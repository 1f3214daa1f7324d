#include "execute/case.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "convert/convert.hpp"
#include "execute/engine.hpp"

namespace ballast::test {
namespace {

constexpr char kUntouched = '\xA5';

std::byte* bytes_at(std::string& text, std::uint64_t offset = 0) {
  return reinterpret_cast<std::byte*>(text.data()) + offset;
}

// Calls `visit(source element, target element)` for each element of a copy.
template <class Visit>
void for_each_element(const Copy& copy, Visit&& visit) {
  std::array<std::uint64_t, Copy::kMaxDims> index{};
  for (;;) {
    std::uint64_t src = copy.src_begin, dst = copy.dst_begin;
    for (std::size_t i = 0; i != copy.n_dims; ++i) {
      src += index[i] * copy.dims[i].src_stride;
      dst += index[i] * copy.dims[i].dst_stride;
    }
    visit(src, dst);
    std::size_t i = copy.n_dims;
    while (i != 0 && ++index[i - 1] == copy.dims[i - 1].count) index[--i] = 0;
    if (i == 0) return;
  }
}

// One element in its final dtype.
std::string converted(const Copy& copy, const std::string& file, std::uint64_t element) {
  const DTypeInfo& from = info(copy.from);
  std::string values(from.block_elements * std::size_t{8}, '\0');
  std::string block = file.substr(copy.src_base + element / from.block_elements * from.block_bytes, from.block_bytes);
  DType dtype = copy.from;
  std::size_t count = from.block_elements;
  const auto cast = [&](DType to) {
    convert::find_kernel(dtype, to)(bytes_at(block), bytes_at(values), count);
    const std::size_t size = info(to).block_bytes;
    block = values.substr(count == 1 ? 0 : element % count * size, size);
    count = 1;
    dtype = to;
  };
  for (std::size_t i = 0; i != copy.n_via; ++i) cast(copy.via[i]);
  cast(copy.to);
  return block;
}

void copy_elements(const Copy& copy, const std::string& file, std::string& arena) {
  const DTypeInfo& type = info(copy.from);
  for_each_element(copy, [&](std::uint64_t src, std::uint64_t dst) {
    if (copy.converts()) {
      const std::string value = converted(copy, file, src);
      arena.replace(copy.dst_base + dst * value.size(), value.size(), value);
    } else if (src % type.block_elements == 0) {
      arena.replace(copy.dst_base + dst / type.block_elements * type.block_bytes, type.block_bytes, file,
                    copy.src_base + src / type.block_elements * type.block_bytes, type.block_bytes);
    }
  });
}

void mark_bytes(const Copy& copy, std::vector<bool>& needed) {
  const DTypeInfo& type = info(copy.from);
  for_each_element(copy, [&](std::uint64_t src, std::uint64_t) {
    const auto first = static_cast<std::ptrdiff_t>(copy.src_base + src / type.block_elements * type.block_bytes);
    std::fill_n(needed.begin() + first, type.block_bytes, true);
  });
}

}  // namespace

Copy copy_of(std::uint32_t file, DType dtype, std::uint64_t src_base, std::vector<CopyDim> dims) {
  Copy copy;
  copy.file = file;
  copy.from = copy.to = dtype;
  copy.src_base = src_base;
  std::erase_if(dims, [](const CopyDim& dim) { return dim.count == 1; });
  std::stable_sort(dims.begin(), dims.end(),
                   [](const CopyDim& a, const CopyDim& b) { return a.src_stride > b.src_stride; });
  for (const CopyDim& dim : dims) {
    CopyDim* const outer = copy.n_dims == 0 ? nullptr : &copy.dims[copy.n_dims - 1U];
    if (outer != nullptr && outer->src_stride == dim.count * dim.src_stride &&
        outer->dst_stride == dim.count * dim.dst_stride)
      *outer = {outer->count * dim.count, dim.src_stride, dim.dst_stride};
    else
      copy.dims[copy.n_dims++] = dim;
  }
  return copy;
}

std::string arbitrary_bytes(std::size_t count, std::uint64_t seed) {
  std::string bytes(count, '\0');
  std::uint64_t state = seed * 0x9E3779B97F4A7C15U + 1;
  for (char& byte : bytes) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<char>(state >> 58U);
  }
  return bytes;
}

std::uint32_t Case::add_file(std::string bytes) {
  const auto index = static_cast<std::uint32_t>(catalog_.files.size());
  CatalogFile file;
  file.path = folder_.write("file" + std::to_string(index), bytes);
  file.file_bytes = bytes.size();
  catalog_.files.push_back(std::move(file));
  contents_.push_back(std::move(bytes));
  return index;
}

std::uint64_t Case::reserve(std::uint64_t bytes) {
  constexpr std::uint64_t kGap = 13;
  const std::uint64_t offset = plan_.arena_bytes;
  plan_.arena_bytes += bytes + kGap;
  return offset;
}

Copy& Case::add(const Copy& copy) { return plan_.copies.emplace_back(copy); }

void Case::finish() {
  std::stable_sort(plan_.copies.begin(), plan_.copies.end(), [](const Copy& a, const Copy& b) {
    return std::pair(a.file, a.file_begin()) < std::pair(b.file, b.file_begin());
  });
  plan_.groups.clear();
  std::vector<std::vector<bool>> needed;
  for (const std::string& file : contents_) needed.emplace_back(file.size());
  for (std::uint32_t i = 0; i != plan_.copies.size(); ++i) {
    const Copy& copy = plan_.copies[i];
    const bool joins =
        !plan_.groups.empty() && plan_.groups.back().file == copy.file && copy.file_begin() < plan_.groups.back().end;
    if (!joins) plan_.groups.push_back({copy.file, i, 0, copy.file_begin(), copy.file_end()});
    ++plan_.groups.back().n_copies;
    plan_.groups.back().end = std::max(plan_.groups.back().end, copy.file_end());
    mark_bytes(copy, needed[copy.file]);
  }
  plan_.bytes_needed = 0;
  for (const auto& file : needed)
    plan_.bytes_needed += static_cast<std::uint64_t>(std::count(file.begin(), file.end(), true));
}

std::string Case::blank_arena() const { return std::string(plan_.arena_bytes, kUntouched); }

std::string Case::expected() const {
  std::string arena = blank_arena();
  for (const Copy& copy : plan_.copies) copy_elements(copy, contents_[copy.file], arena);
  return arena;
}

testing::AssertionResult Case::loads_right(const ExecuteOptions& options) const {
  std::string arena = blank_arena();
  return is_right(arena, execute(catalog_, plan_, bytes_at(arena), options));
}

testing::AssertionResult Case::loads_right(unsigned threads, const execution::Sizes& sizes,
                                           const ExecuteOptions& options) const {
  std::string arena = blank_arena();
  const ExecuteTarget only{&plan_, bytes_at(arena)};
  return is_right(arena, execution::execute_with(catalog_, nullptr, {&only, 1}, options, threads, sizes));
}

ExecuteStats Case::load(const ExecuteOptions& options) const {
  std::string arena = blank_arena();
  return execute(catalog_, plan_, bytes_at(arena), options);
}

testing::AssertionResult Case::is_right(const std::string& arena, const ExecuteStats& stats) const {
  const std::string right = expected();
  const auto differs = std::mismatch(arena.begin(), arena.end(), right.begin()).first;
  if (differs != arena.end()) return testing::AssertionFailure() << "differs at byte " << differs - arena.begin();
  return is_right(stats);
}

testing::AssertionResult Case::is_right(const ExecuteStats& stats) const {
  if (stats.bytes_read != plan_.bytes_needed)
    return testing::AssertionFailure() << "read " << stats.bytes_read << " bytes of " << plan_.bytes_needed;
  if (stats.bytes_direct + stats.bytes_staged != stats.bytes_read)
    return testing::AssertionFailure() << stats.bytes_direct << " direct + " << stats.bytes_staged << " staged";
  return testing::AssertionSuccess();
}

std::vector<Plan> Case::deal(std::size_t plans) const {
  std::vector<Plan> dealt(plans);
  for (Plan& plan : dealt) plan.arena_bytes = plan_.arena_bytes;
  for (std::size_t i = 0; i != plan_.copies.size(); ++i) dealt[i % plans].copies.push_back(plan_.copies[i]);
  return dealt;
}

testing::AssertionResult Case::dealt_is_right(std::size_t plans, const Execute& execute) const {
  const std::vector<Plan> dealt = deal(plans);
  std::vector<std::string> arenas(plans, blank_arena());
  std::vector<const Plan*> joined;
  std::vector<ExecuteTarget> targets;
  for (std::size_t p = 0; p != plans; ++p) {
    joined.push_back(&dealt[p]);
    targets.push_back({&dealt[p], bytes_at(arenas[p])});
  }
  const ExecuteStats stats = execute(join_reads(joined), targets);
  for (std::size_t p = 0; p != plans; ++p) {
    std::string right = blank_arena();
    for (const Copy& copy : dealt[p].copies) copy_elements(copy, contents_[copy.file], right);
    const auto differs = std::mismatch(arenas[p].begin(), arenas[p].end(), right.begin()).first;
    if (differs != arenas[p].end())
      return testing::AssertionFailure() << "arena " << p << " differs at byte " << differs - arenas[p].begin();
  }
  return is_right(stats);
}

testing::AssertionResult Case::loads_right_dealt(std::size_t plans, const ExecuteOptions& options) const {
  return dealt_is_right(plans, [&](const JointReads& reads, std::span<const ExecuteTarget> targets) {
    return execute(catalog_, reads, targets, options);
  });
}

testing::AssertionResult Case::loads_right_dealt(std::size_t plans, unsigned threads,
                                                 const execution::Sizes& sizes) const {
  return dealt_is_right(plans, [&](const JointReads& reads, std::span<const ExecuteTarget> targets) {
    return execution::execute_with(catalog_, &reads, targets, {}, threads, sizes);
  });
}

ExecuteStats Case::load_dealt(std::size_t plans, const ExecuteOptions& options) const {
  ExecuteStats stats;
  (void)dealt_is_right(plans, [&](const JointReads& reads, std::span<const ExecuteTarget> targets) {
    return stats = execute(catalog_, reads, targets, options);
  });
  return stats;
}

}  // namespace ballast::test
