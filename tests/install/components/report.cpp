#include <evident/report/html.hpp>
#include <evident/report/netcdf.hpp>
#include <evident/report/table.hpp>

int main() {
  evident::Comparison result;
  result.models.resize(1);
  result.models[0].name = "only";
  evident::report::html_kinds();
  return evident::report::to_table(result, {}).find("only") == std::string::npos;
}
