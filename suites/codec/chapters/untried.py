"""Contenders of a run that a scenario has no figures of, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping

from wirelab.report.api import Block, Bullets, CellTable, Context, Details, text

from .formats import format_of, labelled

_NONE: Mapping[str, str] = {}


def untried(
    context: Context, found: CellTable, otherwise: str, reasons: Mapping[str, str] = _NONE
) -> list[Block]:
    """The others of the run: with reasons of their own, with the same library, and the rest."""
    _ = context.words.gettext
    tried = {_library(context, name): name for name in reversed(found.contenders)}
    said = []
    for name in context.contenders:
        if name in found.contenders or name in context.references:
            continue
        reason = otherwise
        if name in reasons:
            reason = reasons[name]
        elif same := tried.get(_library(context, name)):
            reason = _("the same library as {name}").format(name=labelled(context, same))
        said.append(text("**{name}**: {reason}", name=labelled(context, name), reason=reason))
    return [Details(_("Not tried, and why"), (Bullets(tuple(said)),))] if said else []


def _library(context: Context, name: str) -> tuple[str, str]:
    """A library writes several formats, and has editions of several languages."""
    language = re.split(r"-", name, maxsplit=1)[0]
    return f"{language} {context.participant(name).manifest.library.name}", format_of(name)
