/* Boards of WebSocket (RFC 6455), as the engine plays on them: a user joins a board, and what one of
 * its members draws is for all of them. */
#ifndef TRUTH_BOARDS_H
#define TRUTH_BOARDS_H

#include "connections.h"

enum { MOST_BOARDS = 4096, BOARD_NAME = 32 };

typedef struct {
    char name[BOARD_NAME];
    connection **members;
    size_t count, capacity;
} board;

typedef struct {
    board *of[MOST_BOARDS];
    size_t count;
} boards;

/* The frame that every member of a board is to get. */
typedef struct {
    const board *on;
    uint16_t user; /* whose it is */
    size_t size;
    char frame[];
} drawing;

/* Takes what was heard, up to the next drawing, which the caller frees; NULL where there is none.
 * Handshakes and joins are answered at once. */
drawing *boards_next(boards *b, connection *from, wl_worker *w);

#endif
