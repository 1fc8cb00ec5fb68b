"""A server that answers in a process of a session of its own, where no signal of a group comes."""

from __future__ import annotations

import os
import signal

from reference import GENERATION_NS, Connection, Reference, Server, read_spec


class Aside(Reference):
    """The worker speaks with the core; another process answers."""

    def serve(self) -> None:
        host, _, port = self.spec["listen"].partition(":")
        with Server((host, int(port)), Connection) as server:
            server.worker = self
            answering = os.fork()
            if answering == 0:
                os.setsid()
                server.serve_forever()
            self.say_ready(
                endpoint=f"tcp://{host}:{server.server_address[1]}",
                facts={"epoch_ns": server.epoch_ns, "generation_ns": GENERATION_NS},
            )
            while (command := self.command(None)) is None or command["command"] != "stop":
                pass
            os.kill(answering, signal.SIGKILL)
            os.waitpid(answering, 0)


if __name__ == "__main__":
    Aside(read_spec()).run()
