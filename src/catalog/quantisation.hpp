// What a checkpoint says of the quantisation of its weights, in its config.json or beside it.
#pragma once

#include <string>

#include "ballast/error.hpp"
#include "ballast/model_config.hpp"
#include "catalog/config_reader.hpp"

namespace ballast::catalog {

// Fills in the members `quantisation...` of a config from its document.
void read_quantisation(ConfigReader& reader, ModelConfig& config);

// The same from the hf_quant_config.json that ModelOpt writes into the folder, where the config.json says nothing. Its
// faults go to `faults`.
void read_quantisation_beside(const std::string& folder, ModelConfig& config, Diagnostics& faults);

}  // namespace ballast::catalog
