"""``wl clean``: remove what builds have left in the user's cache."""

from __future__ import annotations

import typer

from wirelab.build.store import Store

SOMETHING_IN_USE = 1


def clean() -> None:
    """Remove every build, for all clones; the next run builds again.

    Exit code 1 when builds stay because a run uses them.
    """
    store = Store()
    before = store.size()
    stayed = store.clear()
    typer.echo(f"{(before - store.size()) / 1e9:.1f} GB removed from {store.home}")
    for name in stayed:
        typer.echo(f"in use, not removed: {name}", err=True)
    raise typer.Exit(SOMETHING_IN_USE if stayed else 0)
