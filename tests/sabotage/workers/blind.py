"""A worker of any contract: it reads its spec and never looks at the version."""

from __future__ import annotations

import json
import os
from pathlib import Path

from reference import Reference

if __name__ == "__main__":
    Reference(json.loads(Path(os.environ["WIRELAB_SPEC"]).read_bytes())).run()
