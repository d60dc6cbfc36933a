# Two learners.

paired_t <- function() {
  for (pair in c("folds", "many", "clear", "two", "level", "whole")) {
    a <- inputs[[paste0(pair, "_first")]]
    b <- inputs[[paste0(pair, "_second")]]
    for (side in names(sides)) {
      r <- t.test(a, b, paired = TRUE, alternative = in_r[[side]])
      expect <- list(statistic = r$statistic, pvalue = r$p.value, df = list(r$parameter),
                     estimate = r$estimate, standard_error = r$stderr)
      if (side == "two") {
        for (level in c(0.95, 0.99)) {
          ends <- t.test(a, b, paired = TRUE, conf.level = level)$conf.int
          expect[[sprintf("confidence_interval(%g).low", level)]] <- ends[1]
          expect[[sprintf("confidence_interval(%g).high", level)]] <- ends[2]
        }
      }
      add("pairwise", paste("paired_t", pair, side, "r", sep = "-"), "stats.pairwise.paired_t",
          list(ref(paste0(pair, "_first")), ref(paste0(pair, "_second"))), expect,
          sprintf("t.test(first, second, paired = TRUE, alternative = \"%s\")", in_r[[side]]),
          kwargs = object(alternative = sides[[side]]),
          atol = 0, note = if (pair == "clear") "p far below 1e-12: compared relatively, so 1 - cdf would fail" else NULL)
    }
  }
  rows <- lapply(1:3, function(i) t.test(inputs$batch_first[i, ], inputs$batch_second[i, ], paired = TRUE))
  add("pairwise", "paired_t-batch-r", "stats.pairwise.paired_t", list(ref("batch_first"), ref("batch_second")),
      list(statistic = lapply(rows, function(r) r$statistic), pvalue = lapply(rows, function(r) r$p.value)),
      "t.test(first[i, ], second[i, ], paired = TRUE) for each row i")
}

two_tail <- function(t, df, side) {
  switch(side, "two-sided" = 2 * pt(-abs(t), df), greater = pt(t, df, lower.tail = FALSE), less = pt(t, df))
}

five_by_two <- function() {
  d <- inputs$five_by_two_first - inputs$five_by_two_second
  s2 <- apply(d, 1, function(row) sum((row - mean(row))^2))
  t <- d[1, 1] / sqrt(sum(s2) / 5)
  args <- list(ref("five_by_two_first"), ref("five_by_two_second"))
  for (side in names(sides)) {
    add("pairwise", paste("five_by_two_t", side, "r", sep = "-"), "stats.pairwise.five_by_two_t", args,
        list(statistic = t, pvalue = two_tail(t, 5, sides[[side]]), df = list(5), estimate = mean(d)),
        "d[1, 1] / sqrt(sum(s2) / 5); pt(t, 5)", kwargs = object(alternative = sides[[side]]),
        program = written_out, note = "Dietterich 1998; the numerator is the first fold of the first replication only")
  }
  f <- sum(d^2) / (2 * sum(s2))
  add("pairwise", "five_by_two_f-r", "stats.pairwise.five_by_two_f", args,
      list(statistic = f, pvalue = pf(f, 10, 5, lower.tail = FALSE), df = list(10, 5), estimate = mean(d)),
      "sum(d^2) / (2 * sum(s2)); pf(f, 10, 5, lower.tail = FALSE)", program = written_out, note = "Alpaydin 1999")
}

corrected <- function() {
  statistic <- function(d, ratio) mean(d) / sqrt((1 / length(d) + ratio) * var(as.vector(d)))
  for (pair in c("repeated", "few")) {
    d <- inputs[[paste0(pair, "_first")]] - inputs[[paste0(pair, "_second")]]
    t <- statistic(d, 1 / (ncol(d) - 1))
    df <- length(d) - 1
    for (side in names(sides)) {
      add("pairwise", paste("corrected_t", pair, side, "r", sep = "-"), "stats.pairwise.corrected_t",
          list(ref(paste0(pair, "_first")), ref(paste0(pair, "_second"))),
          list(statistic = t, pvalue = two_tail(t, df, sides[[side]]), df = list(df), estimate = mean(d)),
          "mean(d) / sqrt((1 / (R * F) + 1 / (F - 1)) * var(d)); pt(t, R * F - 1)",
          kwargs = object(alternative = sides[[side]]), program = written_out,
          note = "Nadeau and Bengio 2003 in the form of Bouckaert and Frank 2004 for repeated cross-validation")
    }
    calibrated <- mean(d) / sqrt(var(as.vector(d)) / 11)
    for (side in names(sides)) {
      add("pairwise", paste("calibrated_t", pair, side, "r", sep = "-"), "stats.pairwise.calibrated_t",
          list(ref(paste0(pair, "_first")), ref(paste0(pair, "_second"))),
          list(statistic = calibrated, pvalue = two_tail(calibrated, 10, sides[[side]]), df = list(10), estimate = mean(d)),
          "mean(d) / sqrt(var(d) / (df + 1)); pt(t, df) with df = 10", kwargs = object(df = 10, scheme = "all", alternative = sides[[side]]),
          program = written_out, note = "Bouckaert 2003, use all data")
    }
  }
  d <- inputs$holdouts_first - inputs$holdouts_second
  args <- list(ref("holdouts_first"), ref("holdouts_second"))
  t <- statistic(d, 10 / 90)
  add("pairwise", "corrected_t-sizes-r", "stats.pairwise.corrected_t", args,
      list(statistic = t, pvalue = two_tail(t, 14, "two-sided"), df = list(14)),
      "mean(d) / sqrt((1 / L + n_test / n_train) * var(d)); pt(t, L - 1)", kwargs = object(n_train = 90, n_test = 10),
      program = written_out, note = "Nadeau and Bengio 2003")
  t <- statistic(d, 0.2 / 0.8)
  add("pairwise", "corrected_t-fraction-r", "stats.pairwise.corrected_t", args,
      list(statistic = t, pvalue = two_tail(t, 14, "two-sided"), df = list(14)),
      "mean(d) / sqrt((1 / L + q / (1 - q)) * var(d)) with q = 0.2 of all instances in the test part; pt(t, L - 1)",
      kwargs = object(test_fraction = 0.2), program = written_out)
}

