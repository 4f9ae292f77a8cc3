// Values of the options of `evident pet`, from texts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cmd/pet/table.hpp"

namespace evident::cli {

/// Sets one of the texts that were given for the option. Throws InputError, naming the option.
void set(const PetOption& option, const std::string& text, PetCommand& command);

/// "1,2": numbers of compartments, in order.
std::vector<std::size_t> model_list(const std::string& text);

}  // namespace evident::cli
