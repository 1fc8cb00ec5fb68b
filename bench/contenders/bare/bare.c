/* The reference of the scenario `ticks`: nothing but clock_nanosleep(TIMER_ABSTIME) in a loop.
 *
 * The SDK speaks the contract before and after the loop; inside it neither its ticker nor its
 * recorder is used. `stop` is looked for once a second, outside of what is timed. */
#include <wirelab.h>

#include <gnu/libc-version.h>
#include <sys/prctl.h>

enum { TICKS_A_LOOK = 100 };

typedef struct {
    int64_t start_ns, end_ns;
} stamps;

/* The loop; returns how many ticks were done. */
static int64_t loop(wl_worker *w, stamps *kept)
{
    int64_t tick = 0;
    while (tick < w->count) {
        int64_t due = wl_intended(w, tick);
        struct timespec when = {(time_t)(due / 1000000000), (long)(due % 1000000000)};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL) == EINTR)
            continue;
        kept[tick].start_ns = wl_now();
        kept[tick].end_ns = wl_now();
        tick++;
        if (tick % TICKS_A_LOOK == 0 && wl_stopping(w))
            break;
    }
    return tick;
}

int main(void)
{
    static wl_worker w;
    wl_operation nothing;
    wl_open(&w, "client");
    if (!wl_operation_read(&w, "nothing", &nothing))
        wl_fatal(&w, "spec", "spec: operations: expected nothing");
    stamps *kept = (stamps *)malloc(((size_t)w.count + 1) * sizeof *kept);
    if (kept == NULL)
        wl_fatal(&w, "memory", "no memory for %lld ticks", (long long)w.count);
    /* Touched now: a page fault must not fall between waking up and reading the clock. */
    memset(kept, 0xFF, ((size_t)w.count + 1) * sizeof *kept);

    char facts[64];
    snprintf(facts, sizeof facts, "{\"timer_slack_ns\":%d}", prctl(PR_GET_TIMERSLACK));
    wl_ready(&w, &(wl_about){.library = "clock_nanosleep",
                             .library_version = "POSIX.1-2024",
                             .runtime = "glibc",
                             .runtime_version = gnu_get_libc_version(),
                             .facts = facts});
    int64_t done = wl_wait_start(&w) ? loop(&w, kept) : 0;
    for (int64_t tick = 0; tick < done; tick++)
        wl_record(&w.samples, &(wl_sample){.intended_ns = wl_intended(&w, tick),
                                           .start_ns = kept[tick].start_ns,
                                           .end_ns = kept[tick].end_ns,
                                           .op = nothing.code});
    free(kept);
    wl_done(&w);
    return 0;
}
