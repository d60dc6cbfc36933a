# Resamples of caret: three models of R's own iris, five folds twice, saved as its table of values.
# Usage: Rscript caret_files.R, in this folder.

suppressMessages(library(caret))
set.seed(1)
parts <- createMultiFolds(iris$Species, k = 5, times = 2)
way <- trainControl(method = "repeatedcv", number = 5, repeats = 2, index = parts)
fit <- function(method, ...) train(Species ~ ., data = iris, method = method, trControl = way, ...)
found <- resamples(list(
  knn = fit("knn", tuneGrid = data.frame(k = 7)),
  lda = fit("lda"),
  tree = fit("rpart", tuneGrid = data.frame(cp = 0.1))
))
write.csv(found$values, "../caret.csv")
