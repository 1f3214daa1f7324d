// The digests of every tensor of a model, or of the models of several ranks.
#pragma once

#include <map>
#include <span>
#include <stop_token>
#include <string>

#include "ballast/model.hpp"

namespace ballast::cli {

using Digests = std::map<const Tensor*, std::string>;  // by the tensors of all parameters, auxiliary ones too

// On several threads. Throws Error(cancelled) where a stop is asked for.
[[nodiscard]] Digests digest_all(std::span<const LoadedModel> models, unsigned threads, const std::stop_token& cancel);

}  // namespace ballast::cli
