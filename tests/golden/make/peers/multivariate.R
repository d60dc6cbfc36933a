# Several measures at once, and curves.

hotelling <- function() {
  paired <- function(d) {
    n <- nrow(d)
    p <- ncol(d)
    s <- cov(d)
    m <- colMeans(d)
    t2 <- n * drop(m %*% solve(s, m))
    f <- (n - p) / ((n - 1) * p) * t2
    each <- lapply(seq_len(p), function(i) t.test(d[, i]))
    list(statistic = t2, f_statistic = f, df = list(p, n - p), pvalue = pf(f, p, n - p, lower.tail = FALSE),
         direction = as.list(solve(s, m)), posthoc.statistic = lapply(each, function(r) r$statistic),
         posthoc.pvalue = lapply(each, function(r) r$p.value))
  }
  for (name in c("vectors", "three")) {
    a <- inputs[[paste0(name, "_first")]]
    b <- inputs[[paste0(name, "_second")]]
    args <- list(ref(paste0(name, "_first")), ref(paste0(name, "_second")))
    expect <- paired(a - b)
    r <- anova(lm(a - b ~ 1), test = "Hotelling-Lawley") # the same F from a linear model: a check on the formula
    stopifnot(abs(r[1, "approx F"] / expect$f_statistic - 1) < 1e-10)
    add("multivariate", paste("hotelling", name, "r", sep = "-"), "stats.multivariate.hotelling", args, expect,
        "k * m %*% solve(cov(d), m); pf; t.test of each column; F agrees with anova(lm(d ~ 1), test = \"Hotelling-Lawley\")",
        program = written_out)
    group <- factor(rep(1:2, c(nrow(a), nrow(b))))
    r <- summary(manova(rbind(a, b) ~ group), test = "Hotelling-Lawley")$stats
    add("multivariate", paste("hotelling", name, "unpaired-r", sep = "-"), "stats.multivariate.hotelling", args,
        list(statistic = r[1, "Hotelling-Lawley"] * (2 * nrow(a) - 2), f_statistic = r[1, "approx F"],
             df = list(r[1, "num Df"], r[1, "den Df"]), pvalue = r[1, "Pr(>F)"]),
        "summary(manova(rbind(first, second) ~ learner), test = \"Hotelling-Lawley\"); T2 = statistic * (n1 + n2 - 2)",
        kwargs = object(unpaired = TRUE))
  }
  # counts of a confusion matrix on common folds: tp + fn and fp + tn are fixed, so two columns say it all
  a <- inputs$counts_first
  b <- inputs$counts_second
  two <- paired((a - b)[, c(1, 3)])
  add("multivariate", "hotelling-counts-r", "stats.multivariate.hotelling", list(ref("counts_first"), ref("counts_second")),
      two[c("statistic", "f_statistic", "df", "pvalue")],
      "the paired test on (tp, fp) alone, which fix fn and tn", program = written_out, rtol = 1e-8,
      note = "singular covariance: rank 2 in the place of p = 4; pingouin takes df (4, 6) and gives a wrong T2 and p")
  # a measure in which the two never differ adds nothing: the rank is 1 and T2 is the t of the other, squared
  d <- inputs$one_measure_first - inputs$one_measure_second
  r <- t.test(d[, 1])
  add("multivariate", "hotelling-one_measure-r", "stats.multivariate.hotelling", list(ref("one_measure_first"), ref("one_measure_second")),
      list(statistic = unname(r$statistic)^2, f_statistic = unname(r$statistic)^2, df = list(1, r$parameter), pvalue = r$p.value),
      "t.test of the one measure that differs: T2 = t^2", rtol = 1e-8)
}

