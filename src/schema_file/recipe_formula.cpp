#include "schema_file/recipe_formula.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "ballast/error.hpp"
#include "formula/evaluate.hpp"
#include "formula/model_scope.hpp"

namespace ballast::schema_file {

namespace {

struct Compiled {
  std::vector<DependencySchema> dependencies;
  std::vector<FormRecipe> forms;
};

class RecipeScope : public formula::Scope {
 public:
  RecipeScope(const Compiled& compiled, std::uint32_t form, const ModelContext& model, const Operands& operands)
      : compiled_(compiled), form_(form), model_(model), operands_(operands), values_(compiled.dependencies.size()) {}

  const formula::Value* find(std::string_view name) override {
    const std::size_t d = index(name);
    if (d == values_.size()) {
      number_ = formula::value_of(model_, name);
      return number_ ? &*number_ : nullptr;
    }
    std::optional<formula::Value>& value = values_[d];
    if (value) return &*value;
    const std::span<const Recipe> bound = operands_[d];
    if (compiled_.dependencies[d].kind == DependencyKind::list)
      value = formula::Tensors(bound.begin(), bound.end());
    else if (!bound.empty())
      value = bound.front();
    else
      refuse_absent(name);
    return &*value;
  }

  formula::Value read(std::string_view path) override { return formula::Absent{std::string(path), false}; }
  bool is_present(std::string_view dependency) override {
    const std::size_t d = index(dependency);
    return d < values_.size() && !operands_[d].empty();
  }
  const ModelContext& model() const override { return model_; }

 private:
  [[nodiscard]] std::size_t index(std::string_view name) const {
    for (std::size_t d = 0; d < values_.size(); ++d)
      if (compiled_.dependencies[d].name == name && compiled_.dependencies[d].form == form_) return d;
    return values_.size();
  }

  [[noreturn]] static void refuse_absent(std::string_view name) {
    Diagnostic d;
    d.code = Errc::not_loaded;
    d.operation = "finalize";
    d.dependency = name;
    d.what = "a recipe uses a dependency that this checkpoint does not have";
    d.cause = "ask an optional dependency with present() before using it";
    throw Error(std::move(d));
  }

  const Compiled& compiled_;
  std::uint32_t form_;
  const ModelContext& model_;
  const Operands& operands_;
  std::vector<std::optional<formula::Value>> values_;
  std::optional<formula::Value> number_;
};

const FormRecipe& present_form(const Compiled& compiled, const Operands& operands) {
  for (const FormRecipe& form : compiled.forms)
    for (std::size_t d = 0; d < compiled.dependencies.size(); ++d)
      if (compiled.dependencies[d].form == form.form && !operands[d].empty()) return form;
  return compiled.forms.front();
}

Recipe finalize(const Compiled& compiled, const ModelContext& model, const Operands& operands) {
  const FormRecipe& form = present_form(compiled, operands);
  RecipeScope scope(compiled, form.form, model, operands);
  try {
    return std::get<Recipe>(formula::evaluate(form.recipe, scope));
  } catch (const formula::Trouble& trouble) {
    Diagnostic d = formula::to_diagnostic(trouble.fault, form.recipe.text);
    if (d.code == Errc::context_invalid) d.code = Errc::recipe_invalid;
    d.operation = "finalize";
    throw Error(std::move(d));
  }
}

}  // namespace

std::function<Recipe(const ModelContext&, const Operands&)> finalize_by(std::vector<DependencySchema> dependencies,
                                                                        std::vector<FormRecipe> forms) {
  auto compiled = std::make_shared<const Compiled>(Compiled{std::move(dependencies), std::move(forms)});
  return
      [compiled](const ModelContext& model, const Operands& operands) { return finalize(*compiled, model, operands); };
}

}  // namespace ballast::schema_file
