/* Many callers at a time: in a session that they share, or each in one of its own. */
#ifndef LANES_H
#define LANES_H

#include "calls.h"
#include "schedule.h"

typedef struct lane lane;

typedef struct {
    wl_worker *worker;
    schedule schedule;
    connection first;  /* whose event loop all connections share */
    bool apart;        /* each lane has a session of its own */
    wl_operation join;
    lane *lanes;
    lane **waiting;    /* a heap: the lane that is to do something soonest comes first */
    lane **ended;      /* lanes whose operation has ended, in that order */
    size_t waiting_size, ended_size;
    int64_t unfinished; /* lanes that have something to do */
    bool stopped;       /* the core has said stop: nothing begins any more */
    bool timed;         /* there is a timer */
    timer_t timer;
} lanes;

/* Prepares the lanes of the spec; false where it has no steps. */
bool lanes_open(lanes *all, wl_worker *w, const call *read);

/* Connects what is shared, and answers the preflight. */
void lanes_begin(lanes *all);

/* Makes the calls of the schedule. */
void lanes_play(lanes *all);

/* Ends all sessions within that time. */
void lanes_close(lanes *all, int64_t patience_ns);

#endif
