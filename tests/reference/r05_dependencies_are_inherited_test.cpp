// R5: dependencies of a base parameter are inherited.
#include <gtest/gtest.h>

#include "reference/declared.hpp"

namespace ballast::reference {
namespace {

struct ScaledWeight : Weight {
  Dependency scales;
  Recipe finalize(const ModelContext&) const { return static_cast<Recipe>(params).with_aux("scales", scales); }
};
struct Scaled {
  Parameter<ScaledWeight> mlp_1_w;
  static constexpr auto param_mapping =
      mapping<Scaled>(from("up_proj.weight", to<&Scaled::mlp_1_w, &ScaledWeight::params>),
                      from("up_proj.weight_scale", to<&Scaled::mlp_1_w, &ScaledWeight::scales>));
};

TEST(R05, DependenciesOfABaseParameterAreInherited) {
  const ParameterSchema& parameter = schema_of<Scaled>().parameters()[0];
  ASSERT_EQ(parameter.dependencies.size(), 2U);
  EXPECT_EQ(parameter.dependencies[0].name, "params");
  EXPECT_EQ(parameter.dependencies[1].name, "scales");
  EXPECT_EQ(filled_by(schema_of<Scaled>(), "up_proj.weight"), Targets{"mlp_1_w.params"});
}

}  // namespace
}  // namespace ballast::reference
