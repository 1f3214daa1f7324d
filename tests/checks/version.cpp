// The version in the header is that of the CMake project. PROJECT_* come from CMakeLists.txt beside this file.
#include "ballast/version.hpp"

static_assert(ballast::kVersionMajor == PROJECT_MAJOR);
static_assert(ballast::kVersionMinor == PROJECT_MINOR);
static_assert(ballast::kVersionPatch == PROJECT_PATCH);
static_assert(ballast::kVersion == PROJECT_TEXT);
