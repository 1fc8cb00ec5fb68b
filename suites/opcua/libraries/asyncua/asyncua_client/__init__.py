"""Common parts of contenders with a version of asyncua: reads, writes, watched tags, sessions.

A contender brings a `Dialect`.
"""

from asyncua_client.caller import client_of
from asyncua_client.dialect import Dialect, ServiceCalls
from asyncua_client.watching import Changes

__all__ = ["Changes", "Dialect", "ServiceCalls", "client_of"]
