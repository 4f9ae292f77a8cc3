input <- file("stdin", "r")
log_density <- list(normal = function(r, s) dnorm(r, 0, s, log = TRUE), laplace = function(r, s) -abs(r) / s - log(2 * s))
f <- log_density[[commandArgs(TRUE)[1]]]
while (length(line <- readLines(input, 1)) == 1) {
  w <- strsplit(line, " ")[[1]]
  if (w[1] == "column") y <- as.numeric(w[-(1:2)])
  if (w[1] == "begin") cat("ready\n")
  if (w[1] == "batch") {
    for (p in strsplit(readLines(input, as.integer(w[3])), " ")) {
      p <- as.numeric(p); cat(format(sum(f(y - p[1], p[2])), digits = 17), "\n")
    }
    cat("done", w[2], "\n")
  }
}
