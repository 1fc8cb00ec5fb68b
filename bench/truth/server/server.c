/* A server of known truth: it keeps each request as its rule decides, and writes down of each
 * what it did: when it came, when its turn began, when it was answered, and what was decided. With
 * boards it speaks WebSocket, keeps each drawing, and writes down when each member was sent it. */
#include "wirelab.h"

#include "boards.h"
#include "connections.h"
#include "rules.h"
#include "waiting.h"

#include <gnu/libc-version.h>
#include <sys/epoll.h>

enum { EVENTS = 256, PATIENCE_MS = 500 };

/* Codes of operations, as the suite has them. */
enum { ANSWERED = 1, DELIVERED = 2 };

typedef struct {
    wl_worker worker;
    rules rules;
    connections connections;
    waiting kept;  /* with the times at which they are due */
    waiting queue; /* behind the one whose turn it is */
    bool with_boards;
    boards boards;
    int64_t latest_ns; /* when the latest request came */
    int listening, polled, timer;
    char *stop, *alarm; /* what their events point to */
} server;

static void watch(server *s, int file, void *what)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};
    if (epoll_ctl(s->polled, EPOLL_CTL_ADD, file, &event) != 0)
        wl_fatal(&s->worker, "epoll", "epoll_ctl: %s", strerror(errno));
}

/* Its turn begins: from now on it is kept for as long as was decided. */
static void begin(server *s, request kept, int64_t now_ns)
{
    kept.begin_ns = now_ns;
    kept.due_ns = rules_due(&s->rules, now_ns, kept.decided_us);
    if (s->rules.rule == RULE_WORK)
        rules_work(&s->rules);
    if (!waiting_add(&s->kept, kept))
        wl_fatal(&s->worker, "memory", "no memory for requests that wait");
}

/* No two requests come at one time, so that a time and a lane name one of them. */
static void keep(server *s, connection *from, drawing *drawn)
{
    int64_t now_ns = wl_now();
    s->latest_ns = now_ns > s->latest_ns ? now_ns : s->latest_ns + 1;
    request came = {.arrived_ns = s->latest_ns,
                    .due_ns = s->latest_ns,
                    .decided_us = (uint32_t)rules_decide(&s->rules),
                    .connection = from->number,
                    .drawn = drawn};
    if (!rules_one_by_one(&s->rules) || waiting_first(&s->kept) == NULL)
        begin(s, came, came.arrived_ns);
    else if (!waiting_add(&s->queue, came))
        wl_fatal(&s->worker, "memory", "no memory for requests that wait");
}

static void take(server *s, connection *from)
{
    drawing *drawn;
    if (!connection_hear(from, &s->worker))
        return;
    if (!s->with_boards)
        for (int whole = connection_requests(from); whole > 0; whole--)
            keep(s, from, NULL);
    else
        while ((drawn = boards_next(&s->boards, from, &s->worker)) != NULL)
            keep(s, from, drawn);
}

static int64_t written_down(server *s, const request *due, uint8_t op, uint16_t lane)
{
    int64_t now_ns = wl_now();
    wl_record(&s->worker.samples, &(wl_sample){.intended_ns = due->arrived_ns,
                                               .start_ns = due->begin_ns,
                                               .end_ns = now_ns,
                                               .size = due->decided_us,
                                               .op = op,
                                               .lane = lane});
    return now_ns;
}

/* A record for each member who is still there, under the number of the user who has drawn. */
static int64_t pass_on(server *s, const request *due)
{
    drawing *drawn = due->drawn;
    int64_t now_ns = wl_now();
    for (size_t place = 0; place < drawn->on->count; place++) {
        connection *member = drawn->on->members[place];
        if (member->socket < 0)
            continue;
        connection_tell(member, &s->worker, drawn->frame, drawn->size);
        uint8_t op = member->number == due->connection ? ANSWERED : DELIVERED;
        now_ns = written_down(s, due, op, drawn->user);
    }
    free(drawn);
    return now_ns;
}

static void answer(server *s, request due)
{
    int64_t now_ns;
    if (due.drawn != NULL) {
        now_ns = pass_on(s, &due);
    } else {
        connection_answer(s->connections.of[due.connection], &s->worker);
        now_ns = written_down(s, &due, ANSWERED, due.connection);
    }
    if (waiting_first(&s->queue) != NULL)
        begin(s, waiting_take(&s->queue), now_ns);
}

static void answer_due(server *s)
{
    const request *first;
    while ((first = waiting_first(&s->kept)) != NULL && first->due_ns <= wl_now())
        answer(s, waiting_take(&s->kept));
    int64_t due_ns = first == NULL ? 0 : first->due_ns;
    struct itimerspec at = {{0, 0},
                            {(time_t)(due_ns / 1000000000), (long)(due_ns % 1000000000)}};
    if (timerfd_settime(s->timer, TFD_TIMER_ABSTIME, &at, NULL) != 0)
        wl_fatal(&s->worker, "timer", "timerfd: %s", strerror(errno));
}

static void serve(server *s)
{
    struct epoll_event events[EVENTS];
    while (!s->worker.stopped) {
        int count = epoll_wait(s->polled, events, EVENTS, PATIENCE_MS);
        for (int n = 0; n < count; n++) {
            void *what = events[n].data.ptr;
            if (what == &s->stop) {
                wl_stopping(&s->worker);
            } else if (what == &s->alarm) {
                uint64_t expirations;
                if (read(s->timer, &expirations, sizeof expirations) < 0 && errno != EAGAIN)
                    wl_fatal(&s->worker, "timer", "timerfd: %s", strerror(errno));
            } else if (what == &s->listening) {
                connection *came;
                while ((came = connections_accept(&s->connections, &s->worker, s->listening)) != NULL)
                    watch(s, came->socket, came);
            } else {
                take(s, (connection *)what);
            }
        }
        answer_due(s);
        wl_heartbeat(&s->worker);
    }
}

int main(void)
{
    static server s;
    wl_worker *w = &s.worker;
    char address[96], endpoint[96], facts[256];
    wl_open(w, "server");
    rules_read(&s.rules, w);
    s.with_boards = wl_spec_int_or(w, "parameters.board_size", 0) > 0;
    wl_spec_text(w, "listen", NULL, address, sizeof address);
    s.listening =
        connections_listen(w, address, s.with_boards ? "ws" : "http", endpoint, sizeof endpoint);
    s.polled = epoll_create1(EPOLL_CLOEXEC);
    s.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (s.polled < 0 || s.timer < 0)
        wl_fatal(w, "epoll", "%s", strerror(errno));
    watch(&s, STDIN_FILENO, &s.stop);
    watch(&s, s.timer, &s.alarm);
    watch(&s, s.listening, &s.listening);
    rules_facts(&s.rules, s.with_boards ? "json" : "http", facts, sizeof facts);
    wl_ready(w, &(wl_about){.library = "truth-server",
                            .library_version = "1",
                            .runtime = "glibc",
                            .runtime_version = gnu_get_libc_version(),
                            .endpoint = endpoint,
                            .facts = facts});
    serve(&s);
    wl_done(w);
    return 0;
}
