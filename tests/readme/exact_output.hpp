// Included before the README's example: numbers are printed to the last bit.
#pragma once

#include <iostream>

namespace {
const bool exact_output = (std::cout << std::hexfloat, true);
}
