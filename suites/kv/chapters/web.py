"""Environments B and C: the same clients behind ASGI, and behind a model."""

from __future__ import annotations

from wirelab.report.api import Block, CellTable, Context, Section, paragraph

from .web_tables import RAMP, by_whom, tables


def sections(context: Context) -> list[Section]:
    """The sections whose scenarios were run."""
    _ = context.words.gettext
    told = [
        Section(
            _("Behind ASGI: the study's environment B"),
            "asgi",
            _told(
                context,
                ("asgi",),
                _(
                    "FastAPI and uvicorn, nine multi-gets at once for each request, features, no "
                    "model. Times are the generator's; below them stand the application's own, "
                    "which is what the study calls total."
                ),
            ),
        ),
        Section(
            _("Behind ASGI: how many requests at once"),
            "asgi-in-flight",
            _told(
                context,
                ("asgi-in-flight",),
                _(
                    "Back-pressure is a limit of requests in flight. Where one more brings no more "
                    "requests a second it only waits: the limit belongs before that."
                ),
            ),
        ),
        Section(
            _("Overloaded behind ASGI: what a limit of 1 s a call does"),
            "asgi-limited",
            _told(
                context,
                ("asgi-limited",),
                _(
                    "Each node takes 200 ms a multi-get, and a call may last 1 s, the default of "
                    "Aerospike's clients. A client on asyncio hands all calls to its library at "
                    "once, and their time runs while they wait there; after many have run out, it "
                    "refuses more for a while. Calls behind an executor wait in its queue, where "
                    "no limit counts: no errors, but waits of seconds. Who has errors has answered "
                    "other requests, so its times cannot be compared; the study says so of its "
                    "own second run, with 56 errors in 200 requests."
                ),
            ),
        ),
        Section(
            _("Serving a model: the study's environment C"),
            "serving",
            _told(
                context,
                ("serving", "serving-merge"),
                _(
                    "Ten users without pauses: keys, nine sets with 200 keys each, features, the "
                    "model's scores for 200 candidates, the response. Each contender has a process "
                    "of its own; the study's shared one."
                ),
            ),
        ),
        Section(
            _("Serving a model, spans not measured"),
            "serving-untimed",
            _told(
                context,
                ("serving-untimed",),
                _(
                    "The study's figures of the generator are of runs with “stage OFF”: they stand "
                    "here, and these decide its statements on environment C where this was run. "
                    "The application looks at no clock between its spans and tells nothing; "
                    "beside the scenario before it, that is what measuring costs."
                ),
            ),
        ),
        Section(
            _("Serving behind a gateway"),
            "serving-gateway",
            _told(
                context,
                ("serving-gateway",),
                _(
                    "The one process of the scenario serving behind nginx: what it adds is the "
                    "difference of the times outside of the application, in the chapter on where "
                    "the time goes. The study explains 13 ms by its gateway; its own p95s, 189 ms "
                    "at the client and 202 ms in the server, differ by 13 ms the other way round. "
                    "Both stand below; they are of two pods behind its gateway, which is not "
                    "described, in runs with “stage OFF”."
                ),
            ),
        ),
        Section(
            _("Serving by two replicas behind a gateway"),
            "serving-replicas",
            _told(
                context,
                ("serving-replicas",),
                _(
                    "Two replicas of two processes each, to which nginx gives requests in turn, as "
                    "the study's two pods. Each replica is a role of its own, with processors of "
                    "its own where the machine has enough. What becomes of them with less of the "
                    "machine is told in a chapter of its own. Processor time and memory are those "
                    "of one replica. The published figures are of runs with “stage OFF”, in which "
                    "the application looked at no clock; here it does."
                ),
            ),
        ),
        Section(
            _("The ramp: up to 20, up to 50, and down again"),
            "serving-ramp",
            _told(
                context,
                (RAMP,),
                _(
                    "The study's line of users: 20 s up to 20, 20 s up to 50, 20 s down to none. "
                    "Users come and go one by one, and ask again when their last answer has come; "
                    "each half of a leg has figures of its own. More users than one process can "
                    "answer at once queue before it: then the latency grows with the users. What "
                    "the way down has more than the same users on the way up is what the peak left "
                    "behind. The study has one figure of all of it, which stands beside all "
                    "steps together, the first table."
                ),
            ),
        ),
        Section(
            _("Serving at a given rate"),
            "serving-paced",
            _told(
                context,
                ("serving-paced",),
                _(
                    "Twenty requests a second, due at given times whatever the answers do; times "
                    "include the waiting of requests that came late because others were slow."
                ),
            ),
        ),
    ]
    return [section for section in told if section.blocks]


def _told(context: Context, names: tuple[str, ...], said: str) -> tuple[Block, ...]:
    """Introduction and tables of these scenarios; empty where none of them was run."""
    if not (grid := CellTable.of(context, *names)):
        return ()
    by = (by_whom(grid),) if names[0] == "serving" else ()
    return (paragraph(said), *by, *tables(grid, names[0]))
