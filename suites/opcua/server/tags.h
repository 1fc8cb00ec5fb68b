/* The tags the neutral server serves (README.md of the suite: "The neutral server"). */
#ifndef OPCUA_SERVER_TAGS_H
#define OPCUA_SERVER_TAGS_H

#include <open62541/server.h>
#include <stdint.h>

enum { TAGS = 2000, FIRST_DOUBLE = 1000, FIRST_STRING = 1800 };

/* Time after which the generation moves on, in ns: five times within a tick of 100 ms, so that an
 * answer kept from an earlier tick is told apart, and at another place of each tick, so that nobody
 * can ask a little too early and always find the generation of the tick. */
#define GENERATION_NS INT64_C(19700000)

/* Secret that the values depend on; `length` 0: on nothing but tag and generation. */
enum { MOST_SECRET = 32 };
typedef struct {
    uint8_t bytes[MOST_SECRET];
    size_t length;
} secret;

/* Times at which generations begin: number 0 holds before `first_ns`, and from there on one begins
 * every `period_ns`, of which the first has the number `first`. */
typedef struct {
    int64_t first_ns, period_ns;
    uint64_t first;
} timetable;

/* Adds the tags below the Objects folder. */
UA_StatusCode tags_add(UA_Server *server, const timetable *when, const secret *key);

/* Changes when generations begin. */
void tags_follow(const timetable *when);

/* Moves to the generation that holds at `now_ns`. */
void tags_advance(int64_t now_ns);

/* Tells the tags whether a Read is being served: all of its values are of the generation in which
 * it began. What is read otherwise is sampled for a monitored item, and is as new as can be. */
void tags_serve_read(bool is_served);

/* Values handed to Reads with the time of their source, as scenarios ask for it, and the Reads that
 * were handed any; new values handed to monitored items, and all samples taken for them; values that
 * were written: since the start. */
typedef struct {
    uint64_t read, calls, notified, sampled, written;
} tags_count;
tags_count tags_counted(void);

/* Forgets what was written. */
void tags_clear(void);

#endif
