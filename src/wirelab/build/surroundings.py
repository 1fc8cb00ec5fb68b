"""The environment of builds: that of workers, and, to fetch, what says where and how that is done.

What compilers and build tools read beside that would be in what is built, and in no key of it.
"""

from __future__ import annotations

import os
import re

from wirelab.conform.environment import inherited

_FETCHING = re.compile(
    r"(?:https?|ftp|all|no)_proxy|(?:HTTPS?|FTP|ALL|NO)_PROXY|"
    r"SSL_CERT_(?:FILE|DIR)|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS|"
    r"GIT_SSL_CAINFO|(?i:npm_config_(?:registry|cache|cafile|ca|strict_ssl|(?:https_?)?proxy))|"
    r"GO(?:PROXY|SUMDB|NOSUMDB|NOSUMCHECK|NOPROXY|PRIVATE|INSECURE|PATH|MODCACHE|CACHE)|"
    r"CARGO_HOME|RUSTUP_HOME|RUSTUP_DIST_SERVER|CARGO_(?:NET|HTTP|REGISTRY|REGISTRIES|SOURCE)_\w+|"
    r"NUGET_\w+|NuGetPackageSourceCredentials_\w+|VSS_NUGET_\w+"
)

_OF_THE_SYSTEM = ("/usr/bin", "/bin")

_OF_DOTNET = {
    "DOTNET_CLI_TELEMETRY_OPTOUT": "1",
    "DOTNET_NOLOGO": "1",
    "DOTNET_GENERATE_ASPNET_CERTIFICATE": "false",
    "DOTNET_CLI_WORKLOAD_UPDATE_NOTIFY_DISABLE": "true",
    # Nothing that is built or told depends on the language of the user, nor on ICU being there.
    "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1",
    "DOTNET_CLI_UI_LANGUAGE": "en",
    # Servers of the compiler and of MSBuild would outlive the build.
    "DOTNET_CLI_USE_MSBUILD_SERVER": "0",
    "MSBUILDDISABLENODEREUSE": "1",
    "UseSharedCompilation": "false",
}
"""Settings that keep .NET quiet, also where it is asked for its version alone."""


def environment() -> dict[str, str]:
    """The environment that the commands of a build inherit, and the questions for versions before
    it.
    """
    fetching = {k: v for k, v in os.environ.items() if _FETCHING.fullmatch(k)}
    return {**inherited(os.environ), **fetching, **_OF_DOTNET}


def compiling() -> dict[str, str]:
    """The environment of a command that may run code of packages: nothing in it could open a
    registry.
    """
    kept = {name: value for name, value in inherited(os.environ).items() if name != "TMPDIR"}
    rustup = os.environ.get("RUSTUP_HOME")
    # A compiler looks for its assembler there, wherever the tool itself was found.
    kept["PATH"] = os.pathsep.join([*filter(None, [kept.get("PATH")]), *_OF_THE_SYSTEM])
    return {**kept, **_OF_DOTNET, **({"RUSTUP_HOME": rustup} if rustup else {})}
