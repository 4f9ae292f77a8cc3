/* Is y = a + b t + noise a line, or is it level? The noise has sd 1, a and b have the prior normal(0, 2); the answers
 * are -14.0901 (level) and -12.4129 (line). */
#include <evident/evident.h>
#include <stdio.h>

static const double t[] = {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0};
static const double y[] = {-0.9, 0.6, -0.3, 1.1, 0.4, 2.2, 1.3, 2.6};

static double log_likelihood(double a, double b) {
  double sum = 0;
  for (int k = 0; k < 8; ++k) {
    const double r = y[k] - a - b * t[k];
    sum -= 0.5 * (1.8378770664093453 + r * r);
  }
  return sum;
}

static double level(void* user, const double* theta) {
  (void)user;
  return log_likelihood(theta[0], 0);
}

static double line(void* user, const double* theta) {
  (void)user;
  return log_likelihood(theta[0], theta[1]);
}

static int fail(const char* text) {
  fprintf(stderr, "%s\n", text);
  return 1;
}

int main(void) {
  const evident_parameter parameters[] = {{"a", "normal(0, 2)"}, {"b", "normal(0, 2)"}};
  const evident_functions of_level = {.size = sizeof of_level, .log_likelihood = level};
  const evident_functions of_line = {.size = sizeof of_line, .log_likelihood = line};
  evident_study* study = evident_study_new();
  evident_result* result = NULL;
  if (evident_study_add_model(study, "level", 1, parameters, 1, &of_level) != EVIDENT_OK ||
      evident_study_add_model(study, "line", 1, parameters, 2, &of_line) != EVIDENT_OK ||
      evident_study_set(study, "seed", "7") != EVIDENT_OK || evident_study_run(study, &result) != EVIDENT_OK)
    return fail(evident_study_error(study));
  for (size_t k = 0; k < evident_result_model_count(result); ++k) {
    evident_estimate z, p;
    if (evident_result_log_evidence(result, k, &z) != EVIDENT_OK ||
        evident_result_probability(result, k, &p) != EVIDENT_OK)
      return fail(evident_result_error(result));
    printf("%s: log evidence %.4f +- %.4f\n  probability %.3f +- %.3f\n", evident_result_model_name(result, k), z.value,
           z.standard_error, p.value, p.standard_error);
  }
  evident_result_free(result);
  evident_study_free(study);
  return 0;
}
