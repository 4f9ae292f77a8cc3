/* The C interface as a C program meets it: models of its own with exact evidences, bad arguments, cancelled runs. */
#include <evident/evident.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                               \
    }                                                                           \
  } while (0)

/* Observations with noise of sd 1 around a mean whose prior is normal(0, sd). */
typedef struct Data {
  size_t size;
  double y[8];
} Data;

static Data data = {8, {1.5, -0.5, 2.25, 3.0, -1.0, 0.125, 2.5, 1.0}};
static const double log_2_pi = 1.8378770664093453;

static double log_likelihood(void* user, const double* theta) {
  const Data* d = user;
  double sum = 0;
  for (size_t k = 0; k < d->size; ++k) sum += log_2_pi + (d->y[k] - theta[0]) * (d->y[k] - theta[0]);
  return -0.5 * sum;
}

static int gradient(void* user, const double* theta, double* out) {
  const Data* d = user;
  out[0] = 0;
  for (size_t k = 0; k < d->size; ++k) out[0] += d->y[k] - theta[0];
  return 0;
}

static int batch(void* user, const double* theta, size_t stride, size_t count, double* out) {
  (void)stride; /* one parameter, one row */
  for (size_t i = 0; i < count; ++i) out[i] = log_likelihood(user, theta + i);
  return 0;
}

static int batch_gradient(void* user, const double* theta, size_t stride, size_t count, double* out,
                          size_t out_stride) {
  (void)stride, (void)out_stride;
  for (size_t i = 0; i < count; ++i) gradient(user, theta + i, out + i);
  return 0;
}

static double exact(double sd) {
  const double n = (double)data.size, variance = sd * sd;
  double sum = 0, squares = 0;
  for (size_t k = 0; k < data.size; ++k) sum += data.y[k], squares += data.y[k] * data.y[k];
  return -0.5 * (n * log_2_pi + log(1 + n * variance) + squares - variance * sum * sum / (1 + n * variance));
}

static int add(evident_study* study, const char* name, const char* prior, const evident_functions* f) {
  const evident_parameter mu = {"mu", prior};
  return evident_study_add_model(study, name, 1, &mu, 1, f);
}

static evident_functions functions(void) {
  evident_functions f;
  memset(&f, 0, sizeof f);
  f.size = sizeof f;
  f.user = &data;
  f.log_likelihood = log_likelihood;
  return f;
}

static void set(evident_study* study, const char* key, const char* value) {
  if (evident_study_set(study, key, value) != EVIDENT_OK) {
    fprintf(stderr, "%s = %s: %s\n", key, value, evident_study_error(study));
    ++failures;
  }
}

static evident_study* quick_study(void) {
  evident_study* study = evident_study_new();
  CHECK(study != NULL);
  set(study, "particles", "500");
  set(study, "seed", "7");
  set(study, "threads", "2");
  return study;
}

typedef struct Steps {
  size_t steps, finished;
  size_t stop_after; /* 0: never */
} Steps;

static int progress(void* user, const evident_progress* p) {
  Steps* s = user;
  CHECK(p->size == sizeof(evident_progress));
  CHECK(strcmp(p->name, p->model == 0 ? "free" : "near zero") == 0);
  CHECK(p->finished || (p->alpha >= 0 && p->alpha <= 1));
  if (p->finished) ++s->finished;
  ++s->steps;
  return s->stop_after > 0 && s->steps >= s->stop_after;
}

