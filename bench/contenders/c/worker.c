/* The C contender of the suite `harness`: ticks and records with the SDK, and calls no library. */
#include "threads.h"
#include "fillers.h"

#include <gnu/libc-version.h>

typedef struct {
    wl_worker worker;
    wl_operation nothing, batch; /* code 0: the scenario does not have it */
    fillers fillers;
} session;

static void record(session *s, const wl_operation *operation, int64_t tick, int64_t start_ns)
{
    wl_record(&s->worker.samples, &(wl_sample){.intended_ns = wl_intended(&s->worker, tick),
                                               .start_ns = start_ns,
                                               .end_ns = wl_now(),
                                               .op = operation->code});
}

static void perform(session *s, int64_t tick)
{
    if (s->nothing.code != 0 && tick % s->nothing.every == 0)
        record(s, &s->nothing, tick, wl_now());
    if (s->batch.code != 0 && tick % s->batch.every == 0) {
        int64_t start_ns = wl_now();
        fillers_record(&s->fillers, s->batch.items, s->batch.code);
        record(s, &s->batch, tick, start_ns);
    }
}

int main(void)
{
    static session s;
    wl_worker *w = &s.worker;
    wl_open(w, "client");
    wl_operation_read(w, "nothing", &s.nothing);
    if (wl_operation_read(w, "batch", &s.batch))
        fillers_open(&s.fillers, w);
    threads_start(w, wl_spec_int_or(w, "parameters.threads", 1));

    wl_ready(w, &(wl_about){.library = "wirelab-sdk-c",
                            .library_version = "0.1.0",
                            .runtime = "glibc",
                            .runtime_version = gnu_get_libc_version()});
    bool started = wl_wait_start(w);
    for (int64_t tick = 0; started && tick < w->count; tick++) {
        if (!wl_sleep_until(w, wl_intended(w, tick)))
            break;
        perform(&s, tick);
        wl_heartbeat(w);
    }
    if (s.batch.code != 0)
        fillers_close(&s.fillers, w);
    wl_done(w);
    return 0;
}
