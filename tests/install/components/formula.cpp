#include <evident/formula/model.hpp>

int main() { return evident::formula::function_names().empty(); }
