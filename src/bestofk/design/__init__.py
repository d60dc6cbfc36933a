"""What is fixed before anything runs: data sets, learners, folds, measures, and the plan that names them."""
