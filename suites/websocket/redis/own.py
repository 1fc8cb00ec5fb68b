"""The stand-in ``own-redis``: a Redis of the user's own; boards are channels of our name."""

from __future__ import annotations

from wirelab_sdk import Spec
from wirelab_sdk.own_redis import OwnRedis
from wirelab_sdk.own_server import OwnTarget, play


class OwnPubSub(OwnRedis):
    """A server publishes every stroke to it; it keeps nothing."""

    commands = ("publish",)


def make(_spec: Spec, target: OwnTarget) -> OwnPubSub:
    """The server at the target."""
    return OwnPubSub(target)


if __name__ == "__main__":
    play(make)
