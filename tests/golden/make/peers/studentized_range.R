# The studentized range and the quantiles of t.

studentized_range <- function() {
  for (k in c(2, 5, 10)) {
    for (df in c(45, 450, Inf)) {
      for (q in c(2.5, 4)) {
        add("studentized_range", paste("sf", k, df, q, "r", sep = "-"), "stats.studentized_range.sf", list(q, k, df),
            list("value" = ptukey(q, k, df, lower.tail = FALSE)), "ptukey(q, k, df, lower.tail = FALSE)", rtol = 0, atol = 3e-9,
            note = "only where ptukey is good to 3e-9; at few degrees of freedom or many means it is off by 1e-3 to 1e-6")
      }
    }
  }
  for (df in c(2, 3, 5, 8, 45, 450)) {
    for (q in c(1, 3.5, 10, 40)) {
      add("studentized_range", paste("sf-two", df, q, "r", sep = "-"), "stats.studentized_range.sf", list(q, 2, df),
          list("value" = 2 * pt(-q / sqrt(2), df)), "2 * pt(-q / sqrt(2), df)", rtol = 0, atol = 1e-9,
          note = "of two means the range is |t| times the root of two; ptukey(30, 2, 2) is off by 5e-4")
    }
    for (alpha in c(0.1, 0.05, 0.01)) {
      add("studentized_range", paste("critical-two", df, alpha, "r", sep = "-"), "stats.studentized_range.critical",
          list(alpha, 2, df), list("value" = sqrt(2) * qt(alpha / 2, df, lower.tail = FALSE)),
          "sqrt(2) * qt(alpha / 2, df, lower.tail = FALSE)")
    }
  }
}

t_quantiles <- function() {
  for (df in c(1, 2, 4, 9, 29, 99)) {
    for (p in c(0.1, 0.05, 0.01, 0.001)) {
      add("distributions", paste("t_critical", df, p, "r", sep = "-"), "stats.distributions.t_critical", list(p, df),
          list("value" = qt(p / 2, df, lower.tail = FALSE)), "qt(p / 2, df, lower.tail = FALSE)")
    }
  }
}
