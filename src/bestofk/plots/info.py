"""What every figure starts from: a frozen record that knows its title, its words and its drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from bestofk.core.frozen import frozen
from bestofk.plots.canvas.board import COLUMN, Board, settings, sheet
from bestofk.plots.canvas.themes import ThemeName, theme_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@frozen(eq=False)
class Info:
    """The data of a figure, with the name it is asked for by."""

    name: ClassVar[str]

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """Read the data from a result; None when it has no such figure."""
        return None

    @property
    def title(self) -> str:
        """A heading of a few words."""
        raise NotImplementedError

    @property
    def alt(self) -> str:
        """One or two sentences for who cannot see the figure, from the fields alone."""
        raise NotImplementedError

    @property
    def telling(self) -> bool:
        """Whether there is anything to see; a figure that shows nothing comes only when asked for by name."""
        return True

    def height(self, width: float) -> float:
        """Height of the sheet for a width, both in millimetres."""
        raise NotImplementedError

    def paint(self, board: Board) -> None:
        """Draw on a board."""
        raise NotImplementedError

    def draw(self, *, ax: Axes | None = None, theme: ThemeName = "light") -> Axes:
        """Draw into the axes given, or on a sheet of its own; the settings of the process come back at the end."""
        chosen = theme_of(theme)
        with settings():
            board = Board(sheet(COLUMN, self.height(COLUMN), chosen) if ax is None else ax, chosen)
            self.paint(board)
        return board.ax
