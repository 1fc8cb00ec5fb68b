"""``wl conform``: check a worker against the contract."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}


def conform(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="Folder of a contender.")],
) -> None:
    """Check a worker against the worker contract; builds the contender first."""
    from wirelab import conform as checker

    sys.exit(checker.main([str(path), *context.args]))
