/* Requests that are kept: by when they are due, or in a queue of one worker. */
#ifndef TRUTH_WAITING_H
#define TRUTH_WAITING_H

#include "boards.h"

typedef struct {
    int64_t arrived_ns, begin_ns, due_ns;
    uint64_t serial; /* of two that are due at once the first goes first */
    uint32_t decided_us;
    uint16_t connection;
    drawing *drawn; /* NULL: a request of HTTP */
} request;

typedef struct {
    request *at;
    size_t used, capacity;
    uint64_t serial;
} waiting;

/* Adds one; false without memory. */
bool waiting_add(waiting *w, request kept);

/* The one that is due first; NULL of none. */
const request *waiting_first(const waiting *w);

/* Takes the one that is due first; there is one. */
request waiting_take(waiting *w);

#endif
