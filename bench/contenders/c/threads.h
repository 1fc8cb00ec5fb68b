/* Threads that only exist: what the probe has to look at in a process such as a JVM. */
#ifndef HARNESS_THREADS_H
#define HARNESS_THREADS_H

#include <wirelab.h>

/* Makes the process one of `threads` threads, the calling one included. */
void threads_start(wl_worker *w, int64_t threads);

#endif
