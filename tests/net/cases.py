"""The commands of the net, by name. ``--json`` is added; names in braces are of ``running.places``."""

from __future__ import annotations

from .inputs import FAULTS

PRIOR = "--prior 1,2,3,4"
FIVE_BY_TWO = "{examples}/multitest_four.csv"
DEMSAR = "{examples}/demsar.csv --larger-is-better"
MODELS = "{examples}/language_models.csv"
BINARY = "{examples}/two_class.csv"
GAPS = "{made}/datasets_gaps.csv --smaller-is-better"

FOLDS = {
    "5x2": f"judge {FIVE_BY_TWO}",
    "5x2_prior": f"judge {FIVE_BY_TWO} {PRIOR}",
    "5x2_one_side": f"judge {FIVE_BY_TWO} {PRIOR} --sides one",
    "5x2_control": f"judge {FIVE_BY_TWO} --control 1 --adjust holm",
    "5x2_alpha": f"judge {FIVE_BY_TWO} {PRIOR} --alpha 0.001",
    "5x2_f": f"judge {FIVE_BY_TWO} --test 5x2cv-f --adjust shaffer",
    "5x2_calibrated": f"compare {FIVE_BY_TWO} --test calibrated-t --adjust bergmann-hommel",
    "5x2_paired_forced": f"compare {FIVE_BY_TWO} --test paired-t --force --adjust none",
    "5x2_five_learners": "judge {examples}/five_by_two.csv --prior max,nmc,lgc,tree,nn --rope 0.01",
    "5x2_learners_kept": "judge {examples}/five_by_two.csv --learners nmc,lgc,nn",
    "5x2_anova_best": f"judge {FIVE_BY_TWO} {PRIOR} --method anova-best",
    "5x2_newman_keuls_best": f"judge {FIVE_BY_TWO} {PRIOR} --method newman-keuls-best",
    "5x2_test_first": f"order {FIVE_BY_TWO} {PRIOR} --method test-first",
    "5x2_cliques": f"order {FIVE_BY_TWO} --method cliques",
    "5x2_ranges": f"order {FIVE_BY_TWO} --method ranges",
    "folds_in_a_row": "judge {made}/folds_in_a_row.csv --smaller-is-better --replications 5",
    "ten_folds": "judge {made}/ten_folds.csv --measure error --rope 0.02",
    "ten_folds_cost": "judge {made}/ten_folds.csv --measure error --prior fit_time",
    "ten_by_ten": "judge {made}/ten_by_ten.csv --prior c,b,a",
    "ten_by_ten_holm": "compare {made}/ten_by_ten.csv --test corrected-t --adjust holm --control b",
    "random_splits": "judge {made}/wide.csv --smaller-is-better --test-fraction 0.1",
    "rows_folds": "judge {made}/wide.csv --smaller-is-better --rows folds",
    "constant_differences": "judge {made}/constant.csv",
    "mlxtend_5x2": "judge {peers}/mlxtend_5x2.csv",
    "sklearn_scorers": "judge {peers}/sklearn_scorers.csv --measure test_roc_auc",
    "sklearn_grid_search": "judge {peers}/sklearn_grid_search.csv",
    "sklearn_indices": "judge {peers}/sklearn_indices.csv",
    "seeds": "judge {made}/seeds.csv --test-fraction 0.3",
    "winner": "judge {made}/winner.csv",
    "winner_prior": "judge {made}/winner.csv --prior e,d,c,b,a",
    "5x2_single_intervals": f"compare {FIVE_BY_TWO} --intervals single",
}

RUNS = {
    "runs": "judge {made}/seeds.csv",
    "runs_paired": "judge {made}/seeds.csv --paired --prior c,b,a",
    "runs_unequal": "judge {made}/seeds_unequal.csv --prior c,b,a",
    "runs_control": "compare {made}/seeds_unequal.csv --control a --intervals single",
    "tasks": "judge {made}/tasks.csv",
    "tasks_many": "judge {made}/tasks_many.csv --prior c,b,a",
}

