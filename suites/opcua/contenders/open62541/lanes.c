#include "lanes.h"

#include "answers.h"
#include "failures.h"

/* The event loop is left at least so often, in ms, and calls are looked at for their limit. */
enum { PATIENCE_MS = 50 };

/* Nobody asks for an answer in the last tenth of a period. */
enum { LET_GO_SHARE = 10 };

/* Reads write nothing. */
enum { NO_SEQUENCE = 0 };

typedef enum {
    TO_JOIN, /* its user is to connect */
    JOINING,
    TO_CALL,
    CALLING,
    KEEPING, /* its answer can be asked for */
    FINISHED
} state;

struct lane {
    call call; /* the first member: an ended call is that of its lane */
    lanes *all;
    wl_asked asked;
    connection own;
    state state;
    UA_StatusCode joined;
    int64_t number, tick, intended_ns, wake_ns, since_ns;
};

/* ---- The lane that is to do something soonest ---------------------------------------------- */

static void swap(lane **one, lane **other)
{
    lane *kept = *one;
    *one = *other;
    *other = kept;
}

static void wake_at(lane *one, int64_t when)
{
    lanes *all = one->all;
    size_t at = all->waiting_size++;
    one->wake_ns = when;
    all->waiting[at] = one;
    for (; at > 0 && all->waiting[at]->wake_ns < all->waiting[(at - 1) / 2]->wake_ns;
         at = (at - 1) / 2)
        swap(&all->waiting[at], &all->waiting[(at - 1) / 2]);
}

static lane *soonest(lanes *all)
{
    lane *first = all->waiting[0];
    all->waiting[0] = all->waiting[--all->waiting_size];
    for (size_t at = 0, child; (child = 2 * at + 1) < all->waiting_size; at = child) {
        if (child + 1 < all->waiting_size
            && all->waiting[child + 1]->wake_ns < all->waiting[child]->wake_ns)
            child++;
        if (all->waiting[at]->wake_ns <= all->waiting[child]->wake_ns)
            break;
        swap(&all->waiting[at], &all->waiting[child]);
    }
    return first;
}

/* ---- Signals that end a wait ---------------------------------------------------------------- */

/* The library waits in whole milliseconds. A signal makes it come back at once: of a timer when a
 * lane is due, and of standard input when the core says something. */
static volatile sig_atomic_t commanded;

static void heed(int number)
{
    if (number == SIGIO)
        commanded = 1;
}

static void take_signals(lanes *all)
{
    struct sigaction heeding = {.sa_handler = heed, .sa_flags = SA_RESTART};
    struct sigevent alarm = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    if (sigaction(SIGALRM, &heeding, NULL) != 0 || sigaction(SIGIO, &heeding, NULL) != 0
        || timer_create(CLOCK_MONOTONIC, &alarm, &all->timer) != 0
        || fcntl(STDIN_FILENO, F_SETOWN, getpid()) != 0
        || fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_ASYNC) != 0)
        wl_fatal(all->worker, "timer", "signals: %s", strerror(errno));
    all->timed = true;
    commanded = 1; /* what was said before */
}

/* Lets the library work until then, or until the core says something. */
static void work_until(lanes *all, int64_t when)
{
    int64_t wait_ns = when - wl_now(), most_ns = PATIENCE_MS * INT64_C(1000000);
    if (wait_ns > 0 && wait_ns < most_ns) {
        struct itimerspec at = {{0, 0}, {(time_t)(when / 1000000000), (long)(when % 1000000000)}};
        timer_settime(all->timer, TIMER_ABSTIME, &at, NULL);
    }
    int64_t wait_ms = wait_ns <= 0 ? 0 : wait_ns >= most_ns ? PATIENCE_MS : wait_ns / 1000000 + 1;
    connection_work(&all->first, (unsigned)wait_ms);
}

/* ---- What ends ------------------------------------------------------------------------------ */

static void record(lane *one, uint8_t op, uint8_t status, int64_t start, int64_t end)
{
    wl_sample sample = {one->intended_ns, start, end, 0, op, status, (uint16_t)one->number};
    wl_record(&one->all->worker->samples, &sample);
}

/* Within the library's callback: everything else is done once it has returned. */
static void call_ended(call *read)
{
    lane *one = (lane *)read;
    record(one, read->operation.code, read->status, read->start_ns, read->end_ns);
    one->all->ended[one->all->ended_size++] = one;
}

static void join_ended(lane *one, UA_StatusCode code)
{
    one->joined = code;
    one->state = TO_CALL;
    record(one, one->all->join.code, status_of_connect(code), one->since_ns, wl_now());
    one->all->ended[one->all->ended_size++] = one;
}

static void state_changed(UA_Client *client, UA_SecureChannelState channel, UA_SessionState session,
                          UA_StatusCode status)
{
    lane *one = (lane *)UA_Client_getConfig(client)->clientContext;
    bool open = channel == UA_SECURECHANNELSTATE_OPEN && session == UA_SESSIONSTATE_ACTIVATED;
    if (one->state == JOINING && (open || status != UA_STATUSCODE_GOOD))
        join_ended(one, status);
}

