#include "json.hpp"

#include <algorithm>
#include <utility>

namespace ballast::cli {

namespace {

constexpr std::size_t kLineWidth = 160;
constexpr std::size_t kFirstOfLongArray = 8;

std::string compact(const Json& json) { return json.dump(-1, ' ', false, nlohmann::detail::error_handler_t::replace); }

// Whether a value may be one line: no more than this many values in it, so that asking costs little.
bool is_small(const Json& json, std::size_t& budget) {
  if (budget == 0) return false;
  --budget;
  return !json.is_structured() ||
         std::all_of(json.begin(), json.end(), [&budget](const Json& element) { return is_small(element, budget); });
}

void write(std::string& out, const Json& json, std::size_t depth) {
  std::size_t budget = kLineWidth / 2;
  if (!json.is_structured() || json.empty() || is_small(json, budget)) {
    const std::string line = compact(json);
    if (!json.is_structured() || json.empty() || line.size() + depth <= kLineWidth) {
      out += line;
      return;
    }
  }
  const bool is_object = json.is_object();
  out += is_object ? "{" : "[";
  bool first = true;
  for (auto it = json.begin(); it != json.end(); ++it, first = false) {
    out += first ? "\n" : ",\n";
    out.append(depth + 1, ' ');
    if (is_object) out += compact(Json(it.key())) + ": ";
    write(out, *it, depth + 1);
  }
  out += '\n';
  out.append(depth, ' ');
  out += is_object ? '}' : ']';
}

}  // namespace

std::string document(const Json& json) {
  std::string out;
  write(out, json, 0);
  out += '\n';
  return out;
}

void append(Json& object, std::string key, Json value) {
  if (object.is_null()) object = Json::object();
  // ordered_json looks through all members for the key, which in files' metadata can be many.
  auto& members = object.get_ref<Json::object_t&>();
  static_cast<Json::object_t::Container&>(members).emplace_back(std::move(key), std::move(value));
}

Json to_json(const Shape& shape) {
  Json json = Json::array();
  for (const std::uint64_t extent : shape) json.push_back(extent);
  return json;
}

Json to_json(const Diagnostic& d) {
  Json json{{"code", name(d.code)}, {"what", d.what}};
  const auto add = [&json](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  add("operation", d.operation);
  add("container", d.container);
  add("parameter", d.parameter);
  add("dependency", d.dependency);
  add("tensor", d.tensor);
  add("file", d.file);
  add("expected", d.expected);
  add("got", d.got);
  add("nearest", d.nearest);
  add("cause", d.cause);
  add("place", d.place);
  if (d.offset != Diagnostic::kNoOffset) json["offset"] = d.offset;
  return json;
}

Json to_json(const Value& value, std::size_t most) {
  struct Visitor {
    std::size_t most;
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(const Value::Array& array) const {
      const bool is_long = array.size() > most;
      Json elements = Json::array();
      for (const Value& element : array) {
        if (is_long && elements.size() == kFirstOfLongArray) break;
        elements.push_back(to_json(element, most));
      }
      if (!is_long) return elements;
      return Json{{"length", array.size()}, {"first", std::move(elements)}};
    }
    Json operator()(const Value::Object& object) const {
      Json json = Json::object();
      for (const auto& [key, member] : object) append(json, key, to_json(member, most));
      return json;
    }
    Json operator()(bool flag) const { return flag; }
    Json operator()(std::int64_t number) const { return number; }
    Json operator()(std::uint64_t number) const { return number; }
    Json operator()(double number) const { return number; }
    Json operator()(const std::string& text) const { return text; }
  };
  return std::visit(Visitor{most}, value.storage());
}

Json to_json(const LoadReport::Seconds& s) {
  return {{"open", s.open}, {"bind", s.bind}, {"plan", s.plan}, {"execute", s.execute}, {"total", s.total}};
}

Json error_json(const Error& error) {
  Json diagnostics = Json::array();
  for (const Diagnostic& diagnostic : error.diagnostics()) diagnostics.push_back(to_json(diagnostic));
  return {{"error", {{"code", name(error.code())}, {"total", error.total()}, {"diagnostics", std::move(diagnostics)}}}};
}

}  // namespace ballast::cli
