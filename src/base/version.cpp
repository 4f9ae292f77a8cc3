#include "base/version.hpp"

namespace evident {

std::string_view version() { return EVIDENT_VERSION; }

}  // namespace evident
