/* The service calls of a tick: their requests, prepared once, and what came of them. */
#ifndef CALLS_H
#define CALLS_H

#include "connection.h"

enum { TAGS = 2000, FIRST_DOUBLE = 1000, FIRST_STRING = 1800, WRITABLE_EVERY = 10 };

typedef enum { READ, WRITE, KINDS } kind;

/* A kind of call. At most one of a kind is under way. */
typedef struct call call;
struct call {
    kind kind;
    wl_operation operation; /* code 0: not of this scenario */
    union {
        UA_ReadRequest read;
        UA_WriteRequest write;
    } request;
    union {
        UA_ReadResponse read;
        UA_WriteResponse write;
    } response; /* from completion until call_clear */
    UA_UInt32 request_id;
    bool pending;
    int64_t start_ns, end_ns;
    uint8_t status;           /* the contract's */
    UA_StatusCode code;       /* of the call as a whole, in the library's words */
    bool own;                 /* a read of nodes of the user's own, whose types nobody knows */
    const char *given_up;     /* why, where the worker did not wait for the library */
    const char *said_by;      /* the service or function that `code` comes from */
    void (*ended)(call *);    /* is told when it has ended; NULL: nobody is */
};

/* Prepares the requests of the operations in the spec. */
void calls_open(call calls[KINDS], wl_worker *w);
void calls_close(call calls[KINDS]);

/* Puts x(i, sequence) into the values of the write request. */
void call_set_sequence(call *write, int64_t sequence);

/* Sends the request, timed from `since`, or from now where that is 0. */
void call_send(call *one, connection *c, int64_t since);

/* Ends a call; an answer that comes later is ignored. */
void call_end(call *one, uint8_t status, UA_StatusCode code);

/* Number of items that came back, and the status code of one. */
size_t call_items(const call *one);
UA_StatusCode call_item(const call *one, size_t item);

/* Frees the response. */
void call_clear(call *one);

#endif
