/* The contender open62541: a client that reads and writes at ticks, a worker of wirelab. */
#include "wirelab.h"

#include "answers.h"
#include "calls.h"
#include "connection.h"
#include "failures.h"
#include "lanes.h"
#include "watching.h"

#include <gnu/libc-version.h>
#include <open62541/config.h>

/* First sequences of writes (README.md of the suite): those of ticks, and of the preflight. */
enum { FIRST_SEQUENCE = 1000000, FIRST_PREFLIGHT_SEQUENCE = 900000 };

/* Time for which the event loop is waited in at a time before standard input is looked at, in
 * ms. */
enum { PATIENCE_MS = 100 };

/* Nobody asks for an answer in the last tenth of a period. */
enum { LET_GO_SHARE = 10 };

typedef struct {
    wl_worker worker;
    connection connection;
    call calls[KINDS];
    wl_operation connect; /* code 0: connecting is not an operation of its own */
    wl_operation further; /* code 0: no further sessions are opened */
    connection opened;    /* for those: one after the other */
    watch watch;          /* where nothing is called at ticks */
    lanes lanes;          /* where the schedule has steps */
} session;

/* ---- A tick ------------------------------------------------------------------------------- */

static void give_up(call *one, uint8_t status, const char *why)
{
    call_end(one, status, UA_STATUSCODE_GOOD);
    one->given_up = why;
}

/* Runs the client until no call is pending: each is given up at the limit of an operation, or
 * some time after the core said stop. */
static void await_answers(session *s)
{
    int64_t stop_at = INT64_MAX;
    for (;;) {
        int64_t now = wl_now(), until = INT64_MAX;
        for (kind k = READ; k < KINDS; k++) {
            call *one = &s->calls[k];
            int64_t limit = one->start_ns + s->worker.operation_ns;
            if (one->pending && now >= limit)
                give_up(one, WL_TIMEOUT, "no answer within limits.operation_ns");
            if (one->pending && now >= stop_at)
                give_up(one, WL_ERROR, "no answer when told to stop");
            if (one->pending && limit < until)
                until = limit;
        }
        if (until == INT64_MAX)
            return;
        int64_t patience = (until - now) / 1000000 + 1;
        UA_Client_run_iterate(s->connection.client,
                              patience < PATIENCE_MS ? (UA_UInt32)patience : PATIENCE_MS);
        bool waiting = s->calls[READ].pending || s->calls[WRITE].pending;
        if (waiting && stop_at == INT64_MAX && wl_stopping(&s->worker))
            stop_at = wl_now() + s->worker.stop_ns / 4;
    }
}

static void record(session *s, uint8_t op, uint8_t status, int64_t intended, int64_t start,
                   int64_t end)
{
    wl_sample sample = {intended, start, end, 0, op, status, 0};
    wl_record(&s->worker.samples, &sample);
}

/* Connects as the operation of that name. */
static bool connect_timed(session *s, int64_t intended)
{
    int64_t start = wl_now();
    UA_StatusCode code = connection_connect(&s->connection);
    record(s, s->connect.code, status_of_connect(code), intended, start, wl_now());
    if (code != UA_STATUSCODE_GOOD)
        failure_say(&s->worker, s->connect.name, intended, "call", code, "UA_Client_connect");
    return code == UA_STATUSCODE_GOOD;
}

/* Opens one more session, with a channel of its own, and closes it once that was timed. */
static void open_timed(session *s, int64_t intended)
{
    int64_t start = wl_now();
    UA_StatusCode code = connection_connect(&s->opened);
    record(s, s->further.code, status_of_connect(code), intended, start, wl_now());
    if (code != UA_STATUSCODE_GOOD)
        failure_say(&s->worker, s->further.name, intended, "call", code, "UA_Client_connect");
    connection_disconnect(&s->opened);
}

/* Issues the calls due together and waits for both. Where there is no session, the library's
 * documentation says to call UA_Client_connect again: to the caller that is part of the calls. */
