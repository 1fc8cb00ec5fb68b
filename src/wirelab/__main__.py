"""``python -m wirelab``."""

from wirelab.garbage import rest_until_loaded

rest_until_loaded()

from wirelab.cli import main  # noqa: E402

main()
