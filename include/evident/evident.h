/* Evident from C, and from every language that can call C: R, Julia, Fortran, Python's ctypes. Link with libevident_c.
 *
 *   evident_study* study = evident_study_new();
 *   const evident_parameter mean[] = {{"mu", "normal(0, 10)"}};
 *   const evident_functions f = {.size = sizeof f, .log_likelihood = my_log_likelihood, .user = &my_data};
 *   evident_result* result = NULL;
 *   if (evident_study_add_model(study, "one mean", 1, mean, 1, &f) != EVIDENT_OK ||
 *       evident_study_set(study, "seed", "7") != EVIDENT_OK ||
 *       evident_study_run(study, &result) != EVIDENT_OK)
 *     fprintf(stderr, "%s\n", evident_study_error(study));
 *   evident_estimate z;
 *   if (evident_result_log_evidence(result, 0, &z) == EVIDENT_OK) printf("%g +- %g\n", z.value, z.standard_error);
 *   evident_result_free(result);
 *   evident_study_free(study);
 *
 * docs/c-api.md tells the rest. Functions that return int return EVIDENT_OK or why not; what went wrong is then in the
 * error text of the handle. No C++ exception leaves this library. NULL is never a crash: it is an EVIDENT_INPUT_ERROR,
 * or nothing, NULL, 0. A handle is for one thread at a time, but evident_study_cancel may be called from any. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "evident/external/model.h" /* evident_observed */

/* Changes when a program that was built for an earlier header could no longer work. */
#define EVIDENT_ABI 1

#if defined(_WIN32)
#define EVIDENT_API
#else
#define EVIDENT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names as C has them */

enum {
  EVIDENT_OK = 0,
  EVIDENT_RUN_ERROR = 1,   /* the input was understood, but the run failed */
  EVIDENT_INPUT_ERROR = 2, /* you can mend it: an argument, a setting, a study */
  EVIDENT_CANCELLED = 3    /* by evident_study_cancel, or by the progress function */
};

typedef struct evident_study evident_study;
typedef struct evident_result evident_result;

/* Is the library that runs the one that this header belongs to? evident_abi() == EVIDENT_ABI */
EVIDENT_API int evident_abi(void);
EVIDENT_API const char* evident_version(void); /* "0.1.0" */

/* MODELS ----------------------------------------------------------------------------------------------------------- */

typedef struct evident_parameter {
  const char* name;
  const char* prior; /* as in study files: "normal(0, 1)", "gamma(shape=2, rate=0.5)", "uniform(0, k1)" */
} evident_parameter;

/* A model in the caller's own program. Give log_likelihood or log_likelihood_batch; all else may be NULL.
 *
 * A batch is a matrix with a row for each parameter: parameter j of vector i is theta[j * stride + i]. What is given
 * for vector i must depend on vector i alone. Log likelihoods are log p(data | theta) with all constants; -INFINITY
 * says that theta is impossible, NAN and +INFINITY count as that and are told. Functions that return int return 0 when
 * all went well; anything else ends the run. They are called from several threads at once, unless `serial` is 1. With
 * the setting threads = 1 they are called from the thread of evident_study_run and no other. They must return: no
 * longjmp. */
typedef struct evident_functions {
  size_t size; /* sizeof(evident_functions); later versions may add members at the end */
  void* user;  /* handed back to each function */
  double (*log_likelihood)(void* user, const double* theta);
  int (*gradient)(void* user, const double* theta, double* out); /* of log_likelihood, one number a parameter */
  int (*log_likelihood_batch)(void* user, const double* theta, size_t stride, size_t count, double* out);
  int (*gradient_batch)(void* user, const double* theta, size_t stride, size_t count, double* out, size_t out_stride);
  int serial;               /* 1: one call at a time */
  size_t observation_count; /* for BIC; 0: not known. Not asked when there is `observed`. */
  /* For predictive checks and pictures; with `observed` there must be `draw`. As in evident/external/model.h. */
  const evident_observed* observed;
  size_t observed_count;
  int (*draw)(void* user, const double* theta, size_t stride, size_t count, const uint64_t* seeds, double* out,
              size_t out_stride);
  int (*predict)(void* user, const double* theta, size_t stride, size_t count, double* out, size_t out_stride);
} evident_functions;

/* STUDIES ---------------------------------------------------------------------------------------------------------- */

EVIDENT_API evident_study* evident_study_new(void); /* NULL: out of memory */
EVIDENT_API void evident_study_free(evident_study* study);
/* What went wrong in the last call with this handle; "" when all went well. Valid until the next call. */
EVIDENT_API const char* evident_study_error(const evident_study* study);