mcnemar <- function() {
  tables <- list(c(15, 5), c(3, 9), c(1, 7), c(0, 6), c(120, 80))
  for (counts in tables) {
    n01 <- counts[1]
    n10 <- counts[2]
    square <- matrix(c(50, n01, n10, 40), 2)
    n <- n01 + n10
    label <- paste(n01, n10, sep = "_")
    for (correct in c(TRUE, FALSE)) {
      r <- mcnemar.test(square, correct = correct)
      method <- if (correct) "chi2-corrected" else "chi2"
      add("pairwise", paste("mcnemar", label, method, "r", sep = "-"), "stats.pairwise.mcnemar", list(n01, n10),
          list(statistic = r$statistic, pvalue = r$p.value, df = list(r$parameter)),
          sprintf("mcnemar.test(table, correct = %s)", correct), kwargs = object(method = method))
    }
    for (side in names(sides)) {
      r <- binom.test(n01, n, alternative = in_r[[side]])
      add("pairwise", paste("mcnemar", label, "exact", side, "r", sep = "-"), "stats.pairwise.mcnemar", list(n01, n10),
          list(pvalue = r$p.value), sprintf("binom.test(n01, n01 + n10, alternative = \"%s\")", in_r[[side]]),
          kwargs = object(method = "exact", alternative = sides[[side]]))
      upper <- pbinom(n01, n, 0.5, lower.tail = FALSE) + dbinom(n01, n, 0.5) / 2
      lower <- pbinom(n01 - 1, n, 0.5) + dbinom(n01, n, 0.5) / 2
      p <- switch(side, two = 2 * min(upper, lower), greater = upper, less = lower)
      add("pairwise", paste("mcnemar", label, "mid_p", side, "r", sep = "-"), "stats.pairwise.mcnemar", list(n01, n10),
          list(pvalue = p), "half the probability of the observed count, the whole of those beyond, from dbinom and pbinom",
          kwargs = object(method = "mid-p", alternative = sides[[side]]), program = written_out)
      z <- (n01 - n10) / sqrt(n)
      p <- switch(side, two = 2 * pnorm(-abs(z)), greater = pnorm(z, lower.tail = FALSE), less = pnorm(z))
      add("pairwise", paste("mcnemar", label, "chi2", side, "r", sep = "-"), "stats.pairwise.mcnemar", list(n01, n10),
          list(pvalue = p), "pnorm((n01 - n10) / sqrt(n01 + n10)) in the tail asked for",
          kwargs = object(method = "chi2", alternative = sides[[side]]), program = written_out,
          note = "one-sided: the signed root of the statistic is normal")
    }
  }
  add("pairwise", "mcnemar-6_6-mid_p-r", "stats.pairwise.mcnemar", list(6, 6),
      list(pvalue = 1 - dbinom(6, 12, 0.5) / 2), "1 - dbinom(6, 12, 0.5) / 2", kwargs = object(method = "mid-p"),
      program = written_out,
      note = paste("Fagerland, Lydersen, Laake 2013, supplement: when the counts are equal the mid-p value is 1 - f/2.",
                   "Programs that double the one-sided tail give 1, programs that subtract f from a clipped 1 give 1 - f."))
}

