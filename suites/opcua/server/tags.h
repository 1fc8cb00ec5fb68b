/* The tags the neutral server serves (README.md of the suite: "The neutral server"). */
#ifndef OPCUA_SERVER_TAGS_H
#define OPCUA_SERVER_TAGS_H

#include <open62541/server.h>
#include <stdint.h>

enum { TAGS = 2000, FIRST_DOUBLE = 1000, FIRST_STRING = 1800 };

/* How often the generation moves on, in ns: five times within a tick of 100 ms, so that an
 * answer kept from an earlier tick is told apart. */
#define GENERATION_NS INT64_C(20000000)

/* What the values depend on; `length` 0: on nothing but tag and generation. */
enum { MOST_SECRET = 32 };
typedef struct {
    uint8_t bytes[MOST_SECRET];
    size_t length;
} secret;

/* Adds the tags below the Objects folder. Generation 0 begins at `epoch_ns`. */
UA_StatusCode tags_add(UA_Server *server, int64_t epoch_ns, const secret *key);

/* Moves to the generation that holds at `now_ns`. */
void tags_advance(int64_t now_ns);

/* Values of tags that were read and written since the start. */
typedef struct {
    uint64_t read, written;
} tags_count;
tags_count tags_counted(void);

/* Forgets what was written. */
void tags_clear(void);

#endif
