// The digests of every tensor of a model.
#pragma once

#include <map>
#include <stop_token>
#include <string>

#include "ballast/model.hpp"

namespace ballast::cli {

using Digests = std::map<const Tensor*, std::string>;  // by the tensors of the model's parameters, auxiliary ones too

// On several threads. Throws Error(cancelled) where a stop is asked for.
[[nodiscard]] Digests digest_all(const Model& model, unsigned threads, const std::stop_token& cancel);

}  // namespace ballast::cli