DATASETS = {
    "bramer_15_2": "judge {examples}/bramer_15_2.csv --larger-is-better",
    "bramer_15_5": "judge {examples}/bramer_15_5.csv --larger-is-better --test wilcoxon",
    "bramer_15_6": "judge {examples}/bramer_15_6.csv --larger-is-better --test permutation-t --seed 7",
    "bramer_15_7": "judge {examples}/bramer_15_7.csv --larger-is-better --test paired-t --alpha 0.1",
    "bramer_exercise": "judge {examples}/bramer_exercise.csv --larger-is-better --test sign",
    "demsar": f"judge {DEMSAR}",
    "demsar_nemenyi": f"judge {DEMSAR} --test nemenyi --alpha 0.1",
    "demsar_control": f"judge {DEMSAR} --control C4.5 --adjust hochberg",
    "demsar_rope": f"judge {DEMSAR} --rope 0.01 --seed 3",
    "demsar_prior": f"judge {DEMSAR} --prior C4.5,C4.5+m,C4.5+cf,C4.5+m+cf --adjust benjamini-hochberg",
    "rows_datasets": "judge {made}/wide.csv --smaller-is-better --rows datasets",
    "autorank": "compare {peers}/autorank.csv --larger-is-better --rows datasets --adjust finner",
    "datasets_folds": "judge {made}/datasets_folds.csv --rope 0.01",
    "datasets_folds_multi2test": "judge {made}/datasets_folds.csv --method multi2test --prior c,b,a",
    "datasets_one": "judge {made}/datasets_folds.csv --dataset d2",
    "gaps_drop_datasets": f"judge {GAPS} --missing drop-datasets",
    "gaps_drop_learners": f"judge {GAPS} --missing drop-learners",
    "gaps_keep": f"judge {GAPS} --missing keep",
    "gaps_worst": f"judge {GAPS} --missing worst",
    "gaps_baseline": f"judge {GAPS} --missing baseline:c",
    "gaps_features": f"judge {GAPS} --missing drop-datasets --features {{made}}/features.csv",
    "weka": "judge {peers}/weka_experiment.csv --measure Percent_correct",
    "rmse": "judge {made}/rmse.csv",
    "rmse_few": "judge {made}/rmse_few.csv --intervals single",
    "rmse_folds": "judge {made}/rmse_folds.csv --prior c,b,a",
}

ITEMS = {
    "models": f"judge {MODELS}",
    "models_price": f"judge {MODELS} --prior price",
    "models_price_fixed": f"judge {MODELS} --prior price --groups fixed",
    "models_exact": f"compare {MODELS} --test mcnemar-exact --adjust hommel --groups fixed",
    "predictions": "judge {examples}/predictions.csv",
    "predictions_mlxtend": "judge {peers}/mlxtend_predictions.csv --test mcnemar",
    "rows_items": "judge {made}/wide_items.csv --larger-is-better --rows items",
    "items_drop": "judge {made}/items_gaps.csv --missing drop-items",
    "items_worst": "judge {made}/items_gaps.csv --missing worst",
    "items_graded": "judge {made}/items_graded.csv --larger-is-better",
    "probabilities": "judge {made}/probabilities.csv",
    "lm_eval": "judge {peers}/lm_eval_flat --measure acc",
}

BATTLES = {
    "battles": "judge {examples}/battles.csv",
    "battles_price": "judge {examples}/battles.csv --prior price --within 60",
    "battles_control": "compare {examples}/battles.csv --control cedar --intervals single",
    "battles_alone": "judge {made}/battles.csv --missing drop-learners",
}

CURVES = {
    "curves": "judge {examples}/curves.csv",
    "curves_final": "judge {examples}/curves.csv --curve final",
    "curves_area": "compare {made}/curves_small.csv --curve area",
    "curves_small": "judge {made}/curves_small.csv --prior c,b,a",
    "curves_small_seed": "compare {made}/curves_small.csv --seed 5 --test randomized-t",
    "curves_paired": "judge {made}/curves_small.csv --paired",
    "curves_datasets": "judge {made}/curves_datasets.csv",
    "curves_align_common": "judge {made}/curves_uneven.csv --align common",
    "curves_align_interpolate": "judge {made}/curves_uneven.csv --align interpolate",
    "curves_align_relative": "judge {made}/curves_sizes.csv --align relative",
    "log_keras": "judge {exports}/keras --measure val_loss",
    "log_tensorboard": "compare {exports}/tensorboard --smaller-is-better",
    "log_mlflow": "compare {exports}/mlflow_metric_history.csv --measure val_accuracy",
    "log_wandb": "compare {exports}/wandb --measure val_loss",
}

