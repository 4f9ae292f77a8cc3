#include <evident/report/document.hpp>

int main() {
  evident::Comparison result;
  result.models.resize(1);
  result.models[0].name = "only";
  evident::report::has_netcdf();
  evident::report::has_study_report();
  return evident::report::to_table(result, {}).find("only") == std::string::npos;
}
