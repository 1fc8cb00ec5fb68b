"""Processes of the machine: found, pinned, watched over, ended."""
