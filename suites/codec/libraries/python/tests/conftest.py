"""The harness is imported from its folder, as PYTHONPATH has it for a worker."""

import os
import sys
from pathlib import Path

_HARNESS = Path(__file__).resolve().parent.parent

sys.path.insert(0, str(_HARNESS))
os.environ.setdefault("CODEC_SUITE", str(_HARNESS.parent.parent))
