"""The wheel has the manual pages, where `make man` has made them: ``man bestofk`` works in an environment."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManualPages(BuildHookInterface):
    """Adds the pages to what is installed beside the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the folder of the pages."""
        if (Path(self.root) / "build" / "man").is_dir():
            build_data["shared_data"]["build/man"] = "share/man/man1"