static void perform(session *s, const bool due[KINDS])
{
    int64_t since = 0;
    UA_StatusCode code = UA_STATUSCODE_GOOD;
    if (!connection_is_up(&s->connection)) {
        since = wl_now();
        code = connection_connect(&s->connection);
    }
    for (kind k = READ; k < KINDS; k++) {
        call *one = &s->calls[k];
        if (due[k] && code == UA_STATUSCODE_GOOD) {
            call_send(one, &s->connection, since);
        } else if (due[k]) {
            one->start_ns = since;
            one->said_by = "UA_Client_connect";
            one->given_up = NULL;
            call_end(one, status_of_connect(code), code);
        }
    }
    await_answers(s);
}

/* ---- What is asked for afterwards ---------------------------------------------------------- */

static void put_kept(wl_text *text, const wl_result *result)
{
    answer_put(text, result->context, FIRST_SEQUENCE + result->tick);
}

/* Keeps what a call brought for who asks for it, until let_go. */
static void keep(session *s, const call *one, int64_t number)
{
    wl_result result = {.tick = number, .start_ns = one->start_ns, .end_ns = one->end_ns,
                        .context = call_items(one) > 0 ? one : NULL};
    memcpy(result.operation, one->operation.name, sizeof result.operation);
    wl_asked_keep(&s->worker.asked, &result);
}

/* Frees what is kept shortly before the tick, when nobody asks for it any more. */
static bool let_go(session *s, int64_t number)
{
    wl_worker *w = &s->worker;
    bool on = wl_sleep_until(w, wl_intended(w, number) - w->period_ns / LET_GO_SHARE);
    wl_asked_begin(&w->asked, 0);
    for (kind k = READ; k < KINDS; k++)
        call_clear(&s->calls[k]);
    return on;
}

static void tick(session *s, int64_t number)
{
    int64_t intended = wl_intended(&s->worker, number);
    bool due[KINDS], any = false;
    for (kind k = READ; k < KINDS; k++) {
        const wl_operation *operation = &s->calls[k].operation;
        due[k] = operation->code != 0 && number % operation->every == 0;
        any |= due[k];
    }
    if (s->further.code != 0 && number % s->further.every == 0)
        open_timed(s, intended);
    bool up = s->connect.code == 0 || connection_is_up(&s->connection)
           || connect_timed(s, intended);
    if (!up || !any)
        return;
    perform(s, due);
    /* Records are in the order of completion. */
    kind first = s->calls[WRITE].end_ns < s->calls[READ].end_ns ? WRITE : READ;
    for (int i = 0; i < KINDS; i++) {
        kind k = (first + i) % KINDS;
        call *one = &s->calls[k];
        if (!due[k])
            continue;
        record(s, one->operation.code, one->status, intended, one->start_ns, one->end_ns);
        if (one->status != WL_OK)
            failure_say_call(&s->worker, one, intended);
        keep(s, one, number);
    }
    wl_asked_end(&s->worker.asked, &s->worker.answers);
}

/* Further sessions go straight to the endpoint, which is asked for once. */
static void prepare_further(session *s)
{
    wl_worker *w = &s->worker;
    if (!wl_operation_read(w, "session", &s->further))
        return;
    connection_open(&s->opened, w, NULL);
    UA_StatusCode code = connection_find_endpoint(&s->opened);
    if (code != UA_STATUSCODE_GOOD)
        wl_fatal(w, "UA_StatusCode", "no endpoint to open sessions at: %s",
                 UA_StatusCode_name(code));
}

/* ---- The life of the worker --------------------------------------------------------------- */

