#include "threads.h"

#include <pthread.h>

static void *idle(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

void threads_start(wl_worker *w, int64_t threads)
{
    for (int64_t i = 1; i < threads; i++) {
        pthread_t one;
        int failed = pthread_create(&one, NULL, idle, NULL);
        if (failed != 0)
            wl_fatal(w, "threads", "thread %lld of %lld: %s", (long long)i + 1, (long long)threads,
                     strerror(failed));
        pthread_detach(one);
    }
}
