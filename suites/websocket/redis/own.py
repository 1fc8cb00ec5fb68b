"""The stand-in ``own-redis``: a Redis of the user's own; boards are channels of our name."""

from __future__ import annotations

from wirelab_sdk.own_redis import OwnPubSub
from wirelab_sdk.own_server import play

if __name__ == "__main__":
    play(lambda _spec, target: OwnPubSub(target))
