"""Pages of reference, written from the catalogues: ``python -m wirelab.reference``.

A test holds that each page says what its catalogue says.
"""
