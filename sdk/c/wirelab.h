/* wirelab.h: what a worker in C needs of the worker contract, version 2 (docs/reference/worker-contract.md).
 * Headers only, no library; C11 or C++17 on Linux. Include it before any system header.
 *
 *     wl_worker w;
 *     wl_open(&w, "client");            reads the spec, creates the samples and answers files
 *     ...                               connect, perform the preflight
 *     wl_ready(&w, &about);
 *     wl_wait_start(&w);
 *     for (int64_t tick = 0; tick < w.count && wl_sleep_until(&w, wl_intended(&w, tick)); tick++) {
 *         ...                           the operations due, wl_record for each
 *         wl_heartbeat(&w);
 *     }
 *     wl_done(&w);                      then return 0
 *
 * Times are nanoseconds of CLOCK_MONOTONIC. What cannot go on (a spec that makes no sense, a full
 * disk) ends the process with a plain `error` event and exit code 1. Standard output is the event
 * stream: what a library prints there goes to standard error instead. One thread calls the SDK. */
#ifndef WIRELAB_H
#define WIRELAB_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "wirelab/spec.h"
#include <poll.h>
#include <signal.h>
#include <sys/timerfd.h>

/* ---- Opening ------------------------------------------------------------------------------ */

/* The file's bytes and a NUL; NULL with errno set when it cannot be read. */
static inline char *wl__read_file(const char *path, size_t *size)
{
    wl_text text = {NULL, 0, 0};
    char piece[4096];
    ssize_t count = -1;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    while (file >= 0 && (count = read(file, piece, sizeof piece)) > 0)
        wl_put(&text, piece, (size_t)count);
    int failed = errno;
    if (file >= 0)
        close(file);
    *size = text.used;
    wl_put(&text, "", 1);
    if (count == 0)
        return text.at;
    free(text.at);
    errno = failed;
    return NULL;
}

static inline void wl__read_spec(wl_worker *w, const char *role)
{
    const char *path = getenv("WIRELAB_SPEC");
    size_t size = 0, wrong = 0;
    char asked[64];
    if (path == NULL)
        wl_fatal(w, "spec", "WIRELAB_SPEC is not set: this program is started by wirelab");
    w->text = wl__read_file(path, &size);
    if (w->text == NULL)
        wl_fatal(w, "spec", "spec %s: %s", path, strerror(errno));
    if (!wl_json_parse(w->text, size, &w->spec, &wrong))
        wl_fatal(w, "spec", "spec %s: not JSON: %s at byte %zu of %zu", path,
                 wrong < size ? "wrong character" : "it ends too early", wrong, size);
    if (wl_spec_int(w, "contract") != WL_CONTRACT)
        wl_fatal(w, "spec", "spec: contract: this worker speaks version %d", WL_CONTRACT);
    wl_spec_text(w, "role", NULL, asked, sizeof asked);
    if (strcmp(asked, role) != 0)
        wl_fatal(w, "spec", "spec: role: asked for \"%s\", this worker plays \"%s\"", asked, role);
    w->first_ns = wl_spec_int_or(w, "schedule.first_ns", 0);
    w->period_ns = wl_spec_int(w, "schedule.period_ns");
    w->count = wl_spec_int(w, "schedule.count");
    w->operation_ns = wl_spec_int(w, "limits.operation_ns");
    w->stop_ns = wl_spec_int(w, "limits.stop_ns");
    if (w->count < 0 || (w->count > 0 && w->period_ns < 1))
        wl_fatal(w, "spec", "spec: schedule: count must not be negative, period_ns at least 1");
}

static inline void wl__open_files(wl_worker *w)
{
    char path[4096];
    int64_t expected = 0;
    wl_json operations = wl_json_find(w->spec, "operations"), operation = {NULL, NULL};
    while (wl_json_next(operations, NULL, &operation))
        expected += w->count;
    wl_spec_text(w, "paths.samples", NULL, path, sizeof path);
    if (!wl_recorder_open(&w->samples, path, expected))
        wl_fatal(w, "samples", "%s: %s", path, strerror(errno));
    wl_spec_text(w, "paths.answers", NULL, path, sizeof path);
    if ((w->answers.file = wl__create(path)) < 0)
        wl_fatal(w, "answers", "%s: %s", path, strerror(errno));
}

/* Takes standard output for the events, reads the spec, creates the files. `role` is the part
 * this program can play. */
