// The files of the templates, which the build takes from cmd/new/templates and include/.
#pragma once

#include <string_view>

namespace evident::cli::templates {

extern const std::string_view c_model, c_makefile, c_study, c_readme;
extern const std::string_view cpp_model, cpp_makefile, cpp_study, cpp_readme;
extern const std::string_view python_model, python_study, python_readme;
extern const std::string_view r_model, r_study, r_readme;
extern const std::string_view data, header;

}  // namespace evident::cli::templates
