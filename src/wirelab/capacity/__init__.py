"""The largest load that holds its bounds: search, judgement of a probe, and what was found.

Nothing here starts a process or reads a file: a search asks for probes and is given them judged.
"""