static void check_draws(evident_result* result) {
  const size_t count = evident_result_draw_count(result, 0);
  CHECK(count == 500);
  CHECK(evident_result_column_count(result, 0) == 1);
  CHECK(strcmp(evident_result_column_name(result, 0, 0), "mu") == 0);
  CHECK(evident_result_column_name(result, 0, 1) == NULL);
  double* values = malloc(count * sizeof *values);
  double* weights = malloc(count * sizeof *weights);
  double* equal = malloc(100 * sizeof *equal);
  if (values == NULL || weights == NULL || equal == NULL) exit(3);
  CHECK(evident_result_draws(result, 0, values, count, weights, count) == EVIDENT_OK);
  double total = 0, mean = 0, equal_mean = 0;
  for (size_t i = 0; i < count; ++i) total += weights[i], mean += weights[i] * values[i];
  CHECK(fabs(total - 1) < 1e-12);
  CHECK(evident_result_equal_draws(result, 0, 100, equal, 100) == EVIDENT_OK);
  for (size_t i = 0; i < 100; ++i) equal_mean += equal[i] / 100;
  /* The posterior mean is 8.875 / 9 with sd 1/3; 500 draws, and 100 of those. */
  CHECK(fabs(mean - 8.875 / 9) < 5 * 0.3333 / sqrt(500.0));
  CHECK(fabs(equal_mean - mean) < 5 * 0.3333 / sqrt(100.0));
  CHECK(evident_result_draws(result, 0, values, count - 1, NULL, 0) == EVIDENT_INPUT_ERROR);
  CHECK(strstr(evident_result_error(result), "room for 499") != NULL);
  CHECK(evident_result_draws(result, 2, NULL, 0, NULL, 0) == EVIDENT_INPUT_ERROR);
  CHECK(evident_result_equal_draws(result, 0, (size_t)-1, equal, 100) == EVIDENT_INPUT_ERROR);
  CHECK(evident_result_equal_draws(result, 0, 100, NULL, 100) == EVIDENT_INPUT_ERROR);
  free(values), free(weights), free(equal);
}

/* Scalar, with gradient, batch: the same numbers, and the right ones. */
static void own_models(void) {
  double first = 0;
  for (int kind = 0; kind < 3; ++kind) {
    evident_study* study = quick_study();
    evident_functions f = functions();
    if (kind == 1) f.gradient = gradient, f.serial = 1;
    if (kind == 2) f.log_likelihood = NULL, f.log_likelihood_batch = batch, f.gradient_batch = batch_gradient;
    CHECK(add(study, "free", "normal(0, 1)", &f) == EVIDENT_OK);
    CHECK(add(study, "near zero", "normal(0, 0.01)", &f) == EVIDENT_OK);
    Steps steps = {0, 0, 0};
    CHECK(evident_study_on_progress(study, progress, &steps) == EVIDENT_OK);
    evident_result* result = NULL;
    CHECK(evident_study_run(study, &result) == EVIDENT_OK);
    CHECK(strcmp(evident_study_error(study), "") == 0);
    evident_study_free(study); /* the result stands on its own */
    CHECK(evident_result_model_count(result) == 2);
    CHECK(strcmp(evident_result_model_name(result, 1), "near zero") == 0);
    CHECK(steps.finished >= 2 && steps.steps > steps.finished);
    const double wanted[] = {exact(1), exact(0.01)};
    evident_estimate z[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}}, p = {0, 0, 0, 0};
    for (size_t k = 0; k < 2; ++k) {
      CHECK(evident_result_log_evidence(result, k, &z[k]) == EVIDENT_OK);
      CHECK(z[k].standard_error > 0 && z[k].standard_error < 0.1);
      CHECK(fabs(z[k].value - wanted[k]) < 5 * z[k].standard_error);
      CHECK(z[k].lower < z[k].value && z[k].value < z[k].upper);
      CHECK(evident_result_verdict(result, k) != NULL);
    }
    const double probability = 1 / (1 + exp(wanted[1] - wanted[0]));
    CHECK(evident_result_probability(result, 0, &p) == EVIDENT_OK);
    CHECK(p.standard_error > 0 && fabs(p.value - probability) < 5 * p.standard_error);
    if (kind == 0) first = z[0].value;
    CHECK(z[0].value == first);
    check_draws(result);
    CHECK(strstr(evident_result_json(result), "\"log_evidence\"") != NULL);
    evident_result_free(result);
  }
}

static double not_a_number(void* user, const double* theta) {
  (void)user, (void)theta;
  return NAN;
}

static double half_not_a_number(void* user, const double* theta) {
  return theta[0] > 0 ? NAN : log_likelihood(user, theta);
}

/* The evidence lacks what NaN hides, so it is not to be trusted. */
static void partly_not_a_number(void) {
  evident_study* study = quick_study();
  evident_functions f = functions();
  f.log_likelihood = half_not_a_number;
  CHECK(add(study, "free", "normal(0, 1)", &f) == EVIDENT_OK);
  evident_result* result = NULL;
  CHECK(evident_study_run(study, &result) == EVIDENT_OK);
  const char* verdict = evident_result_verdict(result, 0);
  CHECK(verdict != NULL && strcmp(verdict, "trust") != 0);
  CHECK(strstr(evident_result_json(result), "nan-likelihood") != NULL);
  evident_result_free(result);
  evident_study_free(study);
}

