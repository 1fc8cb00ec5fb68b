"""``python3 FOLDER DOCUMENT`` and ``python3 -m wirelab.conform DOCUMENT``."""

import sys
from importlib import import_module
from pathlib import Path

folder = Path(__file__).resolve().parent
if not __package__:
    # Started by its path, the folder itself is on the module path; as a package, by whatever
    # name it was given, it is found from the one above.
    sys.path[0] = str(folder.parent)
sys.exit(import_module(__package__ or folder.name).main())
