// Fields of one or more JSON objects, the first that has a field deciding, with messages that name file and field.
//
//   const JsonFields fields = JsonFields::read({"sub-01_pet.json", "pet.json"});
//   std::optional<double> t = fields.number("InjectionStart");
//
// Names are matched without regard to case. A value of null counts as absent.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace evident::imaging {

class JsonFields {
 public:
  JsonFields() = default;
  /// Throws InputError when a file cannot be read or is no JSON object.
  static JsonFields read(const std::vector<std::string>& files);
  static JsonFields parse(const std::string& text, const std::string& file);

  bool empty() const { return objects_.empty(); }
  bool has(std::string_view name) const { return find(name).value != nullptr; }
  std::optional<double> number(std::string_view name) const;
  std::optional<std::string> text(std::string_view name) const;
  /// For what is only shown: nothing, rather than an error, when the type is another.
  std::optional<double> number_if_any(std::string_view name) const;
  std::optional<std::string> text_if_any(std::string_view name) const;
  /// true, false, and (with a warning) these words in quotes.
  std::optional<bool> flag(std::string_view name, std::vector<std::string>& warnings) const;
  /// A list of numbers; a single number is a list of one.
  std::optional<std::vector<double>> numbers(std::string_view name, std::size_t most) const;
  /// The text `key` within the object `name`, as in "time": {"Units": "s"}.
  std::optional<std::string> text_within(std::string_view name, std::string_view key) const;
  /// "sub-01_pet.json: 'Units'": where a field stands; the first file when it is nowhere.
  std::string where(std::string_view name) const;

 private:
  struct Found {
    const nlohmann::json* value = nullptr;
    const std::string* file = nullptr;
  };
  Found find(std::string_view name) const;
  [[noreturn]] void wrong_type(std::string_view name, const Found& found, std::string_view wanted) const;

  std::vector<std::pair<std::string, nlohmann::json>> objects_;  ///< file and content
};

}  // namespace evident::imaging