/* What a lane does next: its tick from `tick` on, once its answer may be let go. */
static void go_on(lane *one, int64_t tick)
{
    lanes *all = one->all;
    wl_worker *w = all->worker;
    bool keeps = one->state == CALLING;
    one->tick = schedule_next(&all->schedule, w, one->number, tick);
    if (one->tick >= w->count || all->stopped) {
        one->state = keeps ? KEEPING : FINISHED;
        all->unfinished--;
        return;
    }
    one->intended_ns = schedule_intended(&all->schedule, w, one->number, one->tick);
    one->state = keeps ? KEEPING : TO_CALL;
    wake_at(one, one->intended_ns - (keeps ? w->period_ns / LET_GO_SHARE : 0));
}

static void keep(lane *one)
{
    call *read = &one->call;
    wl_result result = {.lane = one->number, .tick = one->tick, .start_ns = read->start_ns,
                        .end_ns = read->end_ns, .context = call_items(read) > 0 ? read : NULL};
    memcpy(result.operation, read->operation.name, sizeof result.operation);
    wl_asked_keep(&one->asked, &result);
    wl_asked_end(&one->asked, &one->all->worker->answers);
}

static void see_to_ended(lanes *all)
{
    wl_worker *w = all->worker;
    for (size_t i = 0; i < all->ended_size; i++) {
        lane *one = all->ended[i];
        if (one->state == CALLING) {
            if (one->call.status != WL_OK)
                failure_say_call(w, &one->call, one->intended_ns);
            keep(one);
            go_on(one, one->tick + 1);
        } else {
            if (one->joined != UA_STATUSCODE_GOOD)
                failure_say(w, all->join.name, one->intended_ns, "call", one->joined,
                            "UA_Client_connectAsync");
            go_on(one, 0);
        }
    }
    all->ended_size = 0;
}

/* ---- What begins ---------------------------------------------------------------------------- */

static connection *connection_of(lane *one)
{
    return one->all->apart ? &one->own : &one->all->first;
}

/* To make a client takes reading of the spec, which is nobody's time. */
static void join(lane *one)
{
    lanes *all = one->all;
    connection_open(&one->own, all->worker, &all->first);
    connection_heed(&one->own, state_changed, one);
    one->state = JOINING;
    one->since_ns = wl_now();
    UA_StatusCode code = connection_connect_async(&one->own);
    if (code != UA_STATUSCODE_GOOD && one->state == JOINING)
        join_ended(one, code);
}

static void do_next(lane *one)
{
    switch (one->state) {
    case TO_JOIN:
        join(one);
        break;
    case KEEPING:
        wl_asked_begin(&one->asked, one->number);
        call_clear(&one->call);
        one->state = TO_CALL;
        wake_at(one, one->intended_ns);
        break;
    default:
        one->state = CALLING;
        call_send(&one->call, connection_of(one), 0);
    }
}

/* ---- What is given up ----------------------------------------------------------------------- */

static void give_up(lane *one, uint8_t status, const char *why)
{
    if (one->state == JOINING) {
        join_ended(one, UA_STATUSCODE_BADTIMEOUT);
    } else if (one->state == CALLING && one->call.pending) {
        one->call.given_up = why;
        call_end(&one->call, status, UA_STATUSCODE_GOOD);
    }
}

static int64_t begun_ns(const lane *one)
{
    return one->state == JOINING ? one->since_ns : one->call.start_ns;
}

static void look_at_limits(lanes *all, int64_t now)
{
    for (int64_t number = 0; number < all->schedule.users; number++) {
        lane *one = &all->lanes[number];
        if (begun_ns(one) + all->worker->operation_ns <= now)
            give_up(one, WL_TIMEOUT, "no answer within limits.operation_ns");
    }
}

/* What was not begun when the time of the schedule is up. */
static void leave_rest(lanes *all)
{
    while (all->waiting_size > 0) {
        lane *one = soonest(all);
        int64_t now = wl_now();
        bool joins = one->state == TO_JOIN;
        const wl_operation *operation = joins ? &all->join : &one->call.operation;
        wl_failure own = {"wirelab", "given-up", "not begun when time was up", "call",
                          operation->name, one->intended_ns};
        record(one, operation->code, WL_TIMEOUT, now, now);
        wl_error(all->worker, &own);
        one->state = TO_CALL;
        go_on(one, joins ? 0 : one->tick + 1);
    }
}

/* ---- Its life ------------------------------------------------------------------------------- */

static void put_kept(wl_text *text, const wl_result *result)
{
    answer_put(text, (const call *)result->context, NO_SEQUENCE);
}

static lanes *playing;

static wl_asked *asked_of(wl_worker *w, int64_t number)
{
    bool known = number >= 0 && number < playing->schedule.users;
    return known ? &playing->lanes[number].asked : &w->asked;
}

