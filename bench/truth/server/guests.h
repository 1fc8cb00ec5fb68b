/* Connections of HTTP/1.1, by number in the order in which they came. */
#ifndef TRUTH_GUESTS_H
#define TRUTH_GUESTS_H

#include "wirelab.h"

enum { MOST_GUESTS = 65536, LARGEST_HEAD = 4096 };

typedef struct {
    int socket; /* -1: it has gone */
    uint16_t number;
    size_t used;
    char head[LARGEST_HEAD];
} guest;

typedef struct {
    guest *of[MOST_GUESTS];
    size_t count;
} guests;

/* Listens at `address` (HOST:PORT); the port it really got. */
int guests_listen(wl_worker *w, const char *address, char *endpoint, size_t size);

/* Takes the next connection; NULL where none waits. */
guest *guests_accept(guests *g, wl_worker *w, int listening);

/* Reads what there is; the number of whole requests in it, -1 where the guest has gone. */
int guest_read(guest *g, wl_worker *w);

/* Answers: with a body of as many bytes as its number and one, by which its lane is known. */
void guest_answer(guest *g, wl_worker *w);

#endif
