"""Tunings of servers on Node.js."""

from __future__ import annotations

from wirelab.report.api import N_

from .redis import BOARD, GLOBAL
from .tuning_kinds import FOUR, ONE, REDIS, Tuning

WORKERS = (
    Tuning(
        "workers-board",
        N_("Node.js: one worker, one for each processor, and four; a channel for each board"),
        f"{BOARD}-{ONE}",
        (BOARD, f"{BOARD}-{FOUR}"),
        N_(
            "Mechanism: workers are processes with a loop each, joined by Redis. What they win is "
            "processor time of further cores; what they pay is a way through Redis for each "
            "stroke, and one copy of it for each worker that has members on the board."
        ),
        N_(
            "Where it could matter: where one loop is full. A loop that is idle for half of its "
            "time has nothing to hand over."
        ),
        N_(
            "Proof that it was active: the server says that it is ready when so many processes "
            "listen on its port. The processor time of Redis is measured from outside. A worker "
            "for each processor means two at least, so that on two processors there are two."
        ),
        REDIS,
    ),
    Tuning(
        "workers-global",
        N_("Node.js: one worker, one for each processor, and four; one channel for all boards"),
        f"{GLOBAL}-{ONE}",
        (GLOBAL, f"{GLOBAL}-{FOUR}"),
        N_(
            "Mechanism: as before, but every worker gets every stroke and reads whose it is. Redis "
            "sends as many copies as there are workers."
        ),
        N_(
            "Where it could matter: with many workers and small boards, where most copies are of "
            "no use to whom they reach."
        ),
        N_(
            "Proof that it was active: that of the workers above. Processor time of Redis shows "
            "what is copied."
        ),
        REDIS,
    ),
)

MESSAGES = (
    Tuning(
        "native",
        N_("Node.js ws: with bufferutil"),
        "node-ws",
        ("node-ws-bufferutil",),
        N_(
            "Mechanism: a native module takes the mask off what comes in. Servers mask nothing "
            "they send, so that of 51 frames one is concerned. utf-8-validate, which the study "
            "names as well, is used by no `ws` on a Node.js that has `buffer.isUtf8`."
        ),
        N_(
            "Where it could matter: where much comes in and little goes out. A call into a native "
            "module costs more than the mask of a short message."
        ),
        N_(
            "Proof that it was active: the server compares the module that it has loaded with its "
            "replacement in JavaScript, and does not begin with the wrong one of them."
        ),
    ),
    Tuning(
        "copies",
        N_("Node.js ws: a string for each receiver instead of the bytes as they came"),
        "node-ws",
        ("node-ws-strings",),
        N_(
            "Mechanism: what the study calls fewer copies the unchanged server has: the bytes of a "
            "stroke are handed to every receiver as they are. The other makes a string of them, "
            "which `ws` encodes anew for each."
        ),
        N_("Where it could matter: on large boards, with long messages."),
        N_(
            "Proof that it was active: both ways are functions of the same program, of which the "
            "parameter `send_as` names one; a name that it does not know ends it before it serves."
        ),
    ),
)
