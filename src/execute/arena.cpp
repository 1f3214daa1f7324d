#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

#include "ballast/error.hpp"
#include "ballast/execute.hpp"

namespace ballast {
namespace {

constexpr std::uint64_t kHugePage = 2ULL << 20;

std::uint64_t physical_memory() noexcept {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) : 0;
}

[[noreturn]] void refuse(std::uint64_t bytes, int error) {
  Diagnostic fault;
  fault.code = Errc::out_of_memory;
  fault.what = "memory for the tensors cannot be had";
  fault.operation = "load";
  fault.expected = fmt::format("{} bytes ({:.1f} GiB)", bytes, static_cast<double>(bytes) / (1ULL << 30));
  const std::uint64_t memory = physical_memory();
  fault.got = fmt::format("{}; the machine has {} bytes ({:.1f} GiB) of memory", std::generic_category().message(error),
                          memory, static_cast<double>(memory) / (1ULL << 30));
  throw Error(std::move(fault));
}

std::uint64_t page_bytes() noexcept { return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)); }

// Anonymous pages that begin at a multiple of `alignment`, itself a multiple of the page size. Null, with errno, where
// there are none. The kernel is asked to account for them (no MAP_NORESERVE): a refusal now is better than being killed
// when they are touched.
std::byte* map_pages(std::uint64_t bytes, std::uint64_t alignment) noexcept {
  void* const mapped = ::mmap(nullptr, bytes + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const first = static_cast<std::byte*>(mapped);
  const std::uint64_t head = (alignment - reinterpret_cast<std::uintptr_t>(mapped) % alignment) % alignment;
  if (head != 0) ::munmap(first, head);
  if (head != alignment) ::munmap(first + head + bytes, alignment - head);
  return first + head;
}

}  // namespace

Arena::Arena(std::uint64_t bytes) {
  if (bytes == 0) return;
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) refuse(bytes, ENOMEM);
  const std::uint64_t page = page_bytes();
  const std::uint64_t mapped = (bytes + page - 1) / page * page;
  const bool huge = mapped >= kHugePage;
  data_ = map_pages(mapped, huge ? kHugePage : page);
  if (data_ == nullptr) refuse(bytes, errno);
  size_ = bytes;
  // A wish: without huge pages the first touch of each page costs more, nothing else.
  if (huge) ::madvise(data_, mapped, MADV_HUGEPAGE);
}

Arena::~Arena() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

Arena::Arena(Arena&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Arena& Arena::operator=(Arena&& other) noexcept {
  if (this == &other) return *this;
  if (data_ != nullptr) ::munmap(data_, size_);
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  return *this;
}

void Arena::discard(std::uint64_t offset, std::uint64_t bytes) noexcept {
  const std::uint64_t page = page_bytes();
  const std::uint64_t begin = (offset + page - 1) / page * page;
  // The last page of the arena is its own to the end.
  const std::uint64_t end = offset + bytes == size_ ? (size_ + page - 1) / page * page : (offset + bytes) / page * page;
  if (begin < end) ::madvise(data_ + begin, end - begin, MADV_DONTNEED);
}

}  // namespace ballast
