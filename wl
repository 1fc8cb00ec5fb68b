#!/usr/bin/env python3
"""Starts wirelab: makes its Python environment where that is missing or out of date.

    ./wl COMMAND …    environment of requirements.txt, then `python -m wirelab COMMAND …`
    ./wl test …       the same with requirements-dev.txt

Environments live in .wirelab/environments/KEY; the key is a hash of what decides their content,
the stamps in them are written last, and .wirelab/venv is a link to the current one. This file
keeps to the standard library, and to what Python 3.7 can read: it has to say that 3.11 is needed.
"""

import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
NEWEST_LOOKED_FOR = 20
LOG_LINES_SHOWN = 15
BASE, DEVELOPMENT = "requirements.txt", "requirements-dev.txt"

# What pip says when it cannot reach its index.
NO_NETWORK = ("Failed to establish a new connection", "Temporary failure in name resolution",
              "Name or service not known", "Network is unreachable", "Connection refused")


def main():
    root = os.path.dirname(os.path.realpath(__file__))
    arguments = sys.argv[1:]
    if sys.version_info < OLDEST:
        start_with_newer_python(arguments)
    environment = Environment(root, may_install(arguments))
    testing = arguments[:1] == ["test"]
    if not environment.ready(testing):
        environment.make(testing)
    # A Python path of the user's would put other packages before the pinned ones.
    os.environ["PYTHONPATH"] = os.path.join(root, "src")
    os.environ.pop("PYTHONHOME", None)
    # -P: a module in the current folder must not be taken for one of ours.
    os.execv(environment.python, [environment.python, "-P", "-m", "wirelab", *arguments])


def start_with_newer_python(arguments):
    """Go on with a newer Python on PATH; say what is needed when there is none."""
    for minor in range(NEWEST_LOOKED_FOR, OLDEST[1] - 1, -1):
        newer = shutil.which(f"python3.{minor}")
        if newer:
            os.execv(newer, [newer, os.path.realpath(__file__), *arguments])
    here = "%d.%d" % sys.version_info[:2]
    fail(f"Python 3.11 or later is needed; {sys.executable} is {here} and PATH has no newer one")


class Environment:
    """The virtual environment that fits the requirements and this Python."""

    def __init__(self, root, allowed=False):
        self.root = root
        self.allowed = allowed
        self.home = os.path.join(root, ".wirelab")
        self.key = self.hash_of(BASE, "python%d.%d" % sys.version_info[:2], os.uname().machine)
        self.folder = os.path.join(self.home, "environments", self.key)
        self.python = os.path.join(self.folder, "bin", "python")
        self.log = self.folder + ".log"

    def hash_of(self, requirements, *more):
        with open(os.path.join(self.root, requirements), "rb") as file:
            content = file.read()
        return hashlib.sha256("\0".join(more).encode() + content).hexdigest()[:12]

    # ------------------------------------------------------------------ is it there?

    def ready(self, testing):
        """Whether it is complete. From here on this process holds it against removal."""
        try:
            hold(os.path.join(self.folder, "in-use"))
        except OSError:
            return False
        complete = self.stamped("complete", self.key) and os.path.exists(self.python)
        return complete and (not testing or self.stamped("development", self.hash_of(DEVELOPMENT)))

    def stamped(self, name, value):
        try:
            with open(os.path.join(self.folder, name)) as file:
                return file.read() == value
        except OSError:
            return False

    def stamp(self, name, value):
        path = os.path.join(self.folder, name)
        with open(path + ".partial", "w") as file:
            file.write(value)
        os.replace(path + ".partial", path)

    # ------------------------------------------------------------------ making it

    def make(self, testing):
        os.makedirs(os.path.dirname(self.folder), exist_ok=True)
        with open(os.path.join(self.home, "environments", "lock"), "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("another wl is installing the Python environment, waiting for it")
                fcntl.flock(lock, fcntl.LOCK_EX)
            if self.ready(testing):
                return
            if not (self.stamped("complete", self.key) and os.path.exists(self.python)):
                self.make_anew(testing)
            elif testing:
                say("installing what the tests need")
                self.install(BASE, DEVELOPMENT)
            if testing:
                self.stamp("development", self.hash_of(DEVELOPMENT))
            self.become_current()

    def make_anew(self, testing):
        provide_venv(self.allowed)
        say("installing the Python environment (once, about a minute)")
        shutil.rmtree(self.folder, ignore_errors=True)
        with open(self.log, "w"):
            pass
        self.run(sys.executable, "-m", "venv", self.folder)
        self.install(BASE, *([DEVELOPMENT] if testing else []))
        with open(os.path.join(self.folder, "in-use"), "w"):
            pass
        self.stamp("complete", self.key)
        hold(os.path.join(self.folder, "in-use"))

    def install(self, *requirements):
        files = [part for name in requirements for part in ("-r", os.path.join(self.root, name))]
        # Wheels only: a source package would fetch what builds it, and no hash pins that.
        self.run(self.python, "-m", "pip", "install", "--require-hashes", "--only-binary", ":all:",
                 "--no-input", "--disable-pip-version-check", "--no-compile", *files)
        # On all processors, and without the packages' own tests: pip does neither. A module that
        # this Python cannot read is one that nobody imports.
        self.run(self.python, "-m", "compileall", "-q", "-j", "0", "-x", "/tests?/",
                 os.path.join(self.folder, "lib"), needed=False)

    def run(self, *command, needed=True):
        clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
        with open(self.log, "ab") as log:
            status = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                     env=dict(clean, PIP_USER="0"))
        if status != 0 and needed:
            with open(self.log, errors="replace") as log:
                said = log.read()
            if any(words in said for words in NO_NETWORK):
                fail("no network: the Python packages could not be fetched, see " + self.log)
            sys.stderr.write("".join(said.splitlines(True)[-LOG_LINES_SHOWN:]))
            fail("the Python environment could not be installed, see " + self.log)

    def become_current(self):
        """Point .wirelab/venv here, and remove environments that nobody uses any more."""
        link = os.path.join(self.home, "venv")
        if os.path.isdir(link) and not os.path.islink(link):
            shutil.rmtree(link)
        partial = f"{link}.{os.getpid()}"
        os.symlink(os.path.join("environments", self.key), partial)
        os.replace(partial, link)
        for entry in os.scandir(os.path.dirname(self.folder)):
            if entry.is_dir() and entry.name != self.key and unused(entry.path):
                shutil.rmtree(entry.path, ignore_errors=True)


