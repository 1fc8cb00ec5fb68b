"""Examples of evidence: of what was timed, of the host and of resources."""

from __future__ import annotations

from evidence_example import Example

EXAMPLES = [
    Example(
        "clock",
        {"0001-a": {"early": 4, "ready_off_by_ns": -12}},
        ["0001-a: starts before it was due 4, the worker's clock at ready is off by (ns) -12"],
    ),
    Example(
        "clock",
        {"0001-a": {"rounded": 570}},
        ["0001-a: is a round number: a multiple of 10 µs 570"],
    ),
    Example(
        "clock",
        {"0001-a": {"in_no_time": 570, "in_steps": 569}},
        ["0001-a: ends when it starts 570, is of a clock that moves in steps of 1 ms or more 569"],
    ),
    Example(
        "left-out",
        {"trials": {"0001-a": {"read": {"left_out": 12, "due": 1570}}}},
        ["0001-a: 12 of 1,570 read operations have no record"],
    ),
    Example(
        "made-when-asked",
        {"operations": {"read": {"answer_ms": 21.5, "operation_ms": 6.0}}},
        ["read: an answer takes 21.5\xa0ms, the operation 6.00\xa0ms"],
    ),
    Example(
        "rate-missed",
        {"trials": {"0001-a": {"read": {"sent": 550, "scheduled": 570}}}, "worst": 0.035},
        ["0001-a: read 550 of 570 scheduled"],
    ),
    Example(
        "late-start",
        {
            "metrics": {
                "read.latency.p50": {"service_ms": 2.8, "response_ms": 3.1},
                "read.latency.p99": {"service_ms": 4.0, "response_ms": 120.0},
            },
            "lateness": {"read": {"max_ms": 120.0, "stalls": 1, "worst_trial": "0001-a"}},
        },
        [
            (
                "read: p50 2.8 ms from the start and 3.1 ms from its time; p99 4.0 ms from the "
                "start and 120 ms from its time; latest start 120 ms after its time; 1 stall over "
                "100 ms"
            )
        ],
    ),
    Example(
        "unstable",
        {
            "operation": "read",
            "cv": 0.21,
            "bound": 0.15,
            "means_ms": {"0001-a": 2.0, "0002-a": 2.7},
            "reruns": 3,
        },
        [
            (
                "cv of the trials' mean read latency 21.0 %, allowed below 15 %; means 2.00, 2.70"
                " ms; reruns 3"
            )
        ],
    ),
    Example(
        "order-bias",
        {"tau": 0.8, "p": 0.004, "trials": 9, "first": 0.91, "last": 1.12},
        [
            (
                "means of 9 trials against their place in the run: Kendall's tau 0.80, p = 0.004;"
                " the first is 91.0 % of its cell's mean, the last 112 %"
            )
        ],
    ),
    Example(
        "not-steady",
        {
            "operation": "read",
            "trials": {
                "0001-a": {
                    "seconds": 57,
                    "steady_seconds": 20,
                    "median_ms": 3.9,
                    "levels_ms": [4.0, 2.0],
                }
            },
        },
        [
            (
                "0001-a: the last level of read held for 20 of 57 s; levels 4.0 → 2.0 ms, median "
                "3.9 ms"
            )
        ],
    ),
    Example(
        "too-few-samples",
        {"metrics": {"write.latency.p95": {"has": 113.6, "needs": 130}}},
        ["write latency p95: 113 effective samples of 130 needed"],
    ),
    Example(
        "steal",
        {"steal": {"0001-a": 0.07}, "worst": 0.07},
        ["up to 7.0 % of the processor time (trials: 1)"],
    ),
    Example(
        "steal",
        {"steal": {"0001-a": 0.02}, "worst": 0.02, "fairness": "too-little"},
        [
            "up to 2.0 % of the processor time (trials: 1)",
            (
                "nothing is left out and tails are withheld: too little to tell whether it comes "
                "to all contenders alike"
            ),
        ],
    ),
    Example(
        "host-disturbed",
        {
            "share": 0.31,
            "trials": {"0001-a": 0.3, "0002-a": 0.32},
            "figures": {
                "read.latency.p50": {"quiet": 2.0, "everything": 2.4, "at_least": False},
                "read.latency.p95": {"quiet": 40.0, "everything": 95.0, "at_least": True},
                "read.rate": {
                    "quiet": 1234.0,
                    "everything": 987.0,
                    "at_least": False,
                    "unit": "tag/s",
                },
            },
        },
        [
            "31 % of the measured time is left out (trials: 2)",
            "read latency p50: 2.0\xa0ms in quiet time, 2.4\xa0ms with what was disturbed",
            "read latency p95: ≥\xa040\xa0ms in quiet time, 95\xa0ms with what was disturbed",
            "read throughput: 1,230\xa0tag/s in quiet time, 987\xa0tag/s with what was disturbed",
        ],
    ),
    Example(
        "host-disturbed",
        {
            "share": 0.02,
            "trials": {"0001-a": 0.02},
            "figures": {},
            "attracted": True,
            "recovery": {"median_ms": 100.0, "longest_ms": 1340.0},
            "misses": {"read": {"missed": 1200, "beside": 1100}},
        },
        [
            "2.0 % of the measured time is left out (trials: 1)",
            (
                "other programs ran oftener than by chance while slow operations of this contender "
                "were under way: what is left out may be of its own making"
            ),
            "quiet again 100\xa0ms after others had run (median), 1.34\xa0s at the most",
            "read: 1,100 of 1,200 deadline misses fall into time that others disturbed",
        ],
    ),
    Example(
        "disturbed-seconds",
        {"shares": {"delivery": 0.62}, "metrics": ["delivery.latency.p50"]},
        ["delivery: 62 % of the seconds are left out"],
    ),
    Example(
        "lost-trials",
        {
            "lost": {"0001-a": 0.61, "0005-a": 0.83},
            "made_up_for": 1,
            "of_contender": 6,
            "trials": 40,
            "chance": 0.004,
        },
        [
            "lost trials: 2, disturbed for up to 83 % of their time; replaced by others and in no "
            "figure: 1",
            "in the whole run 6 of 40 trials of this contender were lost; chance alone would take "
            "at least as many with a probability of 0.40 %",
        ],
    ),
    Example(
        "noisy-neighbour",
        {"trials": {"0001-a": {"foreign_cores": 0.12}, "0002-a": {"canary_change": -0.08}}},
        [
            "other programs used up to 12 % of a core (trials: 1)",
            "a fixed loop took up to 8.0 % longer or shorter (trials: 1)",
        ],
    ),
    Example(
        "resource-sanity",
        {"trials": {"0001-a": {"rss_max_mb": 37.98, "heap_max_mb": 35790, "server.socket": "x"}}},
        [
            (
                "0001-a: RSS 38.0 MB is below the heap of 35,800 MB, the socket of the server "
                "belongs to another process"
            )
        ],
    ),
    Example(
        "not-pinned",
        {"refused": {"0001-a": {"client": "not permitted"}, "0002-a": {"client": "not permitted"}}},
        ["client: not permitted (trials: 2)"],
    ),
    Example(
        "free-syncs",
        {"file_systems": {"0001-a": "tmpfs", "0002-a": "tmpfs"}},
        ["tmpfs (trials: 2)"],
    ),
    Example(
        "harness-cost",
        {"cores": {"0001-a": 0.02}, "worst": 0.02},
        ["up to 2.0 % of a core (trials: 1)"],
    ),
    Example(
        "stood-still",
        {
            "trials": {
                "0001-a": {"pauses": 2, "longest_ms": 212.0, "total_ms": 330.0, "seconds": 55.0}
            }
        },
        ["0001-a: pauses 2, longest 210\u00a0ms, 330\u00a0ms of 55.0 s in all"],
    ),
    Example(
        "generator-saturated",
        {"trials": {"0001-a": {"cpu_share": 0.97, "delay_share": 0.021, "lag_p99_ms": 83.0}}},
        [
            (
                "0001-a: its CPU was 97.0 % of what it can use, it waited for a processor 2.10 % "
                "of the time, p99 of its send lag was 83\u00a0ms"
            )
        ],
    ),
    Example(
        "generator-saturated",
        {"trials": {"0001-a": {"held_up": 0.034}}},
        ["0001-a: by the wire, its waits for a processor made 3.40 % of the requests' time"],
    ),
    Example(
        "unwatched",
        {
            "trials": {
                "0001-a": {"seconds": 2.0, "failure": "the monitor ended with signal 9"},
                "0002-a": {"seconds": 0.75},
            }
        },
        [
            "0001-a: nothing was seen for 2.0 s (the monitor ended with signal 9)",
            "0002-a: nothing was seen for 0.75 s",
        ],
    ),
    Example(
        "generator-ceiling",
        {"metric": "delivery.rate", "value": 98_000.0, "ceiling": 171_000.0, "share": 0.573},
        ["delivery throughput 98,000 is 57 % of the set-up's ceiling of 171,000"],
    ),
    Example("heap-kind", {"kinds": ["used"]}, ["used"]),
    Example("heap-kind", {"kinds": ["malloc in use", "mine"]}, ["malloc in use, mine"]),
    Example(
        "own-scheduling",
        {
            "trials": {
                "0001-a": {
                    "client": {
                        "raised": {"threads": 1, "share": 1.0},
                        "elsewhere": {"threads": 12, "share": 0.25},
                        "lowered": {"threads": 2, "share": 0.5},
                        "narrowed": {"threads": 3, "share": 0.13},
                    }
                }
            }
        },
        [
            "0001-a: client: higher priority (threads: 1, 100 % of the readings)",
            "0001-a: client: other processors (threads: 12, 25 % of the readings)",
            "0001-a: client: lower priority (threads: 2, 50 % of the readings)",
            "0001-a: client: fewer processors (threads: 3, 13 % of the readings)",
        ],
    ),
    Example(
        "between-ticks",
        {"trial": "0001-a", "least": {"cores": 0.43, "under_way": 0.062}, "cpus": 1},
        [
            (
                "0001-a: 43 % of a processor used, an operation was under way 6.2 % of the time "
                "(processors: 1)"
            )
        ],
    ),
    Example(
        "another-version",
        {"built": {"redis": "8.1.0"}, "said": "9.0.0", "declared": "7.4"},
        ["built: redis 8.1.0", "the worker says 9.0.0", "the manifest says 7.4"],
    ),
    Example("clock", {"sources": ["acpi_pm"]}, ["coarse clock source: acpi_pm"]),
    Example("clock", {"0001-a": {"ready": "not recorded"}}, ["0001-a: time of ready not recorded"]),
    Example(
        "clock",
        {
            "0001-a": {
                "backwards": 1,
                "outside": 2,
                "off_schedule": 3,
                "unknown_operations": 4,
                "past_step": 5,
                "before_start": 6,
                "overlapping": 7,
            }
        },
        [
            (
                "0001-a: ends before it starts 1, lies outside its trial 2, intended at no tick "
                "3, operation the scenario does not have 4, ends after its step 5, starts before "
                "the worker was told to begin 6, starts before the one before it in its lane has "
                "ended 7"
            )
        ],
    ),
    Example(
        "late-start",
        {
            "metrics": {
                "echo.latency.p99": {"service_ms": 24.0, "response_ms": 36.0},
                "echo.response.p99": {"service_ms": 24.0, "response_ms": 36.0},
            },
            "lateness": {"echo": {"max_ms": 90.0, "stalls": 0, "worst_trial": "0001-a"}},
        },
        [
            (
                "echo: p99 24 ms from the start and 36 ms from its time; latest start 90 ms after "
                "its time"
            )
        ],
    ),
    Example(
        "steal", {"not_recorded": ["0001-a", "0002-a"]}, ["steal time was not recorded (trials: 2)"]
    ),
    Example(
        "noisy-neighbour",
        {"trials": {"0001-a": {"pressure": 0.31}}},
        ["tasks waited for a processor up to 31 % of the time (trials: 1)"],
    ),
    Example(
        "resource-sanity",
        {
            "trials": {
                "0001-a": {"probe": "no process seen"},
                "0002-a": {"cpu_cores": 2.5, "cpus": 2},
            }
        },
        ["0001-a: the monitor saw no process", "0002-a: CPU of 2.5 cores on 2 processors"],
    ),
    Example(
        "generator-ceiling",
        {"metric": "delivery.rate", "value": 98_000.0, "ceiling": None},
        ["the ceiling was not measured in this run"],
    ),
    Example(
        "too-few-samples",
        {"metrics": {"read.latency.p99": {"has": None, "needs": None}}},
        ["read latency p99: – effective samples of – needed"],
    ),
]
