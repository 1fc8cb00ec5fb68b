/* The users: their connections, what they have under way, what came back. */
#ifndef USERS_H
#define USERS_H

#include "counts.h"

#include <netinet/in.h>
#include <wirelab.h>

typedef struct {
    int64_t intended_ns, start_ns; /* start_ns 0: it came back, or was given up */
} sent;

typedef enum { ABSENT, CONNECTING, UPGRADING, JOINING, MEMBER } user_state;

typedef struct {
    int file;
    uint8_t state;
    uint32_t next_seq;
    uint8_t *rest; /* of a frame that has not come whole */
    size_t rest_size;
    int64_t connect_intended_ns, connect_start_ns;
} user;

typedef struct {
    wl_worker *worker;
    counts counts;
    user *users;
    int64_t users_size, board_size;
    sent *sent; /* the last `slots` messages of each user */
    uint32_t slots;
    int32_t *members; /* by board */
    int64_t under_way; /* own messages, of all users */
    size_t message_bytes;
    uint8_t rtt, connect; /* codes */
    int epoll;
    uint32_t mask;
    struct sockaddr_in server;
    char request[512];
} crowd;

/* Reads who plays where against whom; nobody is connected yet. */
void crowd_open(crowd *c, wl_worker *w, int64_t users, int epoll);

/* Begins to connect a user. */
void crowd_connect(crowd *c, uint32_t number, int64_t intended_ns);

/* Sends the next message of a user. */
void crowd_send(crowd *c, uint32_t number, int64_t intended_ns);

/* Reads and writes what a user's socket is ready for. */
void crowd_happened(crowd *c, uint32_t number, uint32_t events);

/* Tells whether everything sent has come, to everybody. */
bool crowd_is_served(const crowd *c);

/* Gives up what is under way, closes all connections, writes the counts. */
void crowd_close(crowd *c);

#endif