bool lanes_open(lanes *all, wl_worker *w, const call *read)
{
    if (!schedule_read(&all->schedule, w))
        return false;
    size_t users = (size_t)all->schedule.users;
    all->worker = w;
    all->apart = wl_operation_read(w, "connect", &all->join);
    all->lanes = (lane *)calloc(users, sizeof *all->lanes);
    all->waiting = (lane **)calloc(users, sizeof *all->waiting);
    all->ended = (lane **)calloc(users, sizeof *all->ended);
    if (all->lanes == NULL || all->waiting == NULL || all->ended == NULL)
        abort();
    for (size_t number = 0; number < users; number++) {
        lane *one = &all->lanes[number];
        one->all = all;
        one->number = (int64_t)number;
        one->call = *read; /* the request's items are those of all */
        one->asked.put = put_kept;
        one->asked.published = &w->samples;
    }
    playing = all;
    w->asked_of = asked_of;
    connection_open(&all->first, w, NULL);
    return true;
}

/* One read in the session that all lanes share, as often as the spec says. */
static void preflight(lanes *all)
{
    wl_worker *w = all->worker;
    call one = all->lanes[0].call;
    for (int64_t i = 0; i < one.operation.preflight; i++) {
        int64_t limit;
        call_send(&one, &all->first, 0);
        limit = one.start_ns + w->operation_ns;
        while (one.pending && wl_now() < limit && !wl_stopping(w))
            connection_work(&all->first, PATIENCE_MS);
        if (one.pending || call_items(&one) == 0)
            wl_fatal(w, "preflight", "preflight %s had no answer: %s", one.operation.name,
                     one.pending ? "given up" : UA_StatusCode_name(one.code));
        if (one.status != WL_OK)
            failure_say_call(w, &one, one.start_ns);
        answer_put(wl_answer_begin(&w->answers, "preflight", one.operation.name, i, one.start_ns,
                                   one.end_ns),
                   &one, NO_SEQUENCE);
        wl_answer_end(&w->answers);
        call_clear(&one);
    }
}

void lanes_begin(lanes *all)
{
    wl_worker *w = all->worker;
    UA_StatusCode code = all->apart ? connection_find_endpoint(&all->first)
                                    : connection_connect(&all->first);
    if (code != UA_STATUSCODE_GOOD)
        wl_fatal(w, "UA_StatusCode", "cannot connect to %s: %s", all->first.url,
                 UA_StatusCode_name(code));
    if (!all->apart)
        preflight(all);
}

static void set_out(lanes *all)
{
    all->unfinished = all->schedule.users;
    for (int64_t number = 0; number < all->schedule.users; number++) {
        lane *one = &all->lanes[number];
        one->call.ended = call_ended;
        if (all->apart) {
            one->state = TO_JOIN;
            one->intended_ns = schedule_join(&all->schedule, all->worker, number);
            wake_at(one, one->intended_ns);
        } else {
            one->state = TO_CALL;
            go_on(one, 0);
        }
    }
}

/* Whether it may go on. After a stop nothing begins, and what is under way has some time to end. */
static bool goes_on(lanes *all, int64_t now, int64_t *stop_at)
{
    wl_worker *w = all->worker;
    if (commanded) {
        commanded = 0;
        if (wl_stopping(w) && *stop_at == INT64_MAX) {
            *stop_at = now + w->stop_ns / 4;
            all->stopped = true;
            all->unfinished -= (int64_t)all->waiting_size;
            all->waiting_size = 0;
        }
    }
    for (int64_t number = 0; now >= *stop_at && number < all->schedule.users; number++)
        give_up(&all->lanes[number], WL_ERROR, "no answer when told to stop");
    return all->unfinished > 0;
}

void lanes_play(lanes *all)
{
    wl_worker *w = all->worker;
    int64_t stop_at = INT64_MAX, looked_ns = 0;
    while (w->start_ns == 0 && !wl_stopping(w))
        connection_work(&all->first, PATIENCE_MS); /* a session is to live until then */
    if (w->start_ns == 0)
        return;
    int64_t end_ns = wl_intended(w, w->count) + w->operation_ns;
    take_signals(all);
    set_out(all);
    for (int64_t now = wl_now(); goes_on(all, now, &stop_at); now = wl_now()) {
        if (now >= end_ns)
            leave_rest(all);
        while (all->waiting_size > 0 && all->waiting[0]->wake_ns <= now)
            do_next(soonest(all));
        if (now - looked_ns > PATIENCE_MS * INT64_C(1000000)) {
            look_at_limits(all, now);
            looked_ns = now;
        }
        see_to_ended(all);
        work_until(all, all->waiting_size > 0 ? all->waiting[0]->wake_ns : INT64_MAX);
        see_to_ended(all);
        wl_heartbeat(w);
    }
}

void lanes_close(lanes *all, int64_t patience_ns)
{
    int64_t limit = wl_now() + patience_ns;
    for (int64_t number = 0; number < all->schedule.users; number++) {
        lane *one = &all->lanes[number];
        one->call.ended = NULL;
        one->state = FINISHED;
        if (one->own.client != NULL)
            connection_close(&one->own, limit - wl_now());
        call_clear(&one->call);
    }
    connection_close(&all->first, limit - wl_now());
    if (all->timed)
        timer_delete(all->timer);
    free(all->lanes);
    free(all->waiting);
    free(all->ended);
    schedule_free(&all->schedule);
}
