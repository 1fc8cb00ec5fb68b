/* Connections, by number in the order in which they came, and the requests of HTTP/1.1 on them. */
#ifndef TRUTH_CONNECTIONS_H
#define TRUTH_CONNECTIONS_H

#include "wirelab.h"

enum { MOST_CONNECTIONS = 65536, LARGEST_SAYING = 4096 };

typedef struct {
    int socket; /* -1: it has gone */
    uint16_t number;
    bool upgraded; /* to WebSocket */
    size_t used;
    char said[LARGEST_SAYING]; /* what has come and is not taken yet */
    size_t begun;
    char beginning[LARGEST_SAYING]; /* of a message whose last frame has not come yet */
} connection;

typedef struct {
    connection *of[MOST_CONNECTIONS];
    size_t count;
} connections;

/* Listens at `address` (HOST:PORT); the endpoint, of this scheme, has the port it really got. */
int connections_listen(wl_worker *w, const char *address, const char *scheme, char *endpoint,
                  size_t size);

/* Takes the next connection; NULL where none waits. */
connection *connections_accept(connections *c, wl_worker *w, int listening);

/* Reads what there is; false where nothing has come, or the connection has gone. */
bool connection_hear(connection *c, wl_worker *w);

/* Takes so many bytes off what was heard. */
void connection_forget(connection *c, size_t bytes);

/* Sends all of it; nothing to who has gone. */
void connection_tell(connection *c, wl_worker *w, const void *bytes, size_t size);

/* Ends the connection. */
void connection_end(connection *c);

/* Takes the whole requests off what was heard: their number. */
int connection_requests(connection *c);

/* Answers: with a body of as many bytes as its number and one, by which its lane is known. */
void connection_answer(connection *c, wl_worker *w);

#endif
