"""Pitfalls by code (K101 …), one function each. Advice never stops a run. docs/reference/advice.md explains each."""

from bestofk.advice.advice import Advice, Case
from bestofk.advice.shelf import ADVICE, OF_RESULTS, advice_for, title_of

__all__ = ["ADVICE", "OF_RESULTS", "Advice", "Case", "advice_for", "title_of"]
