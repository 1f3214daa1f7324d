// A schema file as a policy.
#include <fmt/format.h>

#include "ballast/error.hpp"
#include "ballast/formats.hpp"
#include "ballast/schema_file.hpp"
#include "formula/model_scope.hpp"
#include "schema_file/container_map.hpp"
#include "schema_file/containers.hpp"
#include "schema_file/parameter_types.hpp"
#include "schema_file/reader.hpp"

namespace ballast {

namespace {

using namespace schema_file;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20U;
constexpr std::size_t kMostNames = 64;
constexpr std::size_t kMostContextRules = 256;
constexpr std::string_view kVersion = "1";

struct Declared {
  std::string name;
  std::vector<std::string> model_types;
  std::vector<std::string> architectures;
  ContextRules context;
  Containers containers;
  ContainerMapRules map;
};

class SchemaPolicy final : public InferencePolicy {
 public:
  explicit SchemaPolicy(Declared declared) : declared_(std::move(declared)) {}
  [[nodiscard]] std::string_view name() const override { return declared_.name; }
  [[nodiscard]] std::vector<std::string_view> model_types() const override {
    return {declared_.model_types.begin(), declared_.model_types.end()};
  }
  [[nodiscard]] std::vector<std::string_view> architectures() const override {
    return {declared_.architectures.begin(), declared_.architectures.end()};
  }
  [[nodiscard]] ModelContext context(const ModelConfig& config) const override {
    return declared_.context.evaluate(config);
  }
  [[nodiscard]] ContainerMap container_map(const ModelContext& context) const override {
    return declared_.map.evaluate(context);
  }
  [[nodiscard]] const ContextRules* context_rules() const override { return &declared_.context; }
  [[nodiscard]] const ContainerMapRules* container_map_rules() const override { return &declared_.map; }

 private:
  Declared declared_;
};

// The names of a rule, which a file must not use for numbers of its own.
bool is_reserved(std::string_view name) {
  for (const std::string_view one :
       {formula::kFromGguf, formula::kTpRank, formula::kTpSize, formula::kGatedInterleaved, formula::kLayer})
    if (name == one) return true;
  return name == "true" || name == "false" || name == "nothing" || name == "config" || name == "gguf" || name == "in";
}

formula::Kind kind_of_rule(std::string_view name) {
  for (const formula::UsualNumber& one : formula::usual_numbers())
    if (one.name == name) return formula::Kind::number;
  const bool tie = name == formula::kTieWordEmbeddings || name == formula::kTieAbsentHead;
  return tie ? formula::Kind::boolean : formula::Kind::any;
}

ContextRules read_context(Reader& reader, const Place& at) {
  ContextRules rules;
  const Json::Object* members = reader.named_object(at, kMostContextRules, "a number", formula::kProperties);
  if (members == nullptr) return rules;
  for (const Json::Member& member : *members) {
    const Place place = reader.member(at, member.key);
    if (is_reserved(member.key))
      reader.complain(place, fmt::format("'{}' is not for a file to set", member.key), "a name of its own", member.key);
    else if (const auto text = reader.formula_text(place))
      rules.set(member.key, *text);
  }
  // From here on all names are known, whatever their order.
  const formula::Names names = formula::names_of_rules(rules);
  for (const ContextRules::Rule& rule : rules.rules())
    (void)reader.formula(reader.member(at, rule.name), names, kind_of_rule(rule.name));
  return rules;
}

Declared read(Reader& reader, const Json& json) {
  Declared declared;
  const Place root{&json, ""};
  if (reader.object(root, {{"ballast_schema", true},
                           {"name", true},
                           {"model_types"},
                           {"architectures"},
                           {"context"},
                           {"parameters", true},
                           {"containers", true},
                           {"container_map", true}}) == nullptr)
    return declared;
  const auto at = [&](std::string_view key) { return reader.member(root, key); };
  const auto has = [&](std::string_view key) { return json.find(key) != nullptr; };
  if (has("ballast_schema")) {
    const auto* version = std::get_if<Json::Number>(&at("ballast_schema").json->value);
    if (version == nullptr || version->text != kVersion)
      reader.complain_kind(at("ballast_schema"), fmt::format("{}, the version of the format", kVersion));
  }
  if (has("name")) declared.name = reader.text(at("name")).value_or("");
  if (has("model_types")) declared.model_types = reader.texts(at("model_types"), kMostNames);
  if (has("architectures")) declared.architectures = reader.texts(at("architectures"), kMostNames);
  if (has("context")) declared.context = read_context(reader, at("context"));
  ParameterTypes types;
  if (has("parameters")) types = read_parameter_types(reader, at("parameters"), declared.context);
  if (has("containers")) declared.containers = read_containers(reader, at("containers"), types);
  if (has("container_map"))
    declared.map = read_container_map(reader, at("container_map"), declared.containers, declared.context);
  return declared;
}

}  // namespace

std::unique_ptr<const InferencePolicy> parse_schema_file(std::string_view json, const std::string& path) {
  Reader reader(json, path);
  if (json.size() > kMostBytes)
    throw Error(Diagnostic{.code = Errc::limit_exceeded,
                           .what = "the schema file is too large",
                           .operation = "read schema file",
                           .file = path,
                           .expected = fmt::format("at most {} bytes", kMostBytes),
                           .got = fmt::format("{} bytes", json.size())});
  const Json parsed = parse_json(json, path);
  Declared declared = read(reader, parsed);
  reader.faults().throw_if_any();
  return std::make_unique<const SchemaPolicy>(std::move(declared));
}

std::unique_ptr<const InferencePolicy> load_schema_file(const std::string& path) {
  const InputFile file(path);
  std::string text(std::min<std::uint64_t>(file.size(), kMostBytes + 1), '\0');
  file.read_at(0, text.data(), text.size());
  return parse_schema_file(text, path);
}

}  // namespace ballast
