"""Control groups of roles: the kernel's own accounts of processor time, limits, and stopping.

``hierarchies`` reads where this process's groups lie, ``offer`` finds by trying what can be had
there, ``group`` is the group of one role, ``trial_groups`` are those of a trial, ``removal`` clears
away what a killed core has left. Nothing is written outside of folders that were made here.
"""
