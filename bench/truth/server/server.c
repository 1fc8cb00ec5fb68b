/* A server of known truth: it keeps each request as its rule decides, and writes down of each
 * what it did: when it came, when its turn began, when it was answered, and what was decided. */
#include "wirelab.h"

#include "guests.h"
#include "rules.h"
#include "waiting.h"

#include <gnu/libc-version.h>
#include <sys/epoll.h>

enum { EVENTS = 256, PATIENCE_MS = 500 };

typedef struct {
    wl_worker worker;
    rules rules;
    guests guests;
    waiting kept;  /* with the times at which they are due */
    waiting queue; /* behind the one whose turn it is */
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

static void take(server *s, guest *from)
{
    int whole = guest_read(from, &s->worker);
    int64_t now_ns = wl_now();
    for (; whole > 0; whole--) {
        request came = {.arrived_ns = now_ns,
                        .due_ns = now_ns,
                        .decided_us = (uint32_t)rules_decide(&s->rules),
                        .guest = from->number};
        if (!rules_one_by_one(&s->rules) || waiting_first(&s->kept) == NULL)
            begin(s, came, now_ns);
        else if (!waiting_add(&s->queue, came))
            wl_fatal(&s->worker, "memory", "no memory for requests that wait");
    }
}

static void answer(server *s, request due)
{
    guest_answer(s->guests.of[due.guest], &s->worker);
    int64_t now_ns = wl_now();
    wl_record(&s->worker.samples, &(wl_sample){.intended_ns = due.arrived_ns,
                                               .start_ns = due.begin_ns,
                                               .end_ns = now_ns,
                                               .size = due.decided_us,
                                               .op = 1,
                                               .lane = due.guest});
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
                guest *came;
                while ((came = guests_accept(&s->guests, &s->worker, s->listening)) != NULL)
                    watch(s, came->socket, came);
            } else {
                take(s, (guest *)what);
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
    wl_spec_text(w, "listen", NULL, address, sizeof address);
    s.listening = guests_listen(w, address, endpoint, sizeof endpoint);
    s.polled = epoll_create1(EPOLL_CLOEXEC);
    s.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (s.polled < 0 || s.timer < 0)
        wl_fatal(w, "epoll", "%s", strerror(errno));
    watch(&s, STDIN_FILENO, &s.stop);
    watch(&s, s.timer, &s.alarm);
    watch(&s, s.listening, &s.listening);
    rules_facts(&s.rules, facts, sizeof facts);
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
