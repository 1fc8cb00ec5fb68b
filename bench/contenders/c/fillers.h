/* Samples recorded only to see what recording costs, in a file of their own. */
#ifndef HARNESS_FILLERS_H
#define HARNESS_FILLERS_H

#include <wirelab.h>

typedef struct {
    wl_recorder recorder;
    char path[4096];
} fillers;

/* Creates their file in the worker's scratch folder. */
void fillers_open(fillers *f, wl_worker *w);

/* Records `count` samples, as fast as the recorder takes them. */
void fillers_record(fillers *f, int64_t count, uint8_t code);

/* Completes the file, checks that every record is in it, and removes it. */
void fillers_close(fillers *f, wl_worker *w);

#endif
