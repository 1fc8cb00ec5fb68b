"""Examples of evidence: of what contenders answered, and of their loops."""

from __future__ import annotations

from evidence_example import Example

EXAMPLES = [
    Example(
        "trial-failed",
        {
            "failed": {"0001-a": {"reason": "never-ready", "detail": "client, 30 s"}},
            "missing": ["0002-a"],
            "included": 1,
        },
        [
            "0001-a: was not ready in time (client, 30 s)",
            "not run or interrupted: 0002-a",
            "trials left to count: 1",
        ],
    ),
    Example(
        "wrong-answer",
        {"findings": ["tag 7: 1 instead of 2"], "count": 1, "own_checks": 0, "verified": 40},
        ["1 wrong of 40 answers checked in full", "tag 7: 1 instead of 2"],
    ),
    Example(
        "unverified",
        {"reason": {"en": "Nobody knows your values.", "ko": "값을 아는 사람이 없습니다."}},
        ["Nobody knows your values."],
    ),
    Example(
        "loss-or-error",
        {
            "operations": {"read": {"failed": 3, "sent": 1140, "statuses": {"timeout": 3}}},
            "ratio": 3 / 1140,
            "bound": 0.0,
        },
        ["read: 3 of 1,140 failed (0.26 %): timeout 3", "allowed: 0 %"],
    ),
    Example(
        "duplicated",
        {"operations": {"delivery": {"count": 12, "received": 49000}}},
        ["delivery: 12 of 49,000 received"],
    ),
    Example(
        "less-traffic",
        {"trials": {"0001-a": {"payload": 24_000_000, "received": 300_000}}},
        ["0001-a: payload 24.0\u00a0MB, received on the loopback 0.3\u00a0MB"],
    ),
    Example(
        "not-on-the-wire",
        {
            "trials": {
                "0001-a": [
                    {
                        "operation": "read",
                        "of": 570,
                        "absent": 560,
                        "unanswered": 1,
                        "examples": [
                            {"start_ns": 1_000_000_000, "end_ns": 1_000_400_000},
                            {
                                "start_ns": 2_000_000_000,
                                "end_ns": 2_000_400_000,
                                "request": 77,
                                "after_ms": 0.25,
                            },
                        ],
                    }
                ]
            },
            "by_generator": True,
        },
        [
            "0001-a: of 570 read operations 560 had no request on the wire, 1 no full answer",
            "1.000000 to 1.000400 s (CLOCK_MONOTONIC): no request",
            "2.000000 to 2.000400 s (CLOCK_MONOTONIC): request 77 departed after 0.250 ms, and its "
            "answer was not there by the end",
        ],
    ),
    Example(
        "sent-before-start",
        {
            "trials": {
                "0001-a": [
                    {
                        "operation": "read",
                        "of": 570,
                        "early": 569,
                        "examples": [{"request": 77, "start_ns": 2_000_000_000, "before_ms": 12.5}],
                    }
                ]
            }
        },
        [
            "0001-a: the requests of 569 of 570 read operations departed before their start",
            "start at 2.000000 s (CLOCK_MONOTONIC): request 77 departed 12.500 ms before",
        ],
    ),
    Example(
        "sent-before-start",
        {
            "trials": {"0001-a": [{"operation": "request", "of": 9, "early": 2, "examples": []}]},
            "by_generator": True,
        },
        ["0001-a: the requests of 2 of 9 request operations departed before their start"],
    ),
    Example(
        "not-served",
        {
            "trials": {
                "0001-a": {
                    "read": {"claimed": 31_402, "served": 2_117, "at_most": None, "surely": 1_900},
                    "write": {"claimed": 60, "served": 30, "written": True},
                }
            }
        },
        [
            "0001-a: read operations asked for 31,402 items, 2,117 were served",
            "0001-a: write operations had to write 60 items (or bytes), 30 were written",
        ],
    ),
    Example(
        "asked-too-often",
        {
            "trials": {
                "0001-a": {
                    "poll": {
                        **{"claimed": 500, "served": 9_500, "written": False},
                        **{"at_most": 2_000, "surely": 9_000},
                    }
                }
            }
        },
        ["0001-a: poll operations may be served 2,000 times (or items), and were 9,000"],
    ),
    Example(
        "more-connections",
        {"trials": {"0001-a": {"read": {"used": 16, "at_most": 1}}}},
        ["0001-a: requests of read operations used 16 connections at the same time, 1 are allowed"],
    ),
    Example(
        "shared-connection",
        {"trials": {"0001-a": {"read": {"carried": 1_440, "of_one": 36}}}},
        ["0001-a: one connection carried 1,440 read operations, and no user had more than 36"],
    ),
    Example(
        "answered-while-down",
        {"trials": {"0001-a": {"read": 38}}},
        ["0001-a: 38 read operations succeeded while nobody was there to answer them"],
    ),
    Example(
        "unwitnessed",
        {
            "trials": {
                "0001-a": {"failure": "cargo is not installed"},
                "0002-a": {"unseen": 12, "dropped": 340, "encrypted": False, "failure": ""},
                "0003-a": {"unseen": 570, "dropped": 0, "encrypted": True, "failure": ""},
                "0004-a": {"unseen": 1_570, "unfollowed": 1_570},
                "0005-a": {"unseen": 160, "drowned": 150},
            }
        },
        [
            "0001-a: cargo is not installed",
            "0002-a: 12 operations; the kernel dropped 340 packets",
            "0003-a: 570 operations, whose messages are encrypted or compressed",
            "0004-a: 1,570 operations beside a connection that speaks another protocol",
            "0005-a: 160 operations beside several times the traffic that they need",
        ],
    ),
    Example(
        "fast-not-found",
        {
            "operations": {
                "read": {"compared": 5_000, "unlike": 4_100, "recorded": 0, "expected": 168_000}
            }
        },
        ["read: 4,100 of 5,000 sizes differ, 0 in all instead of 168,000"],
    ),
    Example(
        "reordered",
        {"operations": {"delivery": {"count": 3, "received": 49000}}},
        ["delivery: 3 of 49,000 received"],
    ),
    Example(
        "held-back",
        {"operations": {"delivery": {"count": 6100, "received": 49000}}},
        ["delivery: 6,100 of 49,000 received"],
    ),
    Example(
        "loop-failed",
        {"operations": {"decode": "ValueError: too deep"}},
        ["decode threw ValueError: too deep"],
    ),
    Example(
        "below-floor",
        {"operations": {"encode": {"ns": 3.14, "floor_ns": 8.25}}},
        ["encode: 3.14\u00a0ns an iteration, and the floor alone takes 8.25\u00a0ns"],
    ),
    Example(
        "between-batches",
        {"operations": {"decode": {"between_ns": 7.5e6, "batch_ns": 2e7}}},
        ["decode: 7.50\u00a0ms between batches of 20.0\u00a0ms"],
    ),
    Example(
        "between-operations",
        {
            "trial": "0001-a",
            "least": {"between_ms": 0.75, "operation_ms": 3.25},
            "in_rounds": True,
        },
        [
            "0001-a: 0.750\u00a0ms from the end of a round to the next one; an operation takes "
            "3.25\u00a0ms"
        ],
    ),
    Example(
        "between-operations",
        {"trial": "0001-a", "least": {"between_ms": 2.5, "operation_ms": 10.0}},
        ["0001-a: 2.50\u00a0ms from one operation to the next; an operation takes 10.0\u00a0ms"],
    ),
    Example(
        "never-settled",
        {"operations": {"decode": {"trials": 2, "of": 5}}},
        ["decode: in 2 of 5 processes"],
    ),
    Example(
        "still-compiling",
        {"operations": {"decode": {"compiling": 3, "batches": 25}}},
        ["decode: during 3 of 25 batches"],
    ),
    Example(
        "batch-outliers",
        {"operations": {"round_trip": {"outliers": 7, "batches": 25}}},
        ["round_trip: 7 of 25 batches (28 %)"],
    ),
    Example(
        "not-repeating",
        {"operations": {"decode": {"values": [50.0, 50.25], "share": 0.005}}, "bound": 0.001},
        ["decode: 50.0, 50.2 instructions an iteration, 0.50 % apart"],
    ),
    Example(
        "trial-failed",
        {"failed": {"0001-a": {"reason": "exited", "detail": ""}}, "missing": [], "included": 0},
        ["0001-a: ended before its time", "trials left to count: 0"],
    ),
    Example(
        "wrong-answer",
        {"findings": [], "count": 0, "own_checks": 3, "verified": 0},
        ["0 wrong of 0 answers checked in full", "3 answers the worker itself found wrong"],
    ),
    Example(
        "loss-or-error",
        {
            "operations": {
                "delivery": {
                    "failed": 5,
                    "sent": 1000,
                    "statuses": {"lost": 4, "timeout": 1},
                    "lost": 4,
                    "expected": 1000,
                }
            },
            "ratio": 0.005,
            "bound": 0.01,
        },
        [
            "delivery: 5 of 1,000 failed (0.50 %): lost 4, timeout 1",
            "delivery: 4 of 1,000 never came (0.40 %)",
            "allowed: 1.0 %",
        ],
    ),
    Example(
        "loss-or-error",
        {
            "operations": {
                "read": {"failed": 3, "sent": 100, "statuses": {"timeout": 3}, "unattributed": 3}
            },
            "ratio": 0.0,
            "bound": 0.01,
        },
        [
            "read: 3 of 100 failed (3.0 %): timeout 3",
            "read: other programs disturbed 3 of these",
            "allowed: 1.0 %",
        ],
    ),
    Example(
        "loss-or-error",
        {
            "operations": {
                "delivery": {
                    "failed": 4,
                    "sent": 1000,
                    "statuses": {"lost": 4},
                    "lost": 4,
                    "expected": 1000,
                }
            },
            "ratio": 0.004,
            "bound": 0.01,
        },
        ["delivery: 4 of 1,000 never came (0.40 %)", "allowed: 1.0 %"],
    ),
    Example(
        "never-synced",
        {"operations": {"echo": {"calls": 0.125, "lanes": 4}}},
        ["echo: 0.125 sync calls to each, of which 4 share one"],
    ),
]
