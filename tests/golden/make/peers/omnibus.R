# More than two learners.

one_way <- function() {
  for (name in c("learners", "spread_out", "ragged")) {
    groups <- if (is.matrix(inputs[[name]])) split(inputs[[name]], row(inputs[[name]])) else inputs[[name]]
    y <- unlist(groups)
    g <- factor(rep(seq_along(groups), lengths(groups)))
    r <- oneway.test(y ~ g, var.equal = TRUE)
    add("omnibus", paste("anova", name, "r", sep = "-"), "stats.omnibus.anova", list(ref(name)),
        list(statistic = r$statistic, pvalue = r$p.value, df = as.list(unname(r$parameter))),
        "oneway.test(loss ~ learner, var.equal = TRUE)", atol = 0)
  }
}

sphericity <- function(wide) {
  # rows are the blocks (folds, instances), columns the learners
  k <- ncol(wide)
  design <- data.frame(learner = factor(seq_len(k)))
  model <- car::Anova(lm(wide ~ 1), idata = design, idesign = ~learner, type = 3)
  tables <- suppressWarnings(summary(model, multivariate = FALSE))
  list(f = tables$univariate.tests["learner", "F value"], p = tables$univariate.tests["learner", "Pr(>F)"],
       gg = tables$pval.adjustments[1, "GG eps"], p_gg = tables$pval.adjustments[1, "Pr(>F[GG])"],
       hf = min(1, tables$pval.adjustments[1, "HF eps"]))
}

within_blocks <- function() {
  for (name in c("learners", "spread_out")) {
    wide <- t(inputs[[name]])
    k <- ncol(wide)
    n <- nrow(wide)
    long <- data.frame(y = as.vector(wide), fold = factor(rep(seq_len(n), k)), learner = factor(rep(seq_len(k), each = n)))
    r <- summary(aov(y ~ learner + Error(fold), data = long))[["Error: Within"]][[1]]
    e <- sphericity(wide)
    df <- c(k - 1, (k - 1) * (n - 1))
    add("omnibus", paste("repeated_anova", name, "r", sep = "-"), "stats.omnibus.repeated_anova", list(ref(name)),
        list(statistic = r[1, "F value"], pvalue = r[1, "Pr(>F)"], df = as.list(df)),
        "summary(aov(loss ~ learner + Error(fold)))", rtol = 1e-8, atol = 0, note = "aov fits by QR: eight digits of a small p")
    add("omnibus", paste("repeated_anova", name, "car", sep = "-"), "stats.omnibus.repeated_anova", list(ref(name)),
        list(statistic = e$f, pvalue = e$p, epsilon_greenhouse_geisser = e$gg, epsilon_huynh_feldt = e$hf,
             pvalue_greenhouse_geisser = e$p_gg,
             pvalue_huynh_feldt = pf(e$f, e$hf * df[1], e$hf * df[2], lower.tail = FALSE)),
        "summary(car::Anova(lm(wide ~ 1), idata, idesign = ~learner, type = 3), multivariate = FALSE); epsilon of Huynh and Feldt clipped at 1",
        program = "R car", version = package("car"), rtol = 1e-8, atol = 0)
  }
}

step_down <- function(losses, level_of) {
  # Underlines of a multiple range test, from the widest span to pairs; inside an accepted span nothing is tested.
  k <- nrow(losses)
  n <- ncol(losses)
  means <- rowMeans(losses)
  rank <- order(means)
  df <- k * (n - 1)
  mse <- sum((losses - means)^2) / df
  accepted <- list()
  margin <- Inf
  for (span in k:2) {
    for (first in 1:(k - span + 1)) {
      last <- first + span - 1
      if (any(vapply(accepted, function(a) a[1] <= first && last <= a[2], TRUE))) next
      q <- (means[rank[last]] - means[rank[first]]) * sqrt(n / mse)
      level <- level_of(span, k)
      p <- ptukey(q, level$means, df, lower.tail = FALSE)
      margin <- min(margin, abs(p - level$alpha))
      if (p > level$alpha) accepted <- c(accepted, list(c(first, last)))
    }
  }
  stopifnot(margin > 1e-5) # no decision hangs on the accuracy of ptukey
  accepted <- accepted[order(vapply(accepted, function(a) a[1], 1))]
  list(order = rank - 1, ranges = lapply(accepted, function(a) as.list(rank[a[1]:a[2]] - 1)))
}

