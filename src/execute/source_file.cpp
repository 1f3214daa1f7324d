#include "execute/source_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "ballast/error.hpp"

namespace ballast::execution {

InputFile open_unchanged(const Catalog& catalog, std::uint32_t file) {
  const CatalogFile& seen = catalog.files[file];
  InputFile opened(seen.path);
  const bool same_size = opened.size() == seen.file_bytes;
  if (same_size && (seen.identity == FileIdentity{} || opened.identity() == seen.identity)) return opened;
  Diagnostic fault;
  fault.code = Errc::io_changed;
  fault.what = "the file changed after its header was read";
  fault.operation = "load";
  fault.file = seen.path;
  fault.expected = same_size ? std::string("the file whose header was read") : fmt::format("{} bytes", seen.file_bytes);
  fault.got = same_size ? std::string("another file of the same name and size, or one that was written to since")
                        : fmt::format("{} bytes", opened.size());
  fault.cause = "another process writes or replaces it?";
  throw Error(std::move(fault));
}

const InputFile& SourceFile::opened() {
  const std::lock_guard lock(mutex_);
  if (!file_) file_.emplace(open_unchanged(catalog_, index_));
  return *file_;
}

}  // namespace ballast::execution
