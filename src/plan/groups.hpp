// Copies in the order of the files, joined where they are neighbours on both sides, grouped where they share bytes.
#pragma once

#include "ballast/plan.hpp"

namespace ballast::plan {

// Sorts and joins Plan::copies and fills Plan::groups and Plan::bytes_needed.
void order_by_file(Plan& plan);

}  // namespace ballast::plan
