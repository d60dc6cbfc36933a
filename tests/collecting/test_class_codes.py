"""Answers of a classifier: numbers are codes of classes, text is their names."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from bestofk.sharing.plain_fold import WrongAnswer, aligned_probabilities, class_codes
from collecting_plans import X, Y, collected_beside_max, outcomes

NUMBERS = ("1", "2", "3")


class Known(ClassifierMixin, BaseEstimator):
    """A learner made beforehand; it finds the true name in the first column and answers in some form."""

    def __init__(self, form="number", own="codes"):
        self.form, self.own = form, own

    def fit(self, X, y):
        self.classes_ = np.unique(y) + (1 if self.own == "names" else 0)
        return self

    def predict(self, X):
        names = np.asarray(X)[:, 0].astype(int)
        forms = {"number": names, "text": names.astype(str), "codes": (names - 1).astype(object)}
        return forms[self.form]

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


@pytest.mark.parametrize("kind", [int, float])
def test_numbers_are_codes_and_names_given_as_numbers_are_told(kind):
    with pytest.raises(WrongAnswer) as told:
        class_codes(np.array([1, 2, 3], dtype=kind), 3, NUMBERS)
    assert "0 to 2: numbers are these codes, names are text such as '3'." in str(told.value)
    assert "look like names" in str(told.value)
    with pytest.raises(WrongAnswer) as told:
        class_codes(np.array([7], dtype=kind), 1, NUMBERS)
    assert "look like names" not in str(told.value)
    assert class_codes(np.array(["1", "3"]), 2, NUMBERS).tolist() == [0, 2]
    assert class_codes(np.array([1, 2], dtype=kind), 2, NUMBERS).tolist() == [1, 2]


def test_names_that_are_their_own_codes_are_no_names_given_as_numbers():
    with pytest.raises(WrongAnswer) as told:
        class_codes(np.array([2]), 1, ("0", "1"))
    assert "look like names" not in str(told.value)


def test_only_labels_that_there_are_not_are_called_strange():
    with pytest.raises(WrongAnswer, match="data: 'c'"):
        class_codes(np.array(["a", "c"]), 2, ("a", "b"))


@pytest.mark.parametrize("learnt", [[0, 1, 2], [0, 1]])
def test_a_learner_whose_own_classes_are_names_as_numbers_fails_in_every_fold(tmp_path, learnt):
    rows = np.isin(Y - 1, learnt) if len(learnt) == 3 else np.arange(60) < 58
    data = (np.c_[Y, X][rows].astype(float), Y[rows])  # without the 3, codes are 0 and 1, and 2 is none
    errors, reasons = outcomes(collected_beside_max(tmp_path, Known(own="names"), data=data))
    assert errors == [None] * 5
    assert all("names" in reason for reason in reasons)


def test_a_fold_trained_without_the_last_class_still_proves_names_by_its_classes():
    from bestofk.sharing.plain_fold import refuse_names_as_numbers as refuse

    with pytest.raises(WrongAnswer, match=r"classes_.*1, 2"):
        refuse([1, 2, 1], np.array([1, 2]), np.array([0, 1, 0]), NUMBERS)
    refuse(["1", "2"], np.array([1, 2]), np.array([0, 1]), NUMBERS)  # what it answers with is what counts
    refuse([1, 2], np.array([1, 2]), np.array([1, 2]), NUMBERS)  # trained on classes 2 and 3, as their codes say
    refuse([1, 1], np.array([0, 1, 2]), np.array([0, 1]), NUMBERS)
    refuse([1, 1], np.array(["1", "2"]), np.array([0, 1]), NUMBERS)
    refuse([1, 1], None, np.array([0, 1]), NUMBERS)


def test_text_is_names_also_where_they_look_like_numbers(tmp_path):
    errors, reasons = outcomes(collected_beside_max(tmp_path, Known(form="text", own="codes")))
    assert (errors, reasons) == ([0.0] * 5, set())


def test_classes_of_a_learner_that_are_text_are_names_of_the_columns():
    given = [[0.25, 0.75]]
    assert aligned_probabilities(given, 1, np.array(["1", "2"]), NUMBERS).tolist() == [[0.25, 0.75, 0.0]]
    assert aligned_probabilities(given, 1, np.array([1, 2]), NUMBERS).tolist() == [[0.0, 0.25, 0.75]]
    with pytest.raises(WrongAnswer, match=r"classes_.*data: 3"):
        aligned_probabilities(given, 1, np.array([2, 3]), NUMBERS)


def test_codes_in_an_array_of_objects_are_codes(tmp_path):
    errors, reasons = outcomes(collected_beside_max(tmp_path, Known(form="codes")))
    assert (errors, reasons) == ([0.0] * 5, set())
    mixed = np.array([0, 1.0, True, "3", np.int8(2)], dtype=object)
    assert class_codes(mixed, 5, NUMBERS).tolist() == [0, 1, 1, 2, 2]
    with pytest.raises(WrongAnswer, match=r"never seen in the data: nan, \[1\];"):
        class_codes(np.array([0, float("nan"), [1]], dtype=object), 3, NUMBERS)