static int failing_batch(void* user, const double* theta, size_t stride, size_t count, double* out) {
  (void)user, (void)theta, (void)stride, (void)count, (void)out;
  return 42;
}

static void expect_run(evident_study* study, int status, const char* text) {
  evident_result* result = (evident_result*)1;
  CHECK(evident_study_run(study, &result) == status);
  CHECK(result == NULL);
  if (strstr(evident_study_error(study), text) == NULL) {
    fprintf(stderr, "'%s' is not in: %s\n", text, evident_study_error(study));
    ++failures;
  }
}

static void bad_functions(void) {
  evident_study* study = quick_study();
  evident_functions f = functions();
  f.log_likelihood = not_a_number;
  set(study, "nan_limit", "0.05");
  CHECK(add(study, "free", "normal(0, 1)", &f) == EVIDENT_OK);
  expect_run(study, EVIDENT_RUN_ERROR, "NaN");
  evident_study_free(study);

  study = quick_study();
  f.log_likelihood = NULL;
  f.log_likelihood_batch = failing_batch;
  CHECK(add(study, "free", "normal(0, 1)", &f) == EVIDENT_OK);
  expect_run(study, EVIDENT_RUN_ERROR, "it returned 42");
  evident_study_free(study);
}

static void cancelled(void) {
  evident_study* study = quick_study();
  const evident_functions f = functions();
  CHECK(add(study, "free", "normal(0, 1)", &f) == EVIDENT_OK);
  CHECK(add(study, "near zero", "normal(0, 0.01)", &f) == EVIDENT_OK);
  Steps steps = {0, 0, 2};
  CHECK(evident_study_on_progress(study, progress, &steps) == EVIDENT_OK);
  expect_run(study, EVIDENT_CANCELLED, "cancelled");
  CHECK(steps.steps == 2);
  CHECK(evident_study_on_progress(study, NULL, NULL) == EVIDENT_OK);
  evident_study_cancel(study);
  expect_run(study, EVIDENT_CANCELLED, "cancelled");
  evident_result* result = NULL;
  CHECK(evident_study_run(study, &result) == EVIDENT_OK); /* what was cancelled can be run again */
  evident_result_free(result);
  evident_study_free(study);
}

/* A function of a model that asks for what it may not while the study runs. */
static evident_study* busy = NULL;
static int asked = 0;

static double asks(void* user, const double* theta) {
  if (asked++ == 0) {
    CHECK(evident_study_set(busy, "seed", "3") == EVIDENT_INPUT_ERROR);
    CHECK(strstr(evident_study_error(busy), "the study is running") != NULL);
    evident_result* result = NULL;
    CHECK(evident_study_run(busy, &result) == EVIDENT_INPUT_ERROR);
    CHECK(strstr(evident_study_error(busy), "the study is running") != NULL);
  }
  return log_likelihood(user, theta);
}

static void calls_from_a_callback(void) {
  busy = quick_study();
  evident_functions f = functions();
  f.log_likelihood = asks;
  f.serial = 1;
  CHECK(add(busy, "asks", "normal(0, 1)", &f) == EVIDENT_OK);
  evident_result* result = NULL;
  CHECK(evident_study_run(busy, &result) == EVIDENT_OK);
  CHECK(asked > 1);
  CHECK(strcmp(evident_study_error(busy), "") == 0);
  evident_result_free(result);
  evident_study_free(busy);
}

