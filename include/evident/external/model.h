/* A model of your own as a shared library: kind = "library" in a study. Plain C, no other header of evident is needed.
 *
 *   int evident_model_log_likelihood(const evident_model* model, const double* theta, size_t stride, size_t count,
 *                                    double* out) {
 *     (void)model;
 *     for (size_t i = 0; i < count; ++i) out[i] = -0.5 * (3 - theta[i]) * (3 - theta[i]) - 0.9189385332046727;
 *     return 0;
 *   }
 *
 * `evident new model mine` writes a folder with a model that works, to change; docs/own-models.md has the rest.
 *
 * The library exports the functions below. Those under REQUIRED must be there; evident looks whether the others are.
 * Priors belong to evident: the study writes them in [model.parameters], or the library tells them.
 *
 * A block of parameter vectors is a matrix with a row for each parameter. Parameter j of vector i is theta[j * stride +
 * i]; stride is at least count. What a function gives for vector i must depend on vector i alone. Functions are called
 * from several threads at once (serial = true in the study forbids that) and must not change the model.
 *
 * Functions that return int return 0 when all went well. Anything else ends the run, with what
 * evident_model_last_error says. An impossible parameter is no error: its log likelihood is -INFINITY. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Changes when a library that was built for an earlier header could no longer work. */
#define EVIDENT_MODEL_ABI 1

#if defined(_WIN32)
#define EVIDENT_MODEL_EXPORT __declspec(dllexport)
#else
#define EVIDENT_MODEL_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names as C has them */

/* A column of the data. */
typedef struct evident_column {
  const char* name;
  const double* values;
  size_t size;
} evident_column;

/* A line of [model.options]: a number as it is read by strtod, a text as it is, true or false; lists are in JSON. */
typedef struct evident_option {
  const char* name;
  const char* text;
} evident_option;

/* What the study says. It stays valid for as long as the model lives. */
typedef struct evident_setup {
  size_t size;        /* sizeof(evident_setup); later versions may add members at the end */
  const char* folder; /* of the study, for further files */
  const evident_option* options;
  size_t option_count;
  const evident_column* columns;
  size_t column_count;
  const char* const* parameters; /* the rows of theta, as [model.parameters] has them; none: the library tells them */
  size_t parameter_count;
} evident_setup;

/* Observations that the likelihood describes, for predictive checks and pictures. */
typedef struct evident_observed {
  const char* name;
  const double* values;
  size_t size;
  const char* axis_name; /* what they are drawn against; NULL: their order */
  const double* axis;    /* as many as values, or NULL */
  int discrete;          /* 1 for counts and categories */
} evident_observed;

/* The library's own; evident only hands it back. */
typedef struct evident_model evident_model;

/* NOLINTEND(readability-identifier-naming) */

/* REQUIRED ----------------------------------------------------------------------------------------------------------
 */

/* { return EVIDENT_MODEL_ABI; } */
EVIDENT_MODEL_EXPORT int evident_model_abi(void);
/* NULL when it cannot be made; evident_model_last_error says why. */
EVIDENT_MODEL_EXPORT evident_model* evident_model_create(const evident_setup* setup);
EVIDENT_MODEL_EXPORT void evident_model_destroy(evident_model* model);
/* out[i] = log p(data | vector i), with its constants: the evidence needs them. NaN counts as -INFINITY and is told. */
EVIDENT_MODEL_EXPORT int evident_model_log_likelihood(const evident_model* model, const double* theta, size_t stride,
                                                      size_t count, double* out);

/* OPTIONAL ----------------------------------------------------------------------------------------------------------
 */

/* What went wrong in the last call of this thread; valid until its next call. */
EVIDENT_MODEL_EXPORT const char* evident_model_last_error(void);

/* Parameters with their priors, "normal(0, 10)", when the study has no [model.parameters]. */
EVIDENT_MODEL_EXPORT size_t evident_model_parameter_count(const evident_model* model);
EVIDENT_MODEL_EXPORT const char* evident_model_parameter_name(const evident_model* model, size_t index);
EVIDENT_MODEL_EXPORT const char* evident_model_parameter_prior(const evident_model* model, size_t index);

/* out[j * out_stride + i] = derivative of out[i] above in parameter j. */
EVIDENT_MODEL_EXPORT int evident_model_gradient(const evident_model* model, const double* theta, size_t stride,
                                                size_t count, double* out, size_t out_stride);

/* How many observations the likelihood has; BIC needs it. Not asked when the two below are there. */
EVIDENT_MODEL_EXPORT size_t evident_model_observation_count(const evident_model* model);

/* The observations, as many tables as are returned; the memory belongs to the model. */
EVIDENT_MODEL_EXPORT size_t evident_model_observed(const evident_model* model, const evident_observed** out);
/* out[k * out_stride + i]: observation k drawn from p(y | vector i), by random numbers from seeds[i] alone. The
 * observations of several tables are joined one after another. */
EVIDENT_MODEL_EXPORT int evident_model_draw(const evident_model* model, const double* theta, size_t stride,
                                            size_t count, const uint64_t* seeds, double* out, size_t out_stride);
/* out[k * out_stride + i]: mean of observation k given vector i; NAN where there is none. */
EVIDENT_MODEL_EXPORT int evident_model_predict(const evident_model* model, const double* theta, size_t stride,
                                               size_t count, double* out, size_t out_stride);

#ifdef __cplusplus
}
#endif
