"""``python -m wirelab``."""

from wirelab.cli import main

main()
