"""One cell after another in this very process: for debugging, and to check the other engines against."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from uuid import uuid4

from bestofk.collecting.job import Done, Job, Setting
from bestofk.collecting.limits import end_children
from bestofk.collecting.process import SETTINGS
from bestofk.collecting.worker import work


class Serial:
    """Runs every cell here."""

    workers = 1

    def run(self, setting: Setting, jobs: Iterator[Job]) -> Generator[list[Done]]:
        """Run jobs one by one."""
        token = uuid4().hex
        SETTINGS[token] = setting
        try:
            for job in jobs:
                yield [work(token, job)]
        finally:
            del SETTINGS[token]
            end_children(token)