static void bad_arguments(void) {
  evident_result* result = NULL;
  evident_study_free(NULL), evident_result_free(NULL), evident_study_cancel(NULL);
  CHECK(evident_study_run(NULL, &result) == EVIDENT_INPUT_ERROR);
  CHECK(evident_study_set(NULL, "seed", "1") == EVIDENT_INPUT_ERROR);
  CHECK(strcmp(evident_study_error(NULL), "the study is NULL") == 0);
  CHECK(evident_result_model_count(NULL) == 0 && evident_result_model_name(NULL, 0) == NULL);
  CHECK(evident_result_json(NULL) == NULL && evident_result_verdict(NULL, 0) == NULL);
  CHECK(evident_result_draw_count(NULL, 0) == 0 && evident_result_log_evidence(NULL, 0, NULL) == EVIDENT_INPUT_ERROR);

  evident_study* study = evident_study_new();
  CHECK(evident_study_run(study, NULL) == EVIDENT_INPUT_ERROR);
  expect_run(study, EVIDENT_INPUT_ERROR, "empty");
  CHECK(evident_study_set(study, NULL, "1") == EVIDENT_INPUT_ERROR);
  CHECK(evident_study_set(study, "seed", NULL) == EVIDENT_INPUT_ERROR);
  CHECK(evident_study_set(study, "partciles", "1") == EVIDENT_INPUT_ERROR);
  CHECK(strstr(evident_study_error(study), "did you mean 'particles'") != NULL);
  CHECK(evident_study_set(study, "seed", "1\nparticles = 7") == EVIDENT_INPUT_ERROR);
  CHECK(evident_study_load(study, NULL) == EVIDENT_INPUT_ERROR);
  CHECK(evident_study_load(study, "/nowhere/study.toml") == EVIDENT_INPUT_ERROR);
  CHECK(strstr(evident_study_error(study), "/nowhere/study.toml") != NULL);
  CHECK(evident_study_load_text(study, "[sampler", "inline.toml") == EVIDENT_INPUT_ERROR);
  CHECK(strstr(evident_study_error(study), "inline.toml:1") != NULL);

  evident_functions f = functions();
  const evident_parameter unnamed = {NULL, "normal(0, 1)"};
  CHECK(add(study, NULL, "normal(0, 1)", &f) == EVIDENT_INPUT_ERROR);
  CHECK(add(study, "free", NULL, &f) == EVIDENT_INPUT_ERROR);
  CHECK(add(study, "free", "normal(0, -1)", &f) == EVIDENT_INPUT_ERROR);
  CHECK(add(study, "free", "normal(0, 1)", NULL) == EVIDENT_INPUT_ERROR);
  CHECK(evident_study_add_model(study, "free", 1, NULL, 1, &f) == EVIDENT_INPUT_ERROR);
  CHECK(evident_study_add_model(study, "free", 1, &unnamed, 1, &f) == EVIDENT_INPUT_ERROR);
  CHECK(evident_study_add_model(study, "free", 1, &unnamed, (size_t)-1, &f) == EVIDENT_INPUT_ERROR);
  f.size = 0;
  CHECK(add(study, "free", "normal(0, 1)", &f) == EVIDENT_INPUT_ERROR);
  f.size = offsetof(evident_functions, gradient); /* a header of the past, which knew no more */
  CHECK(add(study, "free", "normal(0, 1)", &f) == EVIDENT_OK);
  CHECK(add(study, "free", "normal(0, 1)", &f) == EVIDENT_INPUT_ERROR); /* again */
  f = functions();
  f.log_likelihood_batch = batch; /* two of a kind */
  CHECK(add(study, "both", "normal(0, 1)", &f) == EVIDENT_INPUT_ERROR);
  f = functions();
  f.log_likelihood = NULL;
  CHECK(add(study, "neither", "normal(0, 1)", &f) == EVIDENT_INPUT_ERROR);
  CHECK(evident_study_load(study, "study.toml") == EVIDENT_INPUT_ERROR); /* models of its own */
  set(study, "particles", "1");
  expect_run(study, EVIDENT_INPUT_ERROR, "particles");
  set(study, "particles", "100");
  set(study, "kernel", "mala");
  expect_run(study, EVIDENT_INPUT_ERROR, "gradient");
  set(study, "kernel", "random-walk");
  set(study, "method", "all-in-one");
  expect_run(study, EVIDENT_INPUT_ERROR, "family");
  evident_study_free(study);
}

int main(void) {
  CHECK(evident_abi() == EVIDENT_ABI);
  CHECK(strlen(evident_version()) > 0);
  own_models();
  bad_functions();
  partly_not_a_number();
  cancelled();
  calls_from_a_callback();
  bad_arguments();
  if (failures == 0) printf("all is well\n");
  return failures == 0 ? 0 : 1;
}
