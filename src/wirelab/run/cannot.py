"""The error of a run that cannot begin."""

from __future__ import annotations

from wirelab.model.mistake import MistakeError


class CannotRunError(MistakeError):
    """Nothing can be measured: no contender, no neutral service, or another one than began."""
