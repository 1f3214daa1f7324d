// Copies in the order of the files, joined where they are neighbours on both sides, grouped where they share bytes.
#pragma once

#include "ballast/plan.hpp"

namespace ballast::plan {

// Sorts and joins Plan::copies and fills Plan::groups and Plan::bytes_needed.
void order_by_file(Plan& plan);

// The group that a copy, the next in the order of the files, belongs to: the last one, or a new one.
void add_to_groups(std::vector<ReadGroup>& groups, const Copy& copy, std::uint32_t index);

}  // namespace ballast::plan
