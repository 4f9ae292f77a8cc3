/* The library is opened, runs a study with two threads and is closed, three times: reload LIBRARY */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <evident/evident.h>
#include <stdio.h>
#include <string.h>

static double log_likelihood(void* user, const double* theta) {
  (void)user;
  return -0.5 * theta[0] * theta[0];
}

/* POSIX lets a pointer to an object be one to a function. */
#define FIND(name) memcpy(&name, &(void*){dlsym(library, "evident_" #name)}, sizeof name)

static int run_once(const char* file) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  evident_study* (*study_new)(void);
  void (*study_free)(evident_study*);
  int (*study_set)(evident_study*, const char*, const char*);
  int (*study_add_model)(evident_study*, const char*, double, const evident_parameter*, size_t,
                         const evident_functions*);
  int (*study_run)(evident_study*, evident_result**);
  void (*result_free)(evident_result*);
  FIND(study_new), FIND(study_free), FIND(study_set), FIND(study_add_model), FIND(study_run), FIND(result_free);

  evident_study* study = study_new();
  const evident_parameter mu = {"mu", "normal(0, 1)"};
  evident_functions f;
  memset(&f, 0, sizeof f);
  f.size = sizeof f;
  f.log_likelihood = log_likelihood;
  study_set(study, "threads", "2");
  study_set(study, "particles", "512");
  evident_result* result = NULL;
  const int added = study_add_model(study, "m", 1, &mu, 1, &f), status = study_run(study, &result);
  result_free(result);
  study_free(study);
  if (dlclose(library) != 0) return 1;
  return added != EVIDENT_OK || status != EVIDENT_OK;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (int k = 0; k < 3; ++k)
    if (run_once(argv[1]) != 0) return fprintf(stderr, "time %d went wrong\n", k + 1), 1;
  printf("all is well\n");
  return 0;
}
