"""Examples of evidence: of searches for a capacity."""

from __future__ import annotations

from evidence_example import Example

FIGURE = {
    "metric": "echo.response.p99",
    "sign": "≤",
    "limit": 100.0,
    "value": 212.0,
    "unit": "ms",
    "holds": False,
    "stand_in": "",
}
PROBE = {
    "trial": "0003",
    "load": 10,
    "outcome": "failed",
    "reason": "echo.response.p99",
    "detail": "",
    "signs": {},
    "figures": [FIGURE],
    "hint": 0.5,
}
SEARCHED = {
    "ending": "found",
    "verified": 8,
    "failed": 10,
    "limited_by": "contender",
    "probes": 6,
    "decisive": None,
}

EXAMPLES = [
    Example(
        "no-load-held",
        {"searches": [SEARCHED | {"ending": "none", "verified": None, "decisive": PROBE}]},
        ["no load held, 10 did not: 10: echo response time p99 212.0 ms (bound ≤ 100)"],
    ),
    Example(
        "no-load-held",
        {
            "searches": [
                SEARCHED
                | {
                    "ending": "none",
                    "verified": None,
                    "decisive": PROBE | {"reason": "wrong-answer"},
                }
            ]
        },
        ["no load held, 10 did not: 10: wrong answers"],
    ),
    Example(
        "no-load-held",
        {
            "searches": [
                SEARCHED
                | {
                    "ending": "none",
                    "verified": None,
                    "decisive": PROBE | {"reason": "exited", "detail": "it ended"},
                }
            ]
        },
        ["no load held, 10 did not: 10: ended before its time (it ended)"],
    ),
    Example(
        "at-least",
        {
            "searches": [
                SEARCHED
                | {
                    "limited_by": "generator",
                    "decisive": PROBE | {"outcome": "generator", "signs": {"cpu_share": 0.93}},
                }
            ]
        },
        [
            (
                "at least 8: 10: echo response time p99 212.0 ms (bound ≤ 100); generator-limited"
                " (its CPU was 93.0 % of what it can use)"
            )
        ],
    ),
    Example(
        "at-least",
        {"searches": [SEARCHED | {"limited_by": "host", "decisive": PROBE | {"outcome": "host"}}]},
        [("at least 8: 10: echo response time p99 212.0 ms (bound ≤ 100); the host was disturbed")],
    ),
    Example(
        "at-least",
        {"searches": [SEARCHED | {"ending": "highest", "failed": None, "limited_by": ""}]},
        ["at least 8: the highest load asked for held"],
    ),
    Example(
        "search-unfinished",
        {"searches": [SEARCHED | {"ending": "probes", "decisive": PROBE}]},
        [
            (
                "8 held, 10 did not: no more probes were allowed, so the bracket is wider than "
                "asked; 10: echo response time p99 212.0 ms (bound ≤ 100)"
            )
        ],
    ),
    Example(
        "search-unfinished",
        {"searches": [SEARCHED | {"ending": "unfinished", "failed": None, "limited_by": ""}]},
        ["at least 8: the search was interrupted"],
    ),
]