manova_tests <- function() {
  for (name in c("manova_four", "manova_three", "manova_two")) {
    values <- inputs[[name]] # learners x folds x measures
    size <- dim(values)
    y <- do.call(rbind, lapply(seq_len(size[1]), function(i) values[i, , ]))
    learner <- factor(rep(seq_len(size[1]), each = size[2]))
    fit <- manova(y ~ learner)
    row <- function(test, column) summary(fit, test = test)$stats[1, column]
    one <- function(test, label, prefix) {
      expect <- list(row(test, label), row(test, "approx F"), list(row(test, "num Df"), row(test, "den Df")), row(test, "Pr(>F)"))
      names(expect) <- paste0(prefix, c("statistic", "f_statistic", "df", "pvalue"))
      expect
    }
    h <- size[1] - 1
    e <- size[1] * (size[2] - 1)
    p <- size[3]
    lambda <- row("Wilks", "Wilks")
    chi2 <- -(e - (p - h + 1) / 2) * log(lambda)
    expect <- c(one("Wilks", "Wilks", ""), one("Pillai", "Pillai", "pillai."),
                list(chi2_statistic = chi2, chi2_df = p * h, chi2_pvalue = pchisq(chi2, p * h, lower.tail = FALSE)))
    roots <- sort(Re(summary(fit)$Eigenvalues[1, ]), decreasing = TRUE)
    if (p <= h) expect$eigenvalues <- as.list(roots[seq_len(p)])
    add("multivariate", paste("manova", name, "r", sep = "-"), "stats.multivariate.manova", list(ref(name)), expect,
        "summary(manova(y ~ learner), test = \"Wilks\" and \"Pillai\"); -(nu_E - (p - nu_H + 1) / 2) log(Lambda), pchisq")
    add("multivariate", paste("manova", name, "roy-r", sep = "-"), "stats.multivariate.manova", list(ref(name)),
        one("Roy", "Roy", "roy."), "summary(manova(y ~ learner), test = \"Roy\")", note = "F is an upper bound, p a lower one")
    trace <- one("Hotelling-Lawley", "Hotelling-Lawley", "hotelling_lawley.")
    exact <- h == 1 # with one root every F is the same and exact
    add("multivariate", paste("manova", name, "hotelling_lawley-r", sep = "-"), "stats.multivariate.manova", list(ref(name)),
        if (exact) trace else trace[1], "summary(manova(y ~ learner), test = \"Hotelling-Lawley\")",
        note = if (exact) NULL else "only the trace: R's F is an older approximation, ours is McKeon's; see the values of statsmodels")
  }
}

manova_collinear <- function() {
  # the third measure is the sum of the others: the tests must be those of the first two
  values <- inputs$manova_collinear
  size <- dim(values)
  y <- do.call(rbind, lapply(seq_len(size[1]), function(i) values[i, , 1:2]))
  learner <- factor(rep(seq_len(size[1]), each = size[2]))
  row <- function(test) unname(summary(manova(y ~ learner), test = test)$stats[1, 2:6])
  wilks <- row("Wilks")
  pillai <- row("Pillai")
  add("multivariate", "manova-collinear-r", "stats.multivariate.manova", list(ref("manova_collinear")),
      list(statistic = wilks[1], f_statistic = wilks[2], df = list(wilks[3], wilks[4]), pvalue = wilks[5],
           pillai.statistic = pillai[1], pillai.f_statistic = pillai[2], pillai.pvalue = pillai[5]),
      "summary(manova(first two measures ~ learner)); the third is their sum", rtol = 1e-8,
      note = "rank 2 in the place of p = 3; summary.manova stops when it is given all three")
}

curve_tables <- function() {
  two_way <- function(families, labels, id) {
    curves <- do.call(rbind, families)
    k <- ncol(curves)
    algorithm <- factor(rep(seq_along(families), vapply(families, nrow, 1L)))
    long <- data.frame(y = as.vector(curves), algorithm = rep(algorithm, k), training = factor(rep(seq_len(k), each = nrow(curves))))
    r <- anova(lm(y ~ algorithm * training, data = long))
    add("curves", id, "stats.curves.curve_anova", lapply(labels, ref),
        list(f_alg = r["algorithm", "F value"], p_alg = r["algorithm", "Pr(>F)"], f_train = r["training", "F value"],
             p_train = r["training", "Pr(>F)"], f_int = r["algorithm:training", "F value"], p_int = r["algorithm:training", "Pr(>F)"]),
        "anova(lm(y ~ algorithm * training))", rtol = 1e-8, note = "lm fits by QR")
  }
  two_way(list(inputs$curves_first, inputs$curves_second), c("curves_first", "curves_second"), "curve_anova-two-r")
  two_way(list(inputs$curves_short_first, inputs$curves_short_second), c("curves_short_first", "curves_short_second"), "curve_anova-short-r")
  two_way(list(inputs$curves_three_a, inputs$curves_three_b, inputs$curves_three_c),
          c("curves_three_a", "curves_three_b", "curves_three_c"), "curve_anova-unequal-r")
}
