// Tensors that are the same bytes: stored once.
#pragma once

#include "ballast/plan.hpp"

namespace ballast::plan {

// Finds tensors made alike of the same sources (tied embeddings), or that are a part of another one, and makes them
// aliases: their copies go, and arena_offset is their offset within the other tensor until places are given.
void share_aliases(Plan& plan, const Catalog& catalog);

// Notes which tensors of the plan a config ties although the file holds both, so that they can be compared once loaded.
void note_tied_pairs(Plan& plan, const Binding& binding);

}  // namespace ballast::plan