multiple_ranges <- function() {
  rules <- list(
    newman_keuls = function(alpha) function(span, k) list(alpha = alpha, means = span),
    tukey = function(alpha) function(span, k) list(alpha = alpha, means = k),
    duncan = function(alpha) function(span, k) list(alpha = 1 - (1 - alpha)^(span - 1), means = span)
  )
  for (name in c("learners", "spread_out", "staircase")) {
    for (rule in names(rules)) {
      for (alpha in c(0.05, 0.01)) {
        r <- step_down(inputs[[name]], rules[[rule]](alpha))
        add("omnibus", paste(rule, name, alpha, "r", sep = "-"), paste0("stats.omnibus.", rule), list(ref(name)),
            list(order = as.list(r$order), ranges = r$ranges),
            "ptukey((m_j - m_i) * sqrt(L / MSE), means, K * (L - 1)), step-down from the widest span",
            kwargs = object(alpha = alpha), program = written_out,
            note = "no decision is closer than 1e-5 to the level")
      }
    }
    losses <- inputs[[name]]
    k <- nrow(losses)
    long <- data.frame(y = as.vector(t(losses)), learner = factor(rep(seq_len(k), each = ncol(losses))))
    r <- TukeyHSD(aov(y ~ learner, data = long))$learner
    p <- diag(k)
    for (row in rownames(r)) {
      ends <- as.integer(strsplit(row, "-")[[1]])
      p[ends[1], ends[2]] <- p[ends[2], ends[1]] <- r[row, "p adj"]
    }
    add("omnibus", paste("tukey", name, "pvalue-r", sep = "-"), "stats.omnibus.tukey", list(ref(name)), list(pvalue = p),
        "TukeyHSD(aov(loss ~ learner))", kwargs = object(alpha = 0.05), rtol = 0, atol = 2e-8,
        note = "R's ptukey is good to about 1e-8 here; see the values of scipy for 1e-9")
    simultaneous <- single_step(aov(y ~ learner, data = long))
    p <- diag(k)
    p[lower.tri(p)] <- simultaneous$pvalues # glht lists the pairs column by column: 2-1, 3-1, ..., 3-2, ...
    add("omnibus", paste("tukey", name, "multcomp", sep = "-"), "stats.omnibus.tukey", list(ref(name)), list(pvalue = pmax(p, t(p))),
        "summary(glht(aov(loss ~ learner), mcp(learner = \"Tukey\")), test = adjusted(\"single-step\", abseps = 1e-7, maxpts = 5e6))",
        kwargs = object(alpha = 0.05), program = "R multcomp", version = package("multcomp"), rtol = 0, atol = simultaneous$error,
        note = "integrated by quasi-Monte Carlo; the tolerance is the error that multcomp itself reports")
  }
}

single_step <- function(model) {
  set.seed(1) # the integration draws random shifts
  pairs <- multcomp::glht(model, linfct = multcomp::mcp(learner = "Tukey"))
  p <- summary(pairs, test = multcomp::adjusted("single-step", abseps = 1e-7, maxpts = 5e6))$test$pvalues
  list(pvalues = as.vector(p), error = attr(p, "error"))
}

