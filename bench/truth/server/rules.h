/* Time for which the server keeps each request: the known distributions. */
#ifndef TRUTH_RULES_H
#define TRUTH_RULES_H

#include "wirelab.h"

typedef enum { RULE_CONSTANT, RULE_STALLS, RULE_BIMODAL, RULE_HEAVY, RULE_QUEUE, RULE_WORK } rule;

typedef struct {
    rule rule;
    int64_t delay_us, long_us, long_per_mille, every_us, turns, slower_per_mille;
    int64_t stalls_from_ns;
    uint64_t random;
} rules;

/* Reads them from the spec. */
void rules_read(rules *r, wl_worker *w);

/* Tells whether requests wait for each other: there is one worker. */
bool rules_one_by_one(const rules *r);

/* Draws how long one request is to be kept, in microseconds. */
int64_t rules_decide(rules *r);

/* Time at which a request is to be answered that is kept from `begin_ns` on: later where a stall is
 * then. */
int64_t rules_due(const rules *r, int64_t begin_ns, int64_t decided_us);

/* Computes for one request, where the rule is to compute and not to wait. */
void rules_work(const rules *r);

/* The protocol, and the rule with what nobody can know from outside: when stalls begin. JSON. */
void rules_facts(const rules *r, const char *protocol, char *out, size_t size);

#endif
