"""Limits of the host that a scenario reaches, looked at before the first trial."""

from __future__ import annotations

import resource


def allow_open_files(needed: int) -> str:
    """Raise this process's limit of open files to what it may have; its children inherit it.

    Returns why ``needed`` files cannot be had, with the remedy; empty when they can.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        return (
            f"the scenarios need {needed} open files, and this user may have {hard}; "
            f"to mend it: ulimit -Hn {needed} (as root), or choose other scenarios"
        )
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    return ""
