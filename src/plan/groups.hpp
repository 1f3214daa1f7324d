// Copies in the order of the files, joined where they are neighbours on both sides, grouped where they share bytes.
#pragma once

#include "ballast/plan.hpp"

namespace ballast::plan {

// Sorts and joins Plan::copies and fills Plan::groups and Plan::bytes_needed.
void order_by_file(Plan& plan);

// Adds what follows all of `groups` in the order of the files: to the last of them where it shares bytes with that.
void add_to_groups(std::vector<ReadGroup>& groups, const ReadGroup& one);

}  // namespace ballast::plan
