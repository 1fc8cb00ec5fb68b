"""A user's NuGet: its configuration with one folder as its source, and its packages."""

from __future__ import annotations

from pathlib import Path

from wirelab import cache
from wirelab.build import tools

_CONFIGURATION = """\
<?xml version="1.0" encoding="utf-8"?>
<configuration>
  <packageSources>
    <clear />
    <add key="only" value="{source}" />
  </packageSources>
</configuration>
"""


class NuGetHome:
    """A home folder in which nothing was restored yet, with an empty folder as the only source."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "source"
        self.packages = folder / "cache/wirelab/downloads/dotnet"
        self.builds = folder / "cache/wirelab/builds"
        self.source.mkdir(parents=True)
        home = folder / "home"
        configuration = home / ".nuget/NuGet/NuGet.Config"
        configuration.parent.mkdir(parents=True)
        configuration.write_text(_CONFIGURATION.format(source=self.source))
        dotnet = tools.DOTNET.path()
        self.variables = {
            "HOME": str(home),
            "XDG_CACHE_HOME": str(folder / "cache"),
            cache.DOWNLOADS: "",
            "DOTNET_ROOT": str(Path(dotnet).resolve().parent) if dotnet else "",
        }
        """Environment of a command that uses it."""