MEASURES = {
    "on_rates": f"judge {BINARY} --on tpr,fpr",
    "on_rates_prior": f"judge {BINARY} --on tpr,fpr --prior lda,qda,nb,knn,tree --task detection --alpha 0.01",
    "on_precision_recall": "judge {examples}/counts.csv --on precision,recall --task retrieval --adjust holm",
    "on_confusion": "judge {examples}/counts.csv --on confusion",
    "on_skewed_classes": "judge {examples}/skewed_classes.csv --on tpr,fpr",
    "on_more_negatives": "judge {examples}/more_negatives.csv --on precision,fpr",
    "on_threshold_moved": "judge {examples}/threshold_moved.csv --on tpr,fpr",
    "on_hotelling": f"judge {BINARY} --on tpr,fpr --test hotelling",
    "on_undefined": "judge {made}/counts_undefined.csv --on precision,recall --undefined 0",
    "on_accuracy_and_time": "judge {made}/two_measures.csv --on accuracy,fit-seconds",
    "on_positive": "judge {made}/three_classes.csv --on tpr,fpr --positive y",
    "on_each_class": "judge {made}/three_classes.csv --on tpr,fpr --positive each",
    "on_recalls": "judge {made}/three_classes.csv --on recalls",
    "on_roc": "judge {made}/probabilities.csv --on roc",
    "on_roc_no": "judge {made}/probabilities.csv --on roc --positive no",
    "on_roc_groups": "judge {made}/probabilities_groups.csv --on roc",
    "on_thresholds": "judge {made}/probabilities_groups.csv --on tpr@0.3,fpr@0.3,tpr@0.6,fpr@0.6",
    "on_datasets": "judge {made}/counts_datasets.csv --on tpr,fpr",
    "on_datasets_gaps": "judge {made}/counts_datasets_folds.csv --on tpr,fpr --missing drop-datasets",
}

REPORTS = {
    "report_file": f"report {FIVE_BY_TWO} {PRIOR} -o {{written}}",
    "report_printed": f"report {DEMSAR} --format json -o -",
    "report_on": f"report {BINARY} --on tpr,fpr -o {{written}}",
}

PLANNING = {
    "power_effect": "power --effect 0.2,0.5,0.8 --pairs 6",
    "power_n": "power --test corrected-t --n 10,100 --folds 10",
    "power_both": "power --test mcnemar --effect 0.1 --n 100,400 --disagreement 0.3 --one-sided",
    "power_pilot_folds": f"power {FIVE_BY_TWO}",
    "power_pilot_datasets": f"power {DEMSAR}",
    "power_pilot_items": "power {made}/items.csv --learners x,z",
    "power_pilot_curves": "power {made}/curves_small.csv --learners a,b",
    "plan_check": "plan check {examples}/plan.toml",
    "plan_show": "plan show {made}/plan.toml",
}

STORES = {
    "store_info": "store info {store}",
    "store_verify": "store verify {store}",
    "store_judge": "judge {store}",
    "store_prior": "judge {store} --dataset wine --prior max,nmc,naive-bayes,nn --measure accuracy",
    "store_multi2test": "order {store} --method multi2test --prior max,nmc,naive-bayes,nn",
    "store_on_recalls": "judge {store} --dataset wine --on recalls",
    "store_on_roc": "judge {store} --dataset iris --on roc --positive versicolor",
    "store_report": "report {store} --dataset iris -o {written}",
}

ERRORS = {
    **{f"error_{fault}": f"judge {{made}}/{fault}.csv" for fault in ("empty", "binary", *FAULTS)},
    "error_optuna": "judge {made}/optuna.csv",
    "error_no_file": "judge {made}/nowhere.csv",
    "error_direction": "judge {examples}/demsar.csv",
    "error_two_directions": f"judge {FIVE_BY_TWO} --larger-is-better --smaller-is-better",
    "error_option": f"judge {FIVE_BY_TWO} --tset wilcoxon",
    "error_alpha": f"judge {FIVE_BY_TWO} --alpha 2",
    "error_test": f"judge {FIVE_BY_TWO} --test wilcoxn",
    "error_test_of_other_design": f"judge {FIVE_BY_TWO} --test friedman",
    "error_prior": f"judge {FIVE_BY_TWO} --prior 1,2,3,5",
    "error_control": f"judge {FIVE_BY_TWO} --control 9",
    "error_missing": f"judge {GAPS}",
    "error_missing_baseline": f"judge {GAPS} --missing baseline:d",
    "error_battles": "judge {made}/battles.csv",
    "error_on_control": f"judge {BINARY} --on tpr,fpr --control lda",
    "error_on_one": f"judge {BINARY} --on tpr",
    "error_on_undefined": "judge {made}/counts_undefined.csv --on precision,recall",
    "error_task_without_on": f"judge {BINARY} --task retrieval",
    "error_multi2test_without_prior": "order {made}/datasets_folds.csv --method multi2test",
    "error_random_splits": "judge {made}/repeats.csv",
    "error_align": "judge {made}/curves_uneven.csv --align relative",
    "error_on_confusion_of_other_rows": "judge {examples}/skewed_classes.csv --on confusion",
    "error_lm_eval": "judge {peers}/lm_eval",
    "error_lm_eval_folder": "judge {peers}/lm_eval_faulty",
    "error_power": "power",
    "error_plan": "plan check {made}/plan_wrong.toml",
    "error_store_plan": "judge {store} --plan 00000",
}

CASES = {
    **FOLDS,
    **RUNS,
    **DATASETS,
    **ITEMS,
    **BATTLES,
    **CURVES,
    **MEASURES,
    **REPORTS,
    **PLANNING,
    **STORES,
    **ERRORS,
}
