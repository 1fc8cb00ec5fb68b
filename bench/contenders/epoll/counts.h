/* Exact counts by the second in which a message was intended: the interval file, without
 * distributions. */
#ifndef COUNTS_H
#define COUNTS_H

#include <wirelab.h>

typedef struct {
    int64_t expected, received, wrong, bytes;
    int64_t dropped; /* of connect */
} second_counts;

typedef struct {
    second_counts *seconds;
    size_t size;
    int64_t tick0_ns;
    int64_t expected, received; /* in all */
    char path[4096];
} counts;

/* Creates the file. */
void counts_open(counts *c, wl_worker *w);

/* The second that a moment belongs to; the last one for all that is later. */
second_counts *counts_at(counts *c, int64_t moment_ns);

/* Writes what was counted. */
void counts_close(counts *c, wl_worker *w);

#endif