wilcoxon <- function() {
  for (pair in c("plain", "longer")) {
    x <- inputs[[sprintf("ranks_%s_first", pair)]]
    args <- list(ref(sprintf("ranks_%s_first", pair)), ref(sprintf("ranks_%s_second", pair)))
    for (side in names(sides)) {
      for (method in c("exact", "normal")) {
        r <- wilcox.test(x, alternative = in_r[[side]], exact = method == "exact", correct = FALSE)
        add("pairwise", paste("wilcoxon", pair, method, side, "r", sep = "-"), "stats.pairwise.wilcoxon", args,
            list(statistic = r$statistic, pvalue = r$p.value),
            sprintf("wilcox.test(d, exact = %s, correct = FALSE, alternative = \"%s\")", method == "exact", in_r[[side]]),
            kwargs = object(method = method, alternative = sides[[side]]))
      }
    }
  }
  for (pair in c("tied", "zeros", "even_zeros")) {
    x <- inputs[[sprintf("ranks_%s_first", pair)]]
    y <- inputs[[sprintf("ranks_%s_second", pair)]]
    args <- list(ref(sprintf("ranks_%s_first", pair)), ref(sprintf("ranks_%s_second", pair)))
    for (side in names(sides)) {
      r <- suppressWarnings(exactRankTests::wilcox.exact(x, y, paired = TRUE, exact = TRUE, alternative = in_r[[side]]))
      add("pairwise", paste("wilcoxon", pair, "drop-exact", side, "exactranktests", sep = "-"), "stats.pairwise.wilcoxon", args,
          list(statistic = r$statistic, pvalue = r$p.value),
          sprintf("wilcox.exact(first, second, paired = TRUE, exact = TRUE, alternative = \"%s\")", in_r[[side]]),
          kwargs = object(zeros = "drop", method = "exact", alternative = sides[[side]]),
          program = "R exactRankTests", version = package("exactRankTests"), note = "conditional on the ties")
      for (zero in c("Pratt", "Wilcoxon")) {
        for (method in c("exact", "asymptotic")) {
          r <- coin::wilcoxsign_test(x ~ y, zero.method = zero, distribution = method, alternative = in_r[[side]])
          add("pairwise", paste("wilcoxon", pair, tolower(zero), method, side, "coin", sep = "-"), "stats.pairwise.wilcoxon", args,
              list(pvalue = as.numeric(coin::pvalue(r))),
              sprintf("wilcoxsign_test(first ~ second, zero.method = \"%s\", distribution = \"%s\", alternative = \"%s\")",
                      zero, method, in_r[[side]]),
              kwargs = object(zeros = if (zero == "Pratt") "pratt" else "drop",
                              method = if (method == "exact") "exact" else "normal", alternative = sides[[side]]),
              program = "R coin", version = package("coin"))
        }
      }
    }
  }
}

sign_and_flips <- function() {
  x <- inputs$ranks_zeros_first - inputs$ranks_zeros_second
  y <- inputs$ranks_even_zeros_first - inputs$ranks_even_zeros_second
  for (side in names(sides)) {
    r <- binom.test(sum(x > 0), sum(x != 0), alternative = in_r[[side]])
    add("pairwise", paste("sign_test-drop", side, "r", sep = "-"), "stats.pairwise.sign_test",
        list(ref("ranks_zeros_first"), ref("ranks_zeros_second")), list(statistic = r$statistic, pvalue = r$p.value),
        sprintf("binom.test(sum(d > 0), sum(d != 0), alternative = \"%s\")", in_r[[side]]),
        kwargs = object(alternative = sides[[side]]))
    r <- binom.test(sum(y > 0) + sum(y == 0) / 2, length(y), alternative = in_r[[side]])
    add("pairwise", paste("sign_test-split", side, "r", sep = "-"), "stats.pairwise.sign_test",
        list(ref("ranks_even_zeros_first"), ref("ranks_even_zeros_second")), list(pvalue = r$p.value),
        sprintf("binom.test(sum(d > 0) + sum(d == 0) / 2, length(d), alternative = \"%s\")", in_r[[side]]),
        kwargs = object(zeros = "split", alternative = sides[[side]]))
    r <- binom.test(sum(x > 0) + (sum(x == 0) - 1) / 2, length(x) - 1, alternative = in_r[[side]])
    add("pairwise", paste("sign_test-split_odd", side, "r", sep = "-"), "stats.pairwise.sign_test",
        list(ref("ranks_zeros_first"), ref("ranks_zeros_second")), list(pvalue = r$p.value),
        sprintf("binom.test(sum(d > 0) + (zeros - 1) / 2, length(d) - 1, alternative = \"%s\")", in_r[[side]]),
        kwargs = object(zeros = "split", alternative = sides[[side]]), note = "Demsar 2006: of an odd number of ties one is ignored")
    r <- exactRankTests::perm.test(inputs$whole_first, inputs$whole_second, paired = TRUE, exact = TRUE,
                                   alternative = in_r[[side]])
    add("pairwise", paste("permutation_t-whole", side, "exactranktests", sep = "-"), "stats.pairwise.permutation_t",
        list(ref("whole_first"), ref("whole_second")), list(pvalue = r$p.value),
        sprintf("perm.test(first, second, paired = TRUE, exact = TRUE, alternative = \"%s\")", in_r[[side]]),
        kwargs = object(alternative = sides[[side]]), program = "R exactRankTests", version = package("exactRankTests"))
  }
}
