"""A file of probabilities, for the tests of measures that are made of them."""

import pytest

from makers_measures import probability_lines


@pytest.fixture
def file(tmp_path):
    def made(**options):
        truth, scores, text = probability_lines(**options)
        path = tmp_path / "p.csv"
        path.write_text(text, encoding="utf-8")
        return truth, scores, str(path)

    return made
