/* A schedule with steps, in which every user is a lane ("Steps and lanes" of the worker contract). */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "wirelab.h"

typedef struct {
    int64_t first, count, settle, users, lanes, join_ns;
} step;

typedef struct {
    step *steps;
    size_t size;
    int64_t length, active; /* of a cycle, in ticks */
    int64_t users;          /* the most of any step */
} schedule;

/* Reads the steps of the spec; false where there are none. */
bool schedule_read(schedule *s, wl_worker *w);
void schedule_free(schedule *s);

/* The first tick from `tick` on at which a lane is due; the end of the schedule where there is
 * none. */
int64_t schedule_next(const schedule *s, const wl_worker *w, int64_t lane, int64_t tick);

/* When a lane is due at a tick, and when a user is to connect. */
int64_t schedule_intended(const schedule *s, const wl_worker *w, int64_t lane, int64_t tick);
int64_t schedule_join(const schedule *s, const wl_worker *w, int64_t user);

#endif
