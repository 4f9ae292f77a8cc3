#include "support/source_folder.hpp"

namespace evident::test {

std::filesystem::path source_folder() { return EVIDENT_SOURCE_FOLDER; }

}  // namespace evident::test
