#include "rules.h"

#include <math.h>

enum { US = 1000 };

static const char *const NAMES[] = {"constant", "stalls", "bimodal", "heavy", "queue", "work"};
static const double TAIL = 1.5; /* of the heavy one: a share x^-1.5 takes x times the delay */

void rules_read(rules *r, wl_worker *w)
{
    char name[16];
    wl_spec_text(w, "parameters.rule", NULL, name, sizeof name);
    size_t found = 0, known = sizeof NAMES / sizeof *NAMES;
    while (found < known && strcmp(NAMES[found], name) != 0)
        found++;
    if (found == known)
        wl_fatal(w, "spec", "spec: parameters.rule: \"%s\" is no rule of this server", name);
    r->rule = (rule)found;
    r->delay_us = wl_spec_int_or(w, "parameters.delay_us", 0);
    r->long_us = wl_spec_int_or(w, "parameters.long_us", 0);
    r->long_per_mille = wl_spec_int_or(w, "parameters.long_per_mille", 0);
    r->every_us = wl_spec_int_or(w, "parameters.every_us", 0);
    r->turns = wl_spec_int_or(w, "parameters.turns", 0);
    r->slower_per_mille = wl_spec_int_or(w, "parameters.slower_per_mille", 0);
    r->random = (uint64_t)wl_spec_int_or(w, "seed", 0);
    if (r->rule == RULE_STALLS && r->every_us < 1)
        wl_fatal(w, "spec", "spec: parameters.every_us: stalls come in intervals");
    r->stalls_from_ns = wl_now();
}

bool rules_one_by_one(const rules *r)
{
    return r->rule == RULE_QUEUE || r->rule == RULE_WORK;
}

/* splitmix64 */
static uint64_t drawn(rules *r)
{
    uint64_t z = r->random += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static int64_t slowed(const rules *r, int64_t amount)
{
    return amount * (1000 + r->slower_per_mille) / 1000;
}

int64_t rules_decide(rules *r)
{
    int64_t decided = r->delay_us;
    if (r->rule == RULE_BIMODAL || r->rule == RULE_QUEUE) {
        if ((int64_t)(drawn(r) % 1000) < r->long_per_mille)
            decided = r->long_us;
    } else if (r->rule == RULE_HEAVY) {
        double share = ((double)(drawn(r) >> 11) + 1) / 9007199254740992.0; /* 2^53 */
        double tail = (double)r->delay_us * pow(share, -1 / TAIL);
        decided = tail < (double)r->long_us ? (int64_t)tail : r->long_us;
    }
    return slowed(r, decided);
}

int64_t rules_due(const rules *r, int64_t begin_ns, int64_t decided_us)
{
    int64_t due_ns = begin_ns + decided_us * US;
    if (r->rule != RULE_STALLS)
        return due_ns;
    int64_t since_ns = (due_ns - r->stalls_from_ns) % (r->every_us * US);
    return since_ns < r->long_us * US ? due_ns - since_ns + r->long_us * US : due_ns;
}

void rules_work(const rules *r)
{
    rules own = {.random = 1};
    volatile uint64_t kept = 0;
    for (int64_t turn = slowed(r, r->turns); turn > 0; turn--)
        kept = drawn(&own);
    (void)kept;
}

void rules_facts(const rules *r, const char *protocol, char *out, size_t size)
{
    snprintf(out, size,
             "{\"protocol\":\"%s\",\"rule\":\"%s\",\"stalls_from_ns\":%lld,"
             "\"every_ns\":%lld,\"stall_ns\":%lld}",
             protocol, NAMES[r->rule], (long long)r->stalls_from_ns, (long long)(r->every_us * US),
             (long long)(r->long_us * US));
}
