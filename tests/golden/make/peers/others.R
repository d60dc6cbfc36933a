# Adjusted p values, Bayes, ROC, selection.

adjusted <- function() {
  methods <- c(bonferroni = "bonferroni", holm = "holm", hochberg = "hochberg", hommel = "hommel",
               benjamini_hochberg = "BH", benjamini_yekutieli = "BY")
  for (name in c("p_mixed", "p_unsorted", "p_random", "p_tied", "p_tiny", "p_one")) {
    for (ours in names(methods)) {
      add("adjust", paste(ours, name, "r", sep = "-"), paste0("stats.adjust.", ours), list(ref(name)),
          list(value = as.list(p.adjust(inputs[[name]], methods[[ours]]))), sprintf("p.adjust(p, \"%s\")", methods[[ours]]), atol = 0)
    }
  }
  for (ours in names(methods)) {
    add("adjust", paste(ours, "p_batch-r", sep = "-"), paste0("stats.adjust.", ours), list(ref("p_batch")),
        list(value = t(apply(inputs$p_batch, 1, p.adjust, method = methods[[ours]]))),
        sprintf("p.adjust(p[i, ], \"%s\") for each row i", methods[[ours]]), atol = 0)
  }
}

correlated_bayes <- function() {
  d <- inputs$bayes_first - inputs$bayes_second # losses: below zero the first is better
  for (correlation in c(0.1, 0.5, 0)) {
    for (rope in c(0.01, 0.002)) {
      scale <- sqrt((1 / length(d) + correlation / (1 - correlation)) * var(d))
      left <- pt((-rope - mean(d)) / scale, length(d) - 1)
      right <- pt((rope - mean(d)) / scale, length(d) - 1, lower.tail = FALSE)
      add("bayes", paste("correlated_t", correlation, rope, "r", sep = "-"), "stats.bayes.correlated_t",
          list(ref("bayes_first"), ref("bayes_second")), list(probabilities = list(left, 1 - left - right, right)),
          "pt((x - mean(d)) / sqrt((1 / n + rho / (1 - rho)) var(d)), n - 1) at both ends of the rope",
          kwargs = object(rope = rope, correlation = correlation), program = written_out, note = "Corani and Benavoli 2015")
    }
  }
}

receiver_operating <- function() {
  y <- inputs$truth01
  for (name in c("scores", "other_scores", "coarse_scores")) {
    r <- pROC::roc(y, inputs[[name]], levels = c(0, 1), direction = "<", quiet = TRUE)
    add("roc", paste("auc", name, "proc", sep = "-"), "stats.roc.auc", list(ref("truth01"), ref(name)),
        list(value = as.numeric(pROC::auc(r))), "auc(roc(y, scores, levels = c(0, 1), direction = \"<\"))",
        program = "R pROC", version = package("pROC"))
  }
  for (pair in list(c("scores", "other_scores"), c("coarse_scores", "other_scores"), c("other_scores", "scores"))) {
    a <- pROC::roc(y, inputs[[pair[1]]], levels = c(0, 1), direction = "<", quiet = TRUE)
    b <- pROC::roc(y, inputs[[pair[2]]], levels = c(0, 1), direction = "<", quiet = TRUE)
    r <- pROC::roc.test(a, b, method = "delong", paired = TRUE)
    se <- sqrt(pROC::var(a, method = "delong") + pROC::var(b, method = "delong") - 2 * pROC::cov(a, b, method = "delong"))
    add("roc", paste("delong", pair[1], pair[2], "proc", sep = "-"), "stats.roc.delong",
        list(ref("truth01"), ref(pair[1]), ref(pair[2])),
        list(statistic = r$statistic, pvalue = r$p.value, auc_first = r$estimate[[1]], auc_second = r$estimate[[2]],
             standard_error = se), "roc.test(roc(y, first), roc(y, second), method = \"delong\", paired = TRUE)",
        program = "R pROC", version = package("pROC"))
  }
}

selection <- function() {
  for (name in c("posteriors", "posteriors_tied")) {
    table <- inputs[[name]]
    best <- table == apply(table, 1, max)
    wins <- colSums(best / rowSums(best))
    r <- suppressWarnings(chisq.test(wins))
    add("selection", paste("multinomial_selection", name, "r", sep = "-"), "stats.selection.multinomial_selection", list(ref(name)),
        list(wins = as.list(wins), statistic = r$statistic, pvalue = r$p.value, df = list(r$parameter)), "chisq.test(wins)")
  }
}