def hold(path):
    """Share the lock on ``path`` until this process, and what it becomes, ends."""
    descriptor = os.open(path, os.O_RDONLY)
    os.set_inheritable(descriptor, True)
    fcntl.flock(descriptor, fcntl.LOCK_SH)


def unused(folder):
    """Whether no process holds an environment, which loses its stamp so that none will."""
    try:
        with open(os.path.join(folder, "in-use")) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(os.path.join(folder, "complete"))
    except BlockingIOError:
        return False
    except FileNotFoundError:
        pass
    return True


def may_install(arguments):
    """Whether installing packages of the system was allowed beforehand."""
    every_test = arguments[:1] == ["test"] and "--all" in arguments
    return every_test or "--install" in arguments or os.environ.get("WIRELAB_INSTALL") == "yes"


def provide_venv(allowed):
    """Debian keeps what makes environments in a package of its own."""
    if importlib.util.find_spec("ensurepip") is not None:
        return
    package = "python%d.%d-venv" % sys.version_info[:2]
    install = ["apt-get", "install", "-y", "--no-install-recommends", package]
    if shutil.which("apt-get") is None:
        fail("this Python has no venv (module ensurepip): install it")
    if os.geteuid() != 0:
        fail(f"Python's venv is missing: sudo apt-get update && sudo {' '.join(install)}")
    if not allowed and not agreed(package):
        fail(f"Python's venv is missing: apt-get update && {' '.join(install)}, or say --install")
    say("installing the Debian package " + package)
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT,
             "env": dict(os.environ, DEBIAN_FRONTEND="noninteractive")}
    subprocess.run(["apt-get", "update"], check=False, **quiet)
    installed = subprocess.run(install, check=False, **quiet)
    importlib.invalidate_caches()
    if installed.returncode != 0 or importlib.util.find_spec("ensurepip") is None:
        sys.stderr.write(installed.stdout.decode(errors="replace"))
        fail(f"the Debian package {package} could not be installed")


def agreed(package):
    """Whether a user at a terminal lets it be installed."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    say(f"the Debian package {package} is missing; as root, apt-get installs it on this machine")
    sys.stderr.write("Install it? [y/N]: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def say(text):
    print("wl: " + text, file=sys.stderr, flush=True)


def fail(text):
    say(text)
    sys.exit(1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        fail(f"{error.strerror}: {error.filename}")
