# Golden values from R. Usage: Rscript r_peers.R FOLDER   (FOLDER has inputs.json; the parts are left there)
#
# Where a package has the test, its function is called; where none has, the formula is written out here
# with R's own distributions (program "R, written out"), so that nothing comes from the library under test.

library(jsonlite) # car, coin, exactRankTests, multcomp and pROC are called by full name: pROC would hide var and cov
options(warn = 1)

folder <- commandArgs(trailingOnly = TRUE)[1]
inputs <- fromJSON(file.path(folder, "inputs.json"))
r_version <- paste(R.version$major, R.version$minor, sep = ".")

# ---- writing cases down ----------------------------------------------------------------------------------

number <- function(x) {
  if (is.infinite(x)) return(if (x > 0) "\"inf\"" else "\"-inf\"")
  sprintf("%.17g", x) # 17 digits: every double comes back as it was
}

as_json <- function(x) {
  if (is.null(x)) return("null")
  if (inherits(x, "object") || (is.list(x) && !is.null(names(x)))) {
    pairs <- mapply(function(key, value) paste0(toJSON(key, auto_unbox = TRUE), ": ", as_json(value)), names(x), x)
    return(paste0("{", paste(pairs, collapse = ", "), "}"))
  }
  if (is.matrix(x)) return(as_json(lapply(seq_len(nrow(x)), function(i) as.list(unname(x[i, ])))))
  if (is.list(x)) return(paste0("[", paste(vapply(x, as_json, ""), collapse = ", "), "]"))
  if (length(x) != 1) return(as_json(as.list(unname(x))))
  if (is.character(x)) return(as.character(toJSON(x, auto_unbox = TRUE)))
  if (is.logical(x)) return(if (x) "true" else "false")
  number(x)
}

object <- function(...) structure(list(...), class = "object", names = names(list(...)))
ref <- function(name) {
  stopifnot(name %in% names(inputs))
  object(input = name)
}

book <- list()
add <- function(topic, id, fun, args, expect, call, kwargs = object(), program = "R stats", version = r_version,
                rtol = 1e-9, atol = 1e-12, note = NULL) {
  case <- list(id = id, `function` = fun, args = args, kwargs = kwargs, expect = expect, rtol = rtol, atol = atol,
               source = list(program = program, version = version, call = call))
  if (!is.null(note)) case$note <- note
  book[[topic]] <<- c(book[[topic]], list(case))
}
package <- function(name) as.character(packageVersion(name))
written_out <- "R, written out"
sides <- c(two = "two-sided", greater = "greater", less = "less")
in_r <- c(two = "two.sided", greater = "greater", less = "less")

for (topic in c("pairwise", "omnibus", "studentized_range", "multivariate", "others")) source(file.path("peers", paste0(topic, ".R")))

for (topic in list(paired_t, five_by_two, corrected, mcnemar, wilcoxon, sign_and_flips, one_way, within_blocks, multiple_ranges,
                   rank_tests, correct_or_not, studentized_range, t_quantiles, hotelling, manova_tests, manova_collinear, curve_tables, adjusted,
                   correlated_bayes, receiver_operating, selection)) topic()

# A function that returns a bare number or array has the key "" in the files; R cannot name a list entry so.
for (topic in names(book)) {
  text <- gsub("\"expect\": {\"value\": ", "\"expect\": {\"\": ", as_json(book[[topic]]), fixed = TRUE)
  writeLines(text, file.path(folder, paste0(topic, ".r.part.json")))
}
