#include "recipe/traced.hpp"

#include <algorithm>
#include <cstddef>

#include "ballast/error.hpp"

namespace ballast::recipe {

namespace {

const Recipe* first_tensor(const std::vector<CallArgument>& arguments) {
  for (const CallArgument& one : arguments) {
    if (const auto* x = std::get_if<Recipe>(&one)) return x;
    if (const auto* all = std::get_if<std::vector<Recipe>>(&one); all != nullptr && !all->empty()) return &all->front();
  }
  return nullptr;
}

std::shared_ptr<Extents> extents_of(const std::vector<CallArgument>& arguments) {
  const auto of = [](const Recipe& x) { return is_traced(x) ? as_call(*x.node())->extents : nullptr; };
  for (const CallArgument& one : arguments) {
    if (const auto* x = std::get_if<Recipe>(&one))
      if (auto extents = of(*x)) return extents;
    if (const auto* all = std::get_if<std::vector<Recipe>>(&one))
      for (const Recipe& each : *all)
        if (auto extents = of(each)) return extents;
  }
  return nullptr;
}

Recipe finish(std::shared_ptr<CallNode> node, std::size_t rank) {
  node->kind = detail::RecipeKind::call;
  node->spec.shape = node->extents->of(node->key, std::min(rank, Shape::kMaxRank));
  return Recipe(std::move(node));
}

struct KeyOf {
  std::string operator()(const Recipe& x) const { return is_traced(x) ? as_call(*x.node())->key : "?"; }
  std::string operator()(const std::vector<Recipe>& all) const {
    std::string key;
    for (const Recipe& x : all) key += (*this)(x) + ",";
    return key;
  }
  std::string operator()(std::uint64_t number) const { return std::to_string(number); }
  std::string operator()(const std::vector<std::uint64_t>& numbers) const {
    std::string key;
    for (const std::uint64_t number : numbers) key += std::to_string(number) + ",";
    return key;
  }
  std::string operator()(DType dtype) const { return std::string(name(dtype)); }
};

}  // namespace

const Shape& Extents::of(const std::string& key, std::size_t rank) {
  const auto [at, is_new] = known_.try_emplace(key);
  for (std::size_t axis = 0; is_new && axis < rank; ++axis) {
    const std::uint64_t number = number_(handed_out_++);
    if (number == 0)
      throw Error(Diagnostic{.code = Errc::recipe_invalid,
                             .what = "a recipe has too many steps to be written down",
                             .operation = "write formula"});
    at->second.push_back(number);
  }
  return at->second;
}

Recipe symbol(std::string name, std::optional<std::uint32_t> list_element, DType dtype, std::size_t rank,
              std::shared_ptr<Extents> extents) {
  auto node = std::make_shared<CallNode>();
  node->name = std::move(name);
  node->is_symbol = true;
  node->list_element = list_element;
  node->key = node->name;
  node->spec.dtype = dtype;
  node->extents = std::move(extents);
  return finish(std::move(node), rank);
}

Recipe call(std::string_view name, std::vector<CallArgument> arguments, int change_of_rank) {
  auto node = std::make_shared<CallNode>();
  node->name = name;
  const Recipe* first = first_tensor(arguments);
  node->extents = extents_of(arguments);
  std::size_t rank = 0;
  if (first != nullptr) {
    node->spec.dtype = first->dtype();
    rank = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(first->rank()) + std::ptrdiff_t{change_of_rank});
  }
  for (const CallArgument& one : arguments) {
    if (const auto* dtype = std::get_if<DType>(&one)) node->spec.dtype = *dtype;
    if (name == "reshape")
      if (const auto* extents = std::get_if<std::vector<std::uint64_t>>(&one)) rank = extents->size();
  }
  node->key = node->name + "(";
  for (const CallArgument& one : arguments) node->key += std::visit(KeyOf(), one) + ";";
  node->key += ")";
  node->arguments = std::move(arguments);
  return finish(std::move(node), rank);
}

}  // namespace ballast::recipe
