// What the kinds "library" and "process" have in common: parameters, options and columns from the study.
#pragma once

#include <vector>

#include "evident/model/parameters.hpp"
#include "external/parts.hpp"
#include "study/kinds.hpp"

namespace evident::study {

/// Throws InputError unless the user allows code; `key` names it.
void require_code(const Section& model, std::string_view key, const DataFiles& files);

/// [model.parameters]: name = "prior", in the order of the file; "theta[8]" is a vector. Empty when there is none.
ParameterSpace read_parameters(const Section& model);
/// [model.options]: whatever is there, as text.
std::vector<external::TextOption> read_text_options(const Section& model);
/// The columns that `columns` lists, or all of [data] file; none without a file.
std::vector<external::DataColumn> read_columns(const Section& model, DataFiles& files);

inline constexpr Field kParametersField = {"parameters", "table", "",
                                           "[model.parameters]: name = \"prior\"; \"theta[8]\" is a vector"};
inline constexpr Field kOptionsField = {"options", "table", "none", "[model.options]: whatever the code wants to know"};
inline constexpr Field kColumnsField = {"columns", "list of texts", "every column of [data] file",
                                        "columns of the data that the code gets"};

}  // namespace evident::study
