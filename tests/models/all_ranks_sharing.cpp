// What the ranks of a checkpoint share is made once: the catalog, and the binding unless the policy wants another for a
// rank.
#include <gtest/gtest.h>

#include "ballast/models/common.hpp"
#include "models/tiny_llama.hpp"
#include "support/bytes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

const SlotLayout* slots_of(const PreparedLoad& rank) { return rank.binding.containers[0].layout.get(); }

TEST(AllRanksSharing, CatalogAndBinding) {
  const TempFolder folder;
  LoadOptions options;
  options.tp_size = 3;
  const PreparedRanks prepared = prepare_ranks(TinyLlama().write(folder), options);
  ASSERT_EQ(prepared.ranks.size(), 3U);
  for (const PreparedLoad& rank : prepared.ranks) {
    EXPECT_EQ(rank.catalog, prepared.ranks[0].catalog);
    EXPECT_EQ(slots_of(rank), slots_of(prepared.ranks[0]));  // bound once
  }
}

// Each rank holds one of two layers and skips the other.
struct OneWeight {
  Parameter<models::Replicated> w;
  static constexpr auto param_mapping = mapping<OneWeight>(from("w", to<&OneWeight::w, &models::Replicated::params>));
};
struct PipelinePolicy {
  static constexpr std::string_view name = "pipeline";
  static constexpr std::array<std::string_view, 1> model_types{"pipeline"};
  static constexpr std::array<std::string_view, 1> architectures{"Pipeline"};
  using Layer = OneWeight;
  using NonTransformer = OneWeight;
  static ModelContext context(const ModelConfig& config) { return ModelContext::from_config(config); }
  static ContainerMap container_map(const ModelContext& m) {
    return ContainerMap()
        .skip(fmt::format("h.{}", 1 - m.tp_rank), "on another rank")
        .non_transformer(schema_of<OneWeight>())
        .optional_root(fmt::format("h.{}", m.tp_rank));
  }
};

TEST(AllRanksSharing, NotWhereAPolicyGivesRanksOtherNames) {
  const TempFolder folder;
  (void)SafetensorsWriter()
      .tensor("h.0.w", DType::F32, {1}, bytes_of({1.0F}))
      .tensor("h.1.w", DType::F32, {1}, bytes_of({2.0F}))
      .write(folder / "model.safetensors");
  folder.write("config.json", R"({"model_type": "pipeline", "hidden_size": 4, "num_hidden_layers": 1,
      "num_attention_heads": 1})");
  LoadOptions options;
  options.tp_size = 2;
  const auto ranks = load_ranks<PipelinePolicy>(folder.path(), options);
  EXPECT_EQ(ranks[0].non_transformer().w->as<float>()[0], 1.0F);
  EXPECT_EQ(ranks[1].non_transformer().w->as<float>()[0], 2.0F);
  EXPECT_EQ(ranks[0].report().execute.bytes_read, 8U);
}

// Rank r has a list of r + 1 tensors of the one list that is stored.
struct SomeOfAList {
  DependencyList<&ModelContext::tp_rank> all;
  Recipe finalize(const ModelContext&) const { return stack(all); }
};
struct ListRest {
  Parameter<SomeOfAList> list;
  static constexpr auto param_mapping = mapping<ListRest>(from("list.*", to<&ListRest::list, &SomeOfAList::all>));
};
struct ListPolicy : PipelinePolicy {
  using NonTransformer = ListRest;
  static ContainerMap container_map(const ModelContext&) {
    return ContainerMap().non_transformer(schema_of<ListRest>());
  }
};

TEST(AllRanksSharing, NotWhereAListIsLongerForARank) {
  const TempFolder folder;
  (void)SafetensorsWriter().tensor("list.0", DType::F32, {1}).write(folder / "model.safetensors");
  folder.write("config.json", R"({"model_type": "pipeline", "hidden_size": 4, "num_hidden_layers": 1,
      "num_attention_heads": 1})");
  LoadOptions options;
  options.tp_size = 3;
  const auto error = error_of([&] { (void)load_ranks<ListPolicy>(folder.path(), options); });
  EXPECT_TRUE(has_fault(error, Errc::list_index_invalid, {"for rank 0 of 3", "list.0"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"for rank 2 of 3", "list.1"}));
}

// A policy of one container.
class OneContainerPolicy final : public InferencePolicy {
 public:
  explicit OneContainerPolicy(const ContainerSchema& schema) : schema_(schema) {}
  [[nodiscard]] std::string_view name() const override { return "counted"; }
  [[nodiscard]] std::vector<std::string_view> model_types() const override { return {"pipeline"}; }
  [[nodiscard]] std::vector<std::string_view> architectures() const override { return {}; }
  [[nodiscard]] ModelContext context(const ModelConfig& config) const override {
    return ModelContext::from_config(config);
  }
  [[nodiscard]] ContainerMap container_map(const ModelContext&) const override {
    return ContainerMap().non_transformer(schema_);
  }

 private:
  const ContainerSchema& schema_;
};

TEST(AllRanksSharing, FinalizeIsCalledOnceForEachRank) {
  int calls = 0;
  const ContainerSchema schema = ContainerSchema::make("rest",
                                                       {{"w",
                                                         "Counted",
                                                         {{"params", DependencyKind::single, {}, {}}},
                                                         [&calls](const ModelContext&, const Operands& o) {
                                                           ++calls;
                                                           return o[0][0];
                                                         }}},
                                                       {{"w", {"w.params"}}});
  const TempFolder folder;
  (void)SafetensorsWriter().tensor("w", DType::F32, {1}).write(folder / "model.safetensors");
  folder.write("config.json", R"({"model_type": "pipeline", "hidden_size": 4, "num_hidden_layers": 1,
      "num_attention_heads": 1})");
  PolicyRegistry registry;
  registry.add(std::make_unique<const OneContainerPolicy>(schema));
  LoadOptions options;
  options.policies = &registry;
  options.tp_size = 3;
  (void)load_ranks(folder.path(), options);
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace ballast::test
