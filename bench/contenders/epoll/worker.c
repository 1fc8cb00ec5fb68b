/* The yardstick of the scenarios `engine`: what a client costs that does nothing but send, receive
 * and count. One thread waits in one epoll for sockets, a timer and standard input. */
#include "agenda.h"
#include "users.h"

#include <sys/epoll.h>
#include <sys/utsname.h>

enum { EVENTS = 256 };

/* Beside the users' numbers. */
static const uint32_t TIMER = UINT32_MAX, COMMANDS = UINT32_MAX - 1;

typedef struct {
    wl_worker worker;
    agenda agenda;
    crowd crowd;
    int epoll, timer;
    int64_t armed_ns, ends_ns;
} session;

static void listen_to(session *s, int file, uint32_t name)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = name};
    if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, file, &event) != 0)
        wl_fatal(&s->worker, "epoll", "epoll_ctl: %s", strerror(errno));
}

static void session_open(session *s)
{
    wl_worker *w = &s->worker;
    wl_open(w, "client");
    agenda_open(&s->agenda, w);
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    s->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (s->epoll < 0 || s->timer < 0)
        wl_fatal(w, "epoll", "epoll, timerfd: %s", strerror(errno));
    listen_to(s, s->timer, TIMER);
    listen_to(s, STDIN_FILENO, COMMANDS);
    crowd_open(&s->crowd, w, s->agenda.users, s->epoll);
}

/* Setting the timer anew also ends a wake that was not read. */
static void wake_at(session *s, int64_t when)
{
    struct itimerspec at = {{0, 0}, {(time_t)(when / 1000000000), (long)(when % 1000000000)}};
    if (s->armed_ns == when)
        return;
    s->armed_ns = when;
    if (timerfd_settime(s->timer, TFD_TIMER_ABSTIME, &at, NULL) != 0)
        wl_fatal(&s->worker, "timer", "timerfd: %s", strerror(errno));
}

/* Does what is due; when the next thing is, or the end when nothing is left to do. */
static int64_t perform_due(session *s)
{
    wl_worker *w = &s->worker;
    uint32_t user = 0;
    int64_t joins, sends;
    while ((joins = agenda_join_ns(&s->agenda, w)) <= wl_now())
        crowd_connect(&s->crowd, (uint32_t)s->agenda.next_join++, joins);
    while ((sends = agenda_send_ns(&s->agenda, w, &user)) <= wl_now()) {
        crowd_send(&s->crowd, user, sends);
        agenda_sent(&s->agenda);
    }
    int64_t next = joins < sends ? joins : sends;
    return next < s->ends_ns ? next : s->ends_ns;
}

static bool wait_for_events(session *s)
{
    struct epoll_event events[EVENTS];
    int count = epoll_wait(s->epoll, events, EVENTS, -1);
    if (count < 0 && errno != EINTR)
        wl_fatal(&s->worker, "epoll", "epoll_wait: %s", strerror(errno));
    bool go_on = true;
    for (int i = 0; i < count; i++) {
        uint32_t name = events[i].data.u32;
        if (name == COMMANDS)
            go_on = !wl_stopping(&s->worker);
        else if (name == TIMER)
            s->armed_ns = 0;
        else
            crowd_happened(&s->crowd, name, events[i].events);
    }
    return go_on;
}

static void play(session *s)
{
    wl_worker *w = &s->worker;
    s->crowd.counts.tick0_ns = w->start_ns;
    s->ends_ns = wl_intended(w, w->count) + w->operation_ns;
    for (;;) {
        int64_t next = perform_due(s), now = wl_now();
        bool all_sent = next == s->ends_ns;
        if (now >= s->ends_ns || (all_sent && crowd_is_served(&s->crowd)))
            return;
        wake_at(s, next);
        if (!wait_for_events(s))
            return;
        wl_heartbeat(w);
    }
}

int main(void)
{
    static session s;
    struct utsname host;
    session_open(&s);
    uname(&host);
    wl_ready(&s.worker, &(wl_about){.library = "epoll",
                                    .library_version = host.release,
                                    .runtime = "Linux",
                                    .runtime_version = host.release,
                                    .capabilities = "[\"lanes\"]"});
    if (wl_wait_start(&s.worker))
        play(&s);
    crowd_close(&s.crowd);
    agenda_close(&s.agenda);
    wl_done(&s.worker);
    close(s.timer);
    close(s.epoll);
    return 0;
}
