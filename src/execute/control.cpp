#include "execute/control.hpp"

#include <utility>

#include "ballast/error.hpp"

namespace ballast::execution {

constexpr std::chrono::milliseconds kReportInterval{50};

void Control::check() const {
  if (options_.cancel.stop_requested()) {
    Diagnostic fault;
    fault.code = Errc::cancelled;
    fault.what = "the load was cancelled";
    fault.operation = "load";
    throw Error(std::move(fault));
  }
  if (stopped_.load(std::memory_order_relaxed)) throw Stopped{};
}

void Control::fail(std::exception_ptr error) noexcept {
  const std::lock_guard lock(error_mutex_);
  if (error_ == nullptr) error_ = std::move(error);
  stopped_.store(true, std::memory_order_relaxed);
}

void Control::rethrow_if_failed() const {
  const std::lock_guard lock(error_mutex_);
  if (error_ != nullptr) std::rethrow_exception(error_);
}

void Control::add_bytes_done(std::uint64_t bytes) {
  bytes_done_.fetch_add(bytes, std::memory_order_relaxed);
  if (!options_.progress) return;
  // A thread that finds another one reporting goes on reading.
  const std::unique_lock lock(progress_mutex_, std::try_to_lock);
  if (!lock.owns_lock() || stopped_.load(std::memory_order_relaxed)) return;
  const Clock::time_point now = Clock::now();
  if (now < next_report_) return;
  next_report_ = now + kReportInterval;
  options_.progress({bytes_done_.load(std::memory_order_relaxed), bytes_total_});
}

void Control::report_end() {
  if (options_.progress) options_.progress({bytes_done_.load(std::memory_order_relaxed), bytes_total_});
}

}  // namespace ballast::execution
