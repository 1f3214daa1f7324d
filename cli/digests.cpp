#include "digests.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "ballast/digest.hpp"
#include "ballast/error.hpp"
#include "progress_bar.hpp"

namespace ballast::cli {

namespace {

void add_tensors(const LayerContainer& container, std::vector<const Tensor*>& tensors) {
  for (const ParameterState& parameter : container.parameters()) {
    if (!parameter.is_finalised()) continue;
    if (parameter.value().has_tensor()) tensors.push_back(&parameter.value().tensor());
    for (const auto& [name, tensor] : parameter.value().aux()) tensors.push_back(&tensor);
  }
}

std::vector<const Tensor*> all_tensors(std::span<const LoadedModel> models) {
  std::vector<const Tensor*> tensors;
  for (const LoadedModel& loaded : models)
    for (const LayerContainer& container : loaded.model().containers()) add_tensors(container, tensors);
  // Largest first: the last ones to be done are small, and the threads end together.
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const Tensor* a, const Tensor* b) { return a->nbytes() > b->nbytes(); });
  return tensors;
}

// What the threads share.
struct Work {
  std::vector<const Tensor*> tensors;
  std::vector<std::string> results;
  std::uint64_t bytes_total = 0;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::uint64_t bytes_done = 0;  // this and what follows: by the mutex
  std::exception_ptr failure;
  ProgressBar bar{"digest"};

  void run(const std::stop_token& cancel) noexcept {
    try {
      for (std::size_t i = next++; i < tensors.size() && !cancel.stop_requested(); i = next++) {
        results[i] = digest(*tensors[i]);
        const std::lock_guard lock(mutex);
        bar.update(bytes_done += tensors[i]->nbytes(), bytes_total);
      }
    } catch (...) {
      next = tensors.size();
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  }
};

}  // namespace

Digests digest_all(std::span<const LoadedModel> models, unsigned threads, const std::stop_token& cancel) {
  Work work;
  work.tensors = all_tensors(models);
  work.results.resize(work.tensors.size());
  for (const Tensor* tensor : work.tensors) work.bytes_total += tensor->nbytes();
  if (threads == 0) threads = std::clamp(std::thread::hardware_concurrency(), 1U, 16U);
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back([&work, &cancel] { work.run(cancel); });
    work.run(cancel);
  }
  if (work.failure) std::rethrow_exception(work.failure);
  if (cancel.stop_requested()) throw Error(Diagnostic{.code = Errc::cancelled, .what = "cancelled"});
  Digests digests;
  for (std::size_t i = 0; i < work.tensors.size(); ++i) digests[work.tensors[i]] = std::move(work.results[i]);
  return digests;
}

}  // namespace ballast::cli
