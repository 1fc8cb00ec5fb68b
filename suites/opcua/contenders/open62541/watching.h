/* Changes of the tags: as a subscription tells of them, or as polling finds them. */
#ifndef WATCHING_H
#define WATCHING_H

#include "calls.h"

/* Number of sets of values that are kept for a caller who is behind. */
enum { SETS = 8 };

/* Set number n: the values of all tags when each has come n times more than at first. */
typedef struct {
    wl_operation operation; /* code 0: nothing is watched */
    bool polls;
    int64_t interval_ns, next_poll_ns;
    UA_DataValue latest[TAGS];
    int64_t came[TAGS];
    int64_t number; /* of the set that is being completed */
    size_t missing;
    UA_DataValue sets[SETS][TAGS];
} watch;

/* Reads what the spec wants to be watched; false where that is nothing. */
bool watch_open(watch *one, wl_worker *w);
void watch_close(watch *one);

/* Subscribes, or polls from now on; then waits for the first values and writes them as the answer
 * of the preflight. */
void watch_begin(watch *one, wl_worker *w, connection *c);

/* Plays the schedule: the operation of a tick ends when the values of its change are there. */
void watch_play(watch *one, wl_worker *w, connection *c);

#endif