/* A setting; it has the last word over the study's file. The value is written as in [sampler] of a study: "7", "0.1",
 * "direct", "10m". A study from a file takes method, particles, cess, seed, threads, replicates, islands, precision,
 * decide and time; one of own models takes every key of [sampler] ('evident models --sampler' lists them). */
EVIDENT_API int evident_study_set(evident_study* study, const char* key, const char* value);
/* May models of the study run code: libraries and programs? Off unless allowed; before evident_study_load. */
EVIDENT_API int evident_study_allow_code(evident_study* study, int allowed);
/* May the study read data outside of its own folder? Off unless allowed; before evident_study_load. */
EVIDENT_API int evident_study_allow_outside(evident_study* study, int allowed);

/* The study in a file, or in a text. `file` names the text in messages, and its folder is where data are looked for. */
EVIDENT_API int evident_study_load(evident_study* study, const char* file);
EVIDENT_API int evident_study_load_text(evident_study* study, const char* text, const char* file);
/* A model of your own; weights of models need not add up to 1. Names, priors, functions and observations are copied,
 * but what `user` points to must live as long as the study and its results. Not together with evident_study_load. */
EVIDENT_API int evident_study_add_model(evident_study* study, const char* name, double weight,
                                        const evident_parameter* parameters, size_t parameter_count,
                                        const evident_functions* functions);

typedef struct evident_progress {
  size_t size;         /* sizeof(evident_progress) of the library */
  const char* name;    /* of the model, or of the method when one run serves all models; valid during the call */
  size_t model, run;   /* which model, and which of its runs */
  size_t step;         /* of the run */
  double alpha;        /* from 0, the prior, to 1, the posterior */
  double log_evidence; /* so far */
  size_t evaluations;  /* of the likelihood */
  int finished;        /* 1: the run is done */
} evident_progress;

/* Called after each step, one call at a time, from the threads of the run. A result other than 0 cancels it. */
typedef int (*evident_progress_function)(void* user, const evident_progress* progress);
EVIDENT_API int evident_study_on_progress(evident_study* study, evident_progress_function function, void* user);

/* Compares the models. On success *result is a handle of its own, which outlives the study; else it is NULL. */
EVIDENT_API int evident_study_run(evident_study* study, evident_result** result);
/* Ends the run that goes on, or the next one when none does. From any thread or callback, not from a signal handler. */
EVIDENT_API void evident_study_cancel(evident_study* study);

/* RESULTS: model = 0 .. evident_result_model_count - 1 ------------------------------------------------------------- */

EVIDENT_API void evident_result_free(evident_result* result);
EVIDENT_API const char* evident_result_error(const evident_result* result);

/* NAN: not known. The interval is that of 95 %. */
typedef struct evident_estimate {
  double value, standard_error, lower, upper;
} evident_estimate;

EVIDENT_API size_t evident_result_model_count(const evident_result* result);
EVIDENT_API const char* evident_result_model_name(const evident_result* result, size_t model);
EVIDENT_API int evident_result_log_evidence(evident_result* result, size_t model, evident_estimate* out);
EVIDENT_API int evident_result_probability(evident_result* result, size_t model, evident_estimate* out);
/* Can the evidence be trusted? "trust", "run longer", "do not trust", or "unjudged": there was no check, which is not
 * trust; the JSON document says why. NULL: there is no such model. */
EVIDENT_API const char* evident_result_verdict(const evident_result* result, size_t model);

/* Posterior draws. Columns are the parameters, then quantities derived from them. */
EVIDENT_API size_t evident_result_draw_count(const evident_result* result, size_t model);
EVIDENT_API size_t evident_result_column_count(const evident_result* result, size_t model);
EVIDENT_API const char* evident_result_column_name(const evident_result* result, size_t model, size_t column);
/* values[j * draw_count + i] is column j of draw i, whose weight is weights[i]; weights add up to 1. Each buffer may be
 * NULL, and otherwise has exactly the size that is told: column_count * draw_count, and draw_count. */
EVIDENT_API int evident_result_draws(evident_result* result, size_t model, double* values, size_t values_size,
                                     double* weights, size_t weights_size);
/* `count` draws of equal weight: each as often as its weight asks for. values[j * count + i]. */
EVIDENT_API int evident_result_equal_draws(evident_result* result, size_t model, size_t count, double* values,
                                           size_t values_size);

/* The document of 'evident compare --json'; it belongs to the result. NULL: see evident_result_error. */
EVIDENT_API const char* evident_result_json(evident_result* result);
/* The HTML report; an existing file is replaced. */
EVIDENT_API int evident_result_write_report(evident_result* result, const char* file);
/* The folder of 'evident compare --out': report.html, result.json, draws and traces. force: replace earlier results,
   and nothing that evident did not write or that was changed since. */
EVIDENT_API int evident_result_write_folder(evident_result* result, const char* folder, int force);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif
