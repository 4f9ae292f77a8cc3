/* Between R and libevident_c: models whose likelihoods are functions of R. Built by R CMD SHLIB; see README.md.
 *
 * R has one thread. The study therefore runs with threads = 1, which means that functions are called from the thread of
 * evident_study_run. An error of R must not jump over the library: R_tryEvalSilent keeps it until the run has ended. */
#include <R.h>
#include <Rinternals.h>
#include <evident/evident.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Model {
  evident_study* study;
  SEXP function, names;
  char* message; /* of the first error, shared by all models */
} Model;

enum { MESSAGE_SIZE = 1000 };

static double failed(Model* m, const char* what) {
  if (m->message[0] == '\0') snprintf(m->message, MESSAGE_SIZE, "%s", what);
  evident_study_cancel(m->study);
  return NAN;
}

static double log_likelihood(void* user, const double* theta) {
  Model* m = user;
  if (m->message[0] != '\0') return NAN; /* on the way out */
  SEXP x = PROTECT(allocVector(REALSXP, XLENGTH(m->names)));
  memcpy(REAL(x), theta, sizeof(double) * (size_t)XLENGTH(x));
  setAttrib(x, R_NamesSymbol, m->names);
  SEXP call = PROTECT(lang2(m->function, x));
  int error = 0;
  SEXP value = R_tryEvalSilent(call, R_GlobalEnv, &error);
  double out = NAN;
  if (error)
    out = failed(m, R_curErrorBuf());
  else if (!isNumeric(value) || XLENGTH(value) != 1)
    out = failed(m, "a log likelihood must be one number");
  else
    out = asReal(value);
  UNPROTECT(2);
  return out;
}

static const char* text(SEXP strings, R_xlen_t i) { return translateCharUTF8(STRING_ELT(strings, i)); }

static int add_model(evident_study* study, const char* name, double weight, SEXP priors, Model* model) {
  const R_xlen_t size = XLENGTH(priors);
  evident_parameter* parameters = (evident_parameter*)R_alloc((size_t)size, sizeof *parameters);
  for (R_xlen_t j = 0; j < size; ++j) {
    parameters[j].name = text(model->names, j);
    parameters[j].prior = text(priors, j);
  }
  evident_functions f;
  memset(&f, 0, sizeof f);
  f.size = sizeof f;
  f.user = model;
  f.log_likelihood = log_likelihood;
  return evident_study_add_model(study, name, weight, parameters, (size_t)size, &f);
}

/* Log evidence, its error, probability and its error: four numbers a model. */
static SEXP estimates(evident_result* result, R_xlen_t models) {
  SEXP out = PROTECT(allocMatrix(REALSXP, (int)models, 4));
  for (R_xlen_t k = 0; k < models; ++k) {
    evident_estimate z = {NAN, NAN, NAN, NAN}, p = z;
    evident_result_log_evidence(result, (size_t)k, &z);
    evident_result_probability(result, (size_t)k, &p);
    const double row[] = {z.value, z.standard_error, p.value, p.standard_error};
    for (R_xlen_t j = 0; j < 4; ++j) REAL(out)[j * models + k] = row[j];
  }
  UNPROTECT(1);
  return out;
}

/* A matrix of draws a model, a column a parameter. */
static SEXP draws(evident_result* result, R_xlen_t models, R_xlen_t count) {
  SEXP out = PROTECT(allocVector(VECSXP, models));
  for (R_xlen_t k = 0; k < models; ++k) {
    const R_xlen_t columns = (R_xlen_t)evident_result_column_count(result, (size_t)k);
    SEXP values = allocMatrix(REALSXP, (int)count, (int)columns);
    SET_VECTOR_ELT(out, k, values);
    evident_result_equal_draws(result, (size_t)k, (size_t)count, REAL(values), (size_t)(count * columns));
  }
  UNPROTECT(1);
  return out;
}

/* models: a list of list(names, priors, function); settings: a character vector with names. */
SEXP evident_r_compare(SEXP names, SEXP weights, SEXP models, SEXP settings, SEXP count) {
  if (evident_abi() != EVIDENT_ABI) error("libevident_c has another version than this file was compiled for");
  static char message[MESSAGE_SIZE];
  message[0] = '\0';
  const R_xlen_t size = XLENGTH(models);
  Model* all = (Model*)R_alloc((size_t)size, sizeof *all);
  evident_study* study = evident_study_new();
  evident_result* result = NULL;
  SEXP keys = getAttrib(settings, R_NamesSymbol);
  int status = EVIDENT_OK;
  for (R_xlen_t i = 0; i < XLENGTH(settings) && status == EVIDENT_OK; ++i)
    status = evident_study_set(study, text(keys, i), text(settings, i));
  if (status == EVIDENT_OK) status = evident_study_set(study, "threads", "1");
  for (R_xlen_t k = 0; k < size && status == EVIDENT_OK; ++k) {
    SEXP m = VECTOR_ELT(models, k);
    all[k] = (Model){study, VECTOR_ELT(m, 2), VECTOR_ELT(m, 0), message};
    status = add_model(study, text(names, k), REAL(weights)[k], VECTOR_ELT(m, 1), &all[k]);
  }
  if (status == EVIDENT_OK) status = evident_study_run(study, &result);
  if (status != EVIDENT_OK && message[0] == '\0') snprintf(message, MESSAGE_SIZE, "%s", evident_study_error(study));
  evident_study_free(study);
  if (status != EVIDENT_OK) error("%s", message);

  SEXP out = PROTECT(allocVector(VECSXP, 2));
  SET_VECTOR_ELT(out, 0, estimates(result, size));
  SET_VECTOR_ELT(out, 1, draws(result, size, (R_xlen_t)asReal(count)));
  evident_result_free(result);
  UNPROTECT(1);
  return out;
}
