// Pages for man(1), in the language of groff's man macros.
#include <fmt/format.h>

#include "base/version.hpp"
#include "reference/page.hpp"

namespace evident::cli::reference {
namespace {

/// Text as groff prints it: hyphens that can be copied, no requests where a line begins with a dot or quote.
std::string in_roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'' && !out.empty()) {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else if (c == '~') {
      out += "\\(ti";
    } else if (c == '^') {
      out += "\\(ha";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string bold(const std::string& text) { return "\\fB" + in_roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + in_roff(text) + "\\fR"; }

std::string sentence(const std::string& text) { return in_roff(text) + (text.ends_with('.') ? "" : "."); }

std::string tag(const Entry& entry) {
  std::string out;
  for (const std::string& name : entry.names) out += (out.empty() ? "" : ", ") + bold(name);
  if (!entry.value.empty()) out += " " + italic(entry.value) + (entry.several ? " ..." : "");
  return out;
}

std::string item(const std::string& label, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", label, sentence(text));
}

std::string option_item(const Entry& option) {
  return item(tag(option), option.description + (option.required ? " (required)" : ""));
}

/// "evident compare [OPTIONS] STUDY.toml" with its command in bold.
std::string synopsis(const Page& page) { return bold(page.title()) + " " + in_roff(page.usage()) + "\n"; }

std::string options_text(const Page& page, const std::string& heading_request) {
  std::string out;
  for (const Entry& argument : page.arguments)
    out += item(italic(argument.value) + (argument.several ? " ..." : ""), argument.description);
  for (const std::string& group : page.groups()) {
    if (group != "Options") out += heading_request + " \"" + in_roff(group) + "\"\n";
    for (const Entry& option : page.options)
      if (option.group == group) out += option_item(option);
  }
  return out;
}

std::string examples_text(const Page& page) {
  std::string out = ".nf\n.RS 4\n";
  for (const std::string& example : page.examples) out += in_roff(example) + "\n";
  return out + ".RE\n.fi\n";
}

/// A command below this one: simulate's kinds.
std::string part_text(const Page& part) {
  std::string out =
      fmt::format(".SH {}\n{}\n.PP\n{}", in_roff(part.title()), sentence(part.description), synopsis(part));
  out += options_text(part, ".SS");
  for (const std::string& note : part.notes) out += ".PP\n" + in_roff(note) + "\n";
  if (!part.examples.empty()) out += ".PP\nExamples:\n.PP\n" + examples_text(part);
  return out;
}

std::string see_also(const Page& page) {
  std::string out;
  const auto add = [&](const std::string& name) {
    out += (out.empty() ? "" : ",\n") + fmt::format("\\fB{}\\fR(1)", in_roff(name));
  };
  if (page.path.size() > 1) {
    add("evident");
  } else {
    for (const Page& part : page.parts) add(part.dashed());
  }
  return out + "\n";
}

}  // namespace

std::string man_page(const Page& page) {
  const bool whole = page.path.size() == 1;
  // No date: it would tell when the program was built, and two builds of one version should be the same.
  std::string out =
      fmt::format(".TH \"{}\" 1 \"\" \"evident {}\" \"evident\"\n.nh\n.ad l\n", in_roff(page.dashed()), version());
  out += fmt::format(".SH NAME\n{} \\- {}\n", in_roff(page.dashed()), in_roff(page.description));
  out += ".SH SYNOPSIS\n" + synopsis(page);
  if (whole)
    out += ".SH DESCRIPTION\n" +
           sentence(
               "evident computes the evidence of Bayesian models, and from it Bayes factors, posterior model "
               "probabilities and model-averaged parameters, with error bars") +
           "\n" + sentence("A study is a TOML file that names data and models") + "\n";
  if (!page.notes.empty() && !whole) {
    out += ".SH DESCRIPTION\n";
    for (std::size_t i = 0; i < page.notes.size(); ++i) out += (i > 0 ? ".PP\n" : "") + in_roff(page.notes[i]) + "\n";
  }
  if (whole) {
    out += ".SH COMMANDS\n";
    for (const Page& part : page.parts) out += item(bold(part.path.back()), part.description);
  }
  out += ".SH OPTIONS\n" + options_text(page, ".SS");
  if (!whole)
    for (const Page& part : page.parts) out += part_text(part);
  out += ".SH EXIT STATUS\n" + in_roff(page.exit_status.empty() ? exit_statuses() : page.exit_status) + "\n";
  if (whole) {
    out += ".SH ENVIRONMENT\n";
    for (const Variable& variable : variables()) out += item(bold(variable.name), variable.meaning);
  }
  if (!page.examples.empty()) out += ".SH EXAMPLES\n" + examples_text(page);
  return out + ".SH SEE ALSO\n" + see_also(page);
}

}  // namespace evident::cli::reference
