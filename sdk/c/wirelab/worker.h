/* The worker, and the events it says on standard output. */
#ifndef WIRELAB_WORKER_H
#define WIRELAB_WORKER_H

#include "asked.h"
#include "json.h"
#include <malloc.h>

/* The version of the worker contract that is spoken. */
enum { WL_CONTRACT = 2 };

/* Most failures of one class and status that are said, and most bytes of one string. */
enum { WL_FAILURE_CLASSES = 32, WL_FAILURES_SAID = 100, WL_SAID_BYTES = 8192 };

typedef struct wl_worker wl_worker;
struct wl_worker {
    wl_json spec;
    int64_t start_ns;                   /* tick 0, once the core has said start */
    int64_t first_ns, period_ns, count; /* the schedule */
    int64_t operation_ns, stop_ns;      /* limits */
    wl_recorder samples;
    wl_answers answers;
    wl_asked asked; /* `put` is the worker's to set before it is ready */
    wl_asked *(*asked_of)(wl_worker *, int64_t lane); /* that of a lane; NULL: there is one */
    const uint64_t *batches; /* lines of the batch file; NULL where there is none */
    /* From here on the SDK's own. */
    char *text; /* of the spec */
    int events, timer;
    bool started, stopped;
    wl_text line;
    int64_t heartbeat_ns;
    char command[4096];
    size_t pending; /* bytes of a command whose end has not come */
    struct {
        char name[96];
        unsigned said;
    } failures[WL_FAILURE_CLASSES];
};

static inline int64_t wl_now(void)
{
    return wl__now();
}

static inline wl_text *wl__event(wl_worker *w, const char *name)
{
    w->line.used = 0;
    wl_putf(&w->line, "{\"event\":\"%s\",\"monotonic_ns\":%lld", name, (long long)wl_now());
    return &w->line;
}

static inline void wl__member(wl_text *line, const char *key, const char *value)
{
    if (value == NULL)
        return;
    size_t size = strlen(value), most = WL_SAID_BYTES;
    wl_putf(line, ",\"%s\":", key);
    wl_put_string(line, value, size < most ? size : most);
}

static inline void wl__send(wl_worker *w)
{
    wl_put(&w->line, "}\n", 2);
    if (!wl__write_all(w->events, w->line.at, w->line.used)) {
        fprintf(stderr, "wirelab: events cannot be written: %s\n", strerror(errno));
        _exit(1);
    }
}

/* Gives up: says why on standard error and in an `error` event of scope `fatal`; exits with 1. */
__attribute__((format(printf, 3, 4), noreturn))
static inline void wl_fatal(wl_worker *w, const char *failure, const char *format, ...)
{
    char message[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fprintf(stderr, "wirelab: %s\n", message);
    wl__event(w, "error");
    wl__member(&w->line, "class", failure);
    wl__member(&w->line, "status", "");
    wl__member(&w->line, "message", message);
    wl__member(&w->line, "scope", "fatal");
    wl__send(w);
    exit(1);
}

/* A failure that a caller of the library saw. */
typedef struct {
    const char *failure; /* `class` of the event: exception class, or what stands for one */
    const char *status, *message;
    const char *scope; /* "call", or "item" for one item of a batch */
    const char *operation; /* NULL where it belongs to none */
    int64_t intended_ns;
} wl_failure;

/* Says a failure: the first WL_FAILURES_SAID of each class and status. */
static inline void wl_error(wl_worker *w, const wl_failure *f)
{
    char name[sizeof w->failures[0].name];
    snprintf(name, sizeof name, "%s %s", f->failure, f->status);
    size_t kind = 0;
    while (kind < WL_FAILURE_CLASSES - 1 && w->failures[kind].said > 0
           && strcmp(w->failures[kind].name, name) != 0)
        kind++;
    if (w->failures[kind].said >= WL_FAILURES_SAID)
        return;
    w->failures[kind].said++;
    memcpy(w->failures[kind].name, name, sizeof name);
    wl_text *line = wl__event(w, "error");
    wl__member(line, "class", f->failure);
    wl__member(line, "status", f->status);
    wl__member(line, "message", f->message);
    wl__member(line, "scope", f->scope);
    wl__member(line, "operation", f->operation);
    wl_putf(line, ",\"intended_ns\":%lld", (long long)f->intended_ns);
    wl__send(w);
}

/* Facts that a worker tells of itself when it is ready. */
typedef struct {
    const char *library, *library_version, *runtime, *runtime_version;
    const char *endpoint;     /* of a server: the address it really got; else NULL */
    const char *facts;        /* a JSON object, or NULL */
    const char *capabilities; /* a JSON array, or NULL */
} wl_about;

static inline void wl__named(wl_text *line, const char *key, const char *name, const char *version)
{
    wl_putf(line, ",\"%s\":{\"name\":", key);
    wl_put_string(line, name, strlen(name));
    wl__member(line, "version", version);
    wl_put(line, "}", 1);
}

static inline void wl__check_files(wl_worker *w)
{
    if (w->samples.failed != 0)
        wl_fatal(w, "samples", "samples cannot be written: %s", strerror(w->samples.failed));
    if (w->answers.failed != 0)
        wl_fatal(w, "answers", "answers cannot be written: %s", strerror(w->answers.failed));
}

/* Says what a neutral service has served since its start, now and then and once its trial is over.
 * `items`: a JSON object with a number for each thing that it counts. */
static inline void wl_served(wl_worker *w, const char *items)
{
    wl_putf(wl__event(w, "served"), ",\"items\":%s", items);
    wl__send(w);
}

static inline void wl_ready(wl_worker *w, const wl_about *about)
{
    wl__check_files(w);
    const char *facts = about->facts == NULL ? "{}" : about->facts;
    const char *capabilities = about->capabilities == NULL ? "[]" : about->capabilities;
    wl_text *line = wl__event(w, "ready");
    wl_putf(line, ",\"contract\":%d", WL_CONTRACT);
    wl__named(line, "library", about->library, about->library_version);
    wl__named(line, "runtime", about->runtime, about->runtime_version);
    wl__member(line, "endpoint", about->endpoint);
    wl_putf(line, ",\"facts\":");
    wl_put(line, facts, strlen(facts));
    wl_putf(line, ",\"capabilities\":");
    wl_put(line, capabilities, strlen(capabilities));
    wl__send(w);
    w->heartbeat_ns = wl_now();
}

/* The heap as malloc sees it: what is in use, from its arenas and mapped. */
static inline void wl_runtime(wl_worker *w)
{
    wl_text *line = wl__event(w, "runtime");
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 heap = mallinfo2();
    wl_putf(line, ",\"heap_bytes\":%zu,\"heap_kind\":\"malloc in use\"",
            heap.uordblks + heap.hblkhd);
#endif
    wl__send(w);
}

/* Says `runtime` and `progress`, at most once a second. Call it when nothing is being timed. */
static inline void wl_heartbeat(wl_worker *w)
{
    int64_t now = wl_now();
    if (now - w->heartbeat_ns < 1000000000)
        return;
    w->heartbeat_ns = now;
    wl__check_files(w);
    wl_runtime(w);
    wl_putf(wl__event(w, "progress"), ",\"records\":%llu", (unsigned long long)w->samples.records);
    wl__send(w);
}

#endif
