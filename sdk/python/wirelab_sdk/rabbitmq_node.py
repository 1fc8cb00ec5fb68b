"""The environment of a RabbitMQ node that keeps to one folder and knows one name service."""

from __future__ import annotations

from pathlib import Path


def of_names(host: str, port: int) -> dict[str, str]:
    """For ``epmd`` at a port of its own, and for whoever asks it."""
    return {
        "ERL_EPMD_PORT": str(port),
        "ERL_EPMD_ADDRESS": host,
        # Neither the node nor what it starts for a look tries to leave a daemon behind.
        "ERL_AFLAGS": "-start_epmd false",
    }


def of_node(name: str, port: int, folder: Path) -> dict[str, str]:
    """For the node, beside that of its names; other nodes would reach it at ``port``.

    ``folder`` has its ``rabbitmq.conf`` and ``enabled_plugins``.
    """
    return {
        "RABBITMQ_NODENAME": f"{name}@localhost",
        "RABBITMQ_DIST_PORT": str(port),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
        "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
        "RABBITMQ_CONF_ENV_FILE": "/dev/null",
        "RABBITMQ_ADVANCED_CONFIG_FILE": str(folder / "advanced.config"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "enabled_plugins"),
        "RABBITMQ_MNESIA_BASE": str(folder / "data"),
        "RABBITMQ_LOG_BASE": str(folder / "logs"),
        "RABBITMQ_PID_FILE": str(folder / "rabbitmq.pid"),
        # Where Erlang keeps the secret of its nodes.
        "HOME": str(folder),
        # The start script then becomes the node, rather than waiting for it: one process to
        # ask, and to end. Input there is none, so no shell reads any.
        "RABBITMQ_ALLOW_INPUT": "1",
        "RABBITMQ_SERVER_START_ARGS": "-noinput +B i",
    }
