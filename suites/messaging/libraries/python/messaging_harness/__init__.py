"""Drives, records and checks messaging clients in Python; a contender shows its library alone."""

from messaging_harness.clients import play
from messaging_harness.second_address import SecondAddress
from messaging_harness.transport import Inbox, Link, Transport

__all__ = ["Inbox", "Link", "SecondAddress", "Transport", "play"]
