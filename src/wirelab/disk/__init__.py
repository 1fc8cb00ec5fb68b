"""The disk that others use up: what is left of it, and who uses how much.

``bound`` is one thing of which a disk has only so much, ``use`` counts what somebody has of it,
``file_system`` says what kind of disk it is.
"""