rank_tests <- function() {
  plain_h <- function(groups) {
    y <- rank(unlist(groups))
    g <- rep(seq_along(groups), lengths(groups))
    n <- length(y)
    12 / (n * (n + 1)) * sum(tapply(y, g, sum)^2 / lengths(groups)) - 3 * (n + 1)
  }
  for (name in c("ragged", "groups_tied")) {
    r <- kruskal.test(inputs[[name]])
    args <- lapply(inputs[[name]], function(g) as.list(g))
    add("omnibus", paste("kruskal_wallis", name, "r", sep = "-"), "stats.omnibus.kruskal_wallis", args,
        list(statistic = r$statistic, pvalue = r$p.value, df = list(r$parameter)), "kruskal.test(groups)")
    h <- plain_h(inputs[[name]])
    add("omnibus", paste("kruskal_wallis", name, "plain-r", sep = "-"), "stats.omnibus.kruskal_wallis", args,
        list(statistic = h, pvalue = pchisq(h, length(args) - 1, lower.tail = FALSE)),
        "12 / (n (n + 1)) * sum(R^2 / n_i) - 3 (n + 1); pchisq", kwargs = object(ties = FALSE), program = written_out)
  }
  for (name in c("data_sets", "data_sets_tied")) {
    table <- inputs[[name]]
    n <- nrow(table)
    k <- ncol(table)
    ranks <- t(apply(table, 1, rank))
    means <- colMeans(ranks)
    iman <- function(x) (n - 1) * x / (n * (k - 1) - x)
    df <- c(k - 1, (k - 1) * (n - 1))
    r <- friedman.test(table)
    f <- iman(r$statistic)
    add("omnibus", paste("friedman", name, "r", sep = "-"), "stats.omnibus.friedman", list(ref(name)),
        list(statistic = r$statistic, pvalue = r$p.value, df = list(r$parameter), mean_ranks = as.list(means),
             f_statistic = f, f_pvalue = pf(f, df[1], df[2], lower.tail = FALSE), f_df = as.list(df)),
        "friedman.test(table); F = (N - 1) chi2 / (N (k - 1) - chi2); pf")
    x <- 12 * n / (k * (k + 1)) * (sum(means^2) - k * (k + 1)^2 / 4)
    f <- iman(x)
    add("omnibus", paste("friedman", name, "plain-r", sep = "-"), "stats.omnibus.friedman", list(ref(name)),
        list(statistic = x, pvalue = pchisq(x, k - 1, lower.tail = FALSE), f_statistic = f,
             f_pvalue = pf(f, df[1], df[2], lower.tail = FALSE)),
        "12 N / (k (k + 1)) * (sum(R^2) - k (k + 1)^2 / 4); pchisq; pf", kwargs = object(ties = FALSE),
        program = written_out, note = "Demsar 2006, section 3.2.2")
    for (alpha in c(0.05, 0.1)) {
      add("omnibus", paste("nemenyi", name, "control", alpha, "r", sep = "-"), "stats.omnibus.nemenyi", list(ref(name)),
          list(critical_difference = qnorm(1 - alpha / (2 * (k - 1))) * sqrt(k * (k + 1) / (6 * n))),
          "qnorm(1 - alpha / (2 (k - 1))) * sqrt(k (k + 1) / (6 N))", kwargs = object(alpha = alpha, control = 0),
          program = written_out, note = "Bonferroni-Dunn")
    }
    differences <- abs(outer(means, means, "-")) / sqrt(k * (k + 1) / (6 * n))
    add("omnibus", paste("nemenyi", name, "r", sep = "-"), "stats.omnibus.nemenyi", list(ref(name)),
        list(pvalue = matrix(ptukey(differences * sqrt(2), k, Inf, lower.tail = FALSE), k), mean_ranks = as.list(means)),
        "ptukey(sqrt(2) * |R_i - R_j| / sqrt(k (k + 1) / (6 N)), k, Inf, lower.tail = FALSE)", kwargs = object(alpha = 0.05),
        program = written_out, rtol = 0, atol = 2e-8, note = "R's ptukey is good to about 1e-8")
  }
}

correct_or_not <- function() {
  for (name in c("correct", "correct_three")) {
    table <- inputs[[name]]
    n <- nrow(table)
    k <- ncol(table)
    r <- friedman.test(table)
    add("omnibus", paste("cochran_q", name, "r", sep = "-"), "stats.omnibus.cochran_q", list(ref(name)),
        list(statistic = r$statistic, pvalue = r$p.value, df = list(r$parameter)), "friedman.test(correct)",
        note = "on zeros and ones the tie-corrected Friedman statistic is Cochran's Q")
    e <- sphericity(table)
    df <- c(k - 1, (k - 1) * (n - 1))
    factors <- c(plain = 1, `greenhouse-geisser` = e$gg, `huynh-feldt` = e$hf, `lower-bound` = 1 / (k - 1))
    for (kind in names(factors)) {
      by <- factors[[kind]] * df
      add("omnibus", paste("looney", name, gsub("-", "_", kind), "car", sep = "-"), "stats.omnibus.looney", list(ref(name)),
          list(statistic = e$f, pvalue = pf(e$f, by[1], by[2], lower.tail = FALSE), df = as.list(by)),
          "car::Anova(lm(correct ~ 1), idata, idesign = ~classifier, type = 3); pf(F, epsilon * df1, epsilon * df2)",
          kwargs = if (kind == "plain") object() else object(epsilon = kind),
          program = "R car", version = package("car"), rtol = 1e-8,
          note = "mlxtend's ftest has (K - 1) N in the place of (K - 1)(N - 1)")
    }
  }
}