static inline void wl_open(wl_worker *w, const char *role)
{
    memset(w, 0, sizeof *w);
    signal(SIGPIPE, SIG_IGN);
    w->events = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (w->events < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        fprintf(stderr, "wirelab: standard output: %s\n", strerror(errno));
        exit(1);
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    wl__read_spec(w, role);
    wl__open_files(w);
    w->asked.published = &w->samples;
    w->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (w->timer < 0)
        wl_fatal(w, "timer", "timerfd: %s", strerror(errno));
}

/* ---- Commands in -------------------------------------------------------------------------- */

/* The answer that a command asks for; false where it is none of the contract's. */
static inline bool wl__hear(wl_worker *w, wl_json command)
{
    wl_asking asking;
    bool sound = wl_json_int(wl_json_find(command, "asked"), &asking.number)
              && wl_json_int(wl_json_find(command, "lane"), &asking.lane)
              && wl_json_string(wl_json_find(command, "operation"), asking.operation,
                                sizeof asking.operation);
    if (sound)
        wl_asked_hear(w->asked_of == NULL ? &w->asked : w->asked_of(w, asking.lane), &w->answers,
                      &asking);
    return sound;
}

static inline void wl__obey(wl_worker *w, const char *line, size_t size)
{
    wl_json command;
    char name[16] = "";
    size_t wrong;
    bool sound = wl_json_parse(line, size, &command, &wrong)
              && wl_json_string(wl_json_find(command, "command"), name, sizeof name);
    if (sound && strcmp(name, "stop") == 0)
        w->stopped = true;
    else if (sound && strcmp(name, "start") == 0
             && wl_json_int(wl_json_find(command, "monotonic_ns"), &w->start_ns))
        w->started = true;
    else if (!sound || strcmp(name, "answer") != 0 || !wl__hear(w, command))
        wl_fatal(w, "command", "not a command of the contract: %.*s", (int)(size < 200 ? size : 200),
                 line);
}

/* Reads what standard input has: whole lines are obeyed, its end means stop. */
static inline void wl__read_commands(wl_worker *w)
{
    ssize_t count = read(STDIN_FILENO, w->command + w->pending, sizeof w->command - w->pending);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (count <= 0) {
        w->stopped = true;
        return;
    }
    w->pending += (size_t)count;
    char *line = w->command, *end = w->command + w->pending, *stop;
    while ((stop = (char *)memchr(line, '\n', (size_t)(end - line))) != NULL) {
        wl__obey(w, line, (size_t)(stop - line));
        line = stop + 1;
    }
    w->pending = (size_t)(end - line);
    memmove(w->command, line, w->pending);
    if (w->pending == sizeof w->command)
        wl_fatal(w, "command", "a command is longer than %zu bytes", sizeof w->command);
}

/* Waits for a command, the timer, or `patience_ms` (-1: for ever), whichever comes first. */
static inline void wl__wait(wl_worker *w, int patience_ms)
{
    struct pollfd on[2] = {{w->timer, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    if (poll(on, 2, patience_ms) < 0 && errno != EINTR)
        wl_fatal(w, "timer", "poll: %s", strerror(errno));
    if (on[1].revents != 0)
        wl__read_commands(w);
}

/* Tells whether the core has said stop; looks, without waiting. */
static inline bool wl_stopping(wl_worker *w)
{
    if (!w->stopped)
        wl__wait(w, 0);
    return w->stopped;
}

/* ---- Ticks -------------------------------------------------------------------------------- */

static inline void wl__set_timer(wl_worker *w, int64_t when)
{
    struct itimerspec at = {{0, 0}, {(time_t)(when / 1000000000), (long)(when % 1000000000)}};
    if (timerfd_settime(w->timer, TFD_TIMER_ABSTIME, &at, NULL) != 0)
        wl_fatal(w, "timer", "timerfd: %s", strerror(errno));
}

/* Waits for the core's start; false when it says stop instead. */
static inline bool wl_wait_start(wl_worker *w)
{
    wl__set_timer(w, 0);
    while (!w->started && !w->stopped)
        wl__wait(w, -1);
    return !w->stopped;
}

static inline int64_t wl_intended(const wl_worker *w, int64_t tick)
{
    return w->start_ns + w->first_ns + tick * w->period_ns;
}

/* Sleeps until `when`, at once where that is past; false as soon as the core says stop. The timer
 * is absolute and stands beside standard input in one poll: no thread, no signal, no lost stop. */
static inline bool wl_sleep_until(wl_worker *w, int64_t when)
{
    if (wl_now() >= when)
        return !wl_stopping(w);
    wl__set_timer(w, when);
    while (!w->stopped && wl_now() < when)
        wl__wait(w, -1);
    return !w->stopped;
}

/* ---- The end ------------------------------------------------------------------------------ */

/* Writes everything and says `done`; the process is then to exit with 0. */
static inline void wl_done(wl_worker *w)
{
    wl_runtime(w);
    wl_recorder_close(&w->samples);
    if (close(w->answers.file) != 0 && w->answers.failed == 0)
        w->answers.failed = errno;
    wl__check_files(w);
    wl_putf(wl__event(w, "done"), ",\"records\":%llu,\"answers\":%llu,\"checksum\":\"%08x\"",
            (unsigned long long)w->samples.records, (unsigned long long)w->answers.lines,
            (unsigned)w->answers.checksum);
    if (w->batches != NULL)
        wl_putf(&w->line, ",\"batches\":%llu", (unsigned long long)*w->batches);
    wl__send(w);
    close(w->timer);
    free(w->text);
    free(w->line.at);
    free(w->answers.line.at);
}

#endif
