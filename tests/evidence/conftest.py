"""A table of items, as several files of tests write it."""

from functools import partial

import pytest

from makers_items import file_of


@pytest.fixture
def file(tmp_path):
    return partial(file_of, tmp_path)
