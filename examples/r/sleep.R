# Does one drug give more sleep than the other? Ten people took both (R's data set `sleep`). The evidences are held
# against numerical integrals, which R can do for so few parameters.
folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(folder, "evident.R"))

difference <- with(sleep, extra[group == 2] - extra[group == 1])
likelihood <- function(mu, sigma) sum(dnorm(difference, mu, sigma, log = TRUE))

result <- evident_compare(
  `no effect` = model(c(sigma = "half-normal(3)"), function(x) likelihood(0, x[["sigma"]])),
  effect = model(c(mu = "normal(0, 3)", sigma = "half-normal(3)"), function(x) likelihood(x[["mu"]], x[["sigma"]])),
  seed = 7, particles = 200, islands = 8)
print(result$models)
cat("hours of sleep, effect:", round(quantile(result$draws$effect[, "mu"], c(0.05, 0.5, 0.95)), 2), "\n")

over_sigma <- function(mu) {
  f <- function(s) vapply(s, function(sigma) exp(likelihood(mu, sigma)) * 2 * dnorm(sigma, 0, 3), 1)
  integrate(f, 0.05, 30, rel.tol = 1e-6, abs.tol = 0)$value
}
both <- integrate(function(m) vapply(m, over_sigma, 1) * dnorm(m, 0, 3), -5, 8, rel.tol = 1e-6, abs.tol = 0)$value
exact <- log(c(over_sigma(0), both))
off <- abs(result$models$log_evidence - exact) / result$models$log_evidence_se
cat(sprintf("%s: log evidence %.4f +- %.4f, exact %.4f\n", rownames(result$models), result$models$log_evidence,
            result$models$log_evidence_se, exact), sep = "")
stopifnot(off < 5, abs(mean(result$draws$effect[, "mu"]) - 1.5) < 0.3)

# What a function gets wrong ends the run with its own words.
wrong <- tryCatch(evident_compare(bad = model(c(mu = "normal(0, 1)"), function(x) stop("no such data"))),
                  error = conditionMessage)
stopifnot(grepl("no such data", wrong))
