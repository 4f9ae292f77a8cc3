# y[i] = intercept + slope * x[i] + normal noise of a known size; without a slope, a constant. Speaks evident's line protocol.
input <- file("stdin", "r")
names <- c(); data <- list(); noise <- 1

log_likelihood <- function(theta) { # log p(data | theta), with its constants
  b <- if ("slope" %in% names) theta[["slope"]] else 0
  sum(dnorm(data$y, theta[["intercept"]] + b * data$x, noise, log = TRUE))
}

while (length(line <- readLines(input, 1)) == 1) {
  words <- strsplit(line, " ")[[1]]
  if (words[1] == "option" && words[2] == "noise") noise <- as.numeric(words[3])
  if (words[1] == "parameter") names <- c(names, words[2])
  if (words[1] == "column") data[[words[2]]] <- as.numeric(words[-(1:2)])
  if (words[1] == "begin") cat("ready\n")
  if (words[1] == "batch") {
    for (row in readLines(input, as.integer(words[3]))) {
      theta <- setNames(as.numeric(strsplit(row, " ")[[1]]), names)
      cat(format(log_likelihood(theta), digits = 17), "\n")
    }
    cat("done", words[2], "\n")
  }
  if (words[1] == "bye") break
}
