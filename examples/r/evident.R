# Model comparison with evident from R.
#
#   source("evident.R")
#   result <- evident_compare(
#     level = model(c(mu = "normal(0, 10)"), function(theta) sum(dnorm(y, theta["mu"], 1, log = TRUE))),
#     seed = 7)
#   result$models; result$draws$level[, "mu"]

if (!is.loaded("evident_r_compare")) dyn.load(Sys.getenv("EVIDENT_R", "evident_r.so"))

# Priors with the names of their parameters, as in study files, and the log likelihood of a named parameter vector.
model <- function(priors, log_likelihood, weight = 1) {
  stopifnot(is.character(priors), !is.null(names(priors)), is.function(log_likelihood), weight >= 0)
  list(names = names(priors), priors = unname(priors), log_likelihood = log_likelihood, weight = as.numeric(weight))
}

# Models by their names, and settings as in [sampler] of a study: seed, particles, islands, precision, ...
evident_compare <- function(..., .draws = 1000) {
  given <- list(...)
  is_model <- vapply(given, is.list, logical(1))
  models <- given[is_model]
  settings <- given[!is_model]
  stopifnot(length(models) > 0, !is.null(names(given)), all(names(given) != ""))
  plain <- vapply(settings, function(x) if (is.numeric(x)) format(x, digits = 15, scientific = FALSE) else as.character(x), "")
  raw <- .Call("evident_r_compare", names(models), vapply(models, `[[`, 1, "weight"), unname(lapply(models, unname)),
               plain, as.numeric(.draws))
  table <- data.frame(raw[[1]], row.names = names(models))
  names(table) <- c("log_evidence", "log_evidence_se", "probability", "probability_se")
  draws <- Map(function(values, m) {
    colnames(values) <- m$names
    values
  }, raw[[2]], models)
  list(models = table, draws = setNames(draws, names(models)))
}
