/* Schedule of the worker contract, one step: when users connect and when their lanes send. */
#ifndef AGENDA_H
#define AGENDA_H

#include <wirelab.h>

typedef struct {
    uint32_t number;
    int64_t phase_ns; /* of its sends within a period */
    int64_t behind;   /* periods its cycle is behind that of lane 0 */
} lane;

typedef struct {
    int64_t users, join_ns, settle, length, active;
    lane *lanes; /* by phase: the order of their sends within a tick */
    int64_t lanes_size;
    int64_t next_join; /* user */
    int64_t tick, next_lane;
} agenda;

/* Reads it from the spec; ends the worker for what this client does not play. */
void agenda_open(agenda *a, wl_worker *w);

/* Time at which user `next_join` is to connect; INT64_MAX after the last. */
int64_t agenda_join_ns(const agenda *a, const wl_worker *w);

/* Time at which the next send is due, and its user; INT64_MAX after the last. */
int64_t agenda_send_ns(agenda *a, const wl_worker *w, uint32_t *user);

/* Goes on to the send after it. */
void agenda_sent(agenda *a);

void agenda_close(agenda *a);

#endif