static void preflight(session *s)
{
    for (kind k = READ; k < KINDS; k++) {
        call *one = &s->calls[k];
        for (int64_t i = 0; one->operation.code != 0 && i < one->operation.preflight; i++) {
            bool due[KINDS] = {k == READ, k == WRITE};
            if (k == WRITE)
                call_set_sequence(one, FIRST_PREFLIGHT_SEQUENCE + i);
            perform(s, due);
            if (one->status != WL_OK)
                failure_say_call(&s->worker, one, one->start_ns);
            if (call_items(one) == 0)
                wl_fatal(&s->worker, "preflight", "preflight %s had no answer: %s",
                         one->operation.name, one->given_up ? one->given_up
                                                            : UA_StatusCode_name(one->code));
            answer_put(wl_answer_begin(&s->worker.answers, "preflight", one->operation.name, i,
                                       one->start_ns, one->end_ns),
                       one, FIRST_PREFLIGHT_SEQUENCE + i);
            wl_answer_end(&s->worker.answers);
            call_clear(one);
        }
    }
}

static void say_ready(session *s)
{
    wl_about about = {
        .library = "open62541",
        .library_version = UA_OPEN62541_VERSION + 1, /* past its "v" */
        .runtime = "glibc",
        .runtime_version = gnu_get_libc_version(),
        .capabilities = "[\"security\",\"subscriptions\",\"node-list\",\"lanes\"]",
    };
    wl_ready(&s->worker, &about);
}

/* Makes the calls of every tick. */
static void play(session *s)
{
    wl_worker *w = &s->worker;
    bool started = wl_wait_start(w);
    for (int64_t number = 0; started && number < w->count; number++) {
        call_set_sequence(&s->calls[WRITE], FIRST_SEQUENCE + number);
        if (!let_go(s, number) || !wl_sleep_until(w, wl_intended(w, number)))
            break;
        tick(s, number);
        wl_heartbeat(w);
    }
}

/* Connects, unless that is an operation of its own, and does what comes before it is ready. */
static void prepare(session *s, bool watches)
{
    wl_worker *w = &s->worker;
    char connect[16];
    wl_spec_text(w, "parameters.connect", "before", connect, sizeof connect);
    if (strcmp(connect, "timed") == 0) {
        if (!wl_operation_read(w, "connect", &s->connect))
            wl_fatal(w, "spec", "spec: parameters.connect: \"timed\" needs operations.connect");
        return;
    }
    UA_StatusCode code = connection_connect(&s->connection);
    if (code != UA_STATUSCODE_GOOD)
        wl_fatal(w, "UA_StatusCode", "cannot connect to %s: %s", s->connection.url,
                 UA_StatusCode_name(code));
    if (watches)
        watch_begin(&s->watch, w, &s->connection);
    preflight(s);
    prepare_further(s);
}

/* One caller, with a session of its own. */
static void play_ticks(session *s)
{
    wl_worker *w = &s->worker;
    int64_t patience_ns = w->stop_ns / 4;
    connection_open(&s->connection, w, NULL);
    bool watches = watch_open(&s->watch, w);
    prepare(s, watches);
    say_ready(s);
    if (watches)
        watch_play(&s->watch, w, &s->connection);
    else
        play(s);
    calls_close(s->calls);
    watch_close(&s->watch);
    wl_done(w);
    if (s->further.code != 0)
        connection_close(&s->opened, patience_ns);
    connection_close(&s->connection, patience_ns);
}

static void play_lanes(session *s)
{
    wl_worker *w = &s->worker;
    int64_t patience_ns = w->stop_ns / 4;
    lanes_begin(&s->lanes);
    say_ready(s);
    lanes_play(&s->lanes);
    wl_done(w);
    lanes_close(&s->lanes, patience_ns);
    calls_close(s->calls);
}

int main(void)
{
    static session s;
    wl_worker *w = &s.worker;
    wl_open(w, "client");
    w->asked.put = put_kept;
    calls_open(s.calls, w);
    if (lanes_open(&s.lanes, w, &s.calls[READ]))
        play_lanes(&s);
    else
        play_ticks(&s);
    return 0;
}
