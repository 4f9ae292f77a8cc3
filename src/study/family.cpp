#include "study/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compare/method.hpp"
#include "evident/base/error.hpp"
#include "tables/placed_error.hpp"

namespace evident::study {
namespace {

bool same(const Value& a, const Value& b);

bool same(const Value::Array& a, const Value::Array& b) {
  return std::ranges::equal(a, b, [](const Value& x, const Value& y) { return same(x, y); });
}

// Of two values, wherever they stand in the file. No field of a kind is a table.
bool same(const Value& a, const Value& b) {
  if (a.data.index() != b.data.index()) return false;
  if (const auto* list = std::get_if<Value::Array>(&a.data)) return same(*list, std::get<Value::Array>(b.data));
  if (const auto* text = std::get_if<std::string>(&a.data)) return *text == std::get<std::string>(b.data);
  if (const auto* x = std::get_if<double>(&a.data)) return *x == std::get<double>(b.data);
  if (const auto* i = std::get_if<std::int64_t>(&a.data)) return *i == std::get<std::int64_t>(b.data);
  if (const auto* flag = std::get_if<bool>(&a.data)) return *flag == std::get<bool>(b.data);
  return false;
}

const Value* find(const Section& section, std::string_view key) {
  const auto it = std::ranges::find(section.entries(), key, &Entry::key);
  return it == section.entries().end() ? nullptr : &it->value;
}

const FamilyKind& family_kind(const Section& section, const Kind& kind, std::string_view method) {
  if (kind.family != nullptr) return *kind.family;
  section.fail(
      fmt::format("method {} needs moves between the models; kind \"{}\" has none; use direct", method, kind.name));
}

// One family has one data set and one prior: models may differ in one field alone.
void check_alike(const Draft& first, const Draft& other, std::string_view method) {
  for (const Field& field : first.kind->fields) {
    if (field.name == first.kind->family->varying) continue;
    const Value *a = find(first.section, field.name), *b = find(other.section, field.name);
    if ((a == nullptr && b == nullptr) || (a != nullptr && b != nullptr && same(*a, *b))) continue;
    const Section& where = b != nullptr ? other.section : first.section;
    where.fail(field.name, fmt::format("must be the same for '{}' and '{}': with method {} models differ in {} alone",
                                       first.name, other.name, method, first.kind->family->varying));
  }
}

void check_drafts(const std::vector<Draft>& drafts, std::string_view method) {
  const Draft& first = drafts.front();
  family_kind(first.section, *first.kind, method);
  for (const Draft& d : drafts) {
    if (d.kind != first.kind) {
      d.section.fail("kind", fmt::format("must be that of '{}', \"{}\": method {} needs moves between the models, and "
                                         "there are none between kinds; use direct",
                                         first.name, first.kind->name, method));
    }
    if (d.section.has("sampler"))
      d.section.fail(fmt::format("[model.sampler] has no effect with method {}: one run serves all models", method));
    if (d.weight == 0)
      d.section.fail("weight", fmt::format("must be above 0 with method {}; or leave the model out", method));
    check_alike(first, d, method);
  }
}

// Two names for one model would share its visits.
void check_distinct(const std::vector<Draft>& drafts, const FamilyCandidate& family) {
  std::map<ModelIndex, std::string> seen;
  for (std::size_t i = 0; i < family.listed.size(); ++i) {
    const auto& [k, name] = family.listed[i];
    const auto [it, is_new] = seen.emplace(k, name);
    if (!is_new) drafts[i].section.fail(fmt::format("models '{}' and '{}' are the same model", it->second, name));
  }
}

template <class Make>
FamilyCandidate placed(const Section& section, Make make) {
  try {
    return make();
  } catch (const PlacedError&) {
    throw;
  } catch (const InputError& e) {
    section.fail(e.message());
  }
}

}  // namespace

FamilyCandidate family_of(const std::vector<Draft>& drafts, Method method, DataFiles& files) {
  check_drafts(drafts, info(method).name);
  std::vector<ListedModel> models;
  for (const Draft& d : drafts) models.push_back({d.section, d.name, d.weight});
  const Section& first = drafts.front().section;
  FamilyCandidate out = placed(first, [&] { return drafts.front().kind->family->from_models(models, files); });
  check_distinct(drafts, out);
  if (method == Method::relative && out.listed.size() < 2)
    first.fail("method relative goes from one model to the next and needs at least two");
  return out;
}

FamilyCandidate family_of(const Section& section, Method method, DataFiles& files) {
  const std::string_view name = info(method).name;
  if (!info(method).union_of_models) {
    section.fail(
        fmt::format("[family] needs a method that moves between models (all-in-one, relative or rjmcmc), and "
                    "method {} does not; list the models as [[model]]",
                    name));
  }
  const Kind& kind = read_kind(section);
  const FamilyKind& family = family_kind(section, kind, name);
  std::vector<std::string_view> known = {"kind"};
  for (const Field& field : kind.fields) known.push_back(field.name);
  for (const Field& field : family.fields) known.push_back(field.name);
  section.check_keys(known);
  FamilyCandidate out = placed(section, [&] { return family.from_table(section, files); });
  if (method == Method::relative && out.listed.size() < 2)
    section.fail(
        "method relative goes from one model to the next and needs a list of at least two; write [[model]] "
        "tables");
  return out;
}

}  // namespace evident::study
