#include "schedule.h"

/* Part of a cycle by which each further lane is shifted, in billionths: the golden ratio. */
#define GOLDEN INT64_C(618033989)
#define WHOLE INT64_C(1000000000)

static int64_t member(wl_worker *w, wl_json from, const char *name)
{
    int64_t value = 0;
    if (!wl_json_int(wl_json_find(from, name), &value) || value < 0)
        wl_fatal(w, "spec", "spec: schedule.steps: %s: expected a whole number", name);
    return value;
}

bool schedule_read(schedule *s, wl_worker *w)
{
    wl_json steps = wl_json_find(w->spec, "schedule.steps"), item = {NULL, NULL};
    memset(s, 0, sizeof *s);
    while (wl_json_next(steps, NULL, &item)) {
        s->steps = (step *)realloc(s->steps, (s->size + 1) * sizeof *s->steps);
        if (s->steps == NULL)
            abort();
        step *one = &s->steps[s->size++];
        one->first = member(w, item, "first");
        one->count = member(w, item, "count");
        one->settle = member(w, item, "settle");
        one->users = member(w, item, "users");
        one->lanes = member(w, item, "lanes");
        one->join_ns = member(w, item, "join_ns");
        if (one->lanes > one->users || one->users > UINT16_MAX + INT64_C(1))
            wl_fatal(w, "spec", "spec: schedule.steps: more lanes than users, or than can be told apart");
        if (one->users > s->users)
            s->users = one->users;
    }
    s->length = wl_spec_int_or(w, "schedule.cycle.length", 1);
    s->active = wl_spec_int_or(w, "schedule.cycle.active", 1);
    if (s->length < 1)
        wl_fatal(w, "spec", "spec: schedule.cycle.length: expected at least 1");
    return s->size > 0;
}

void schedule_free(schedule *s)
{
    free(s->steps);
    s->steps = NULL;
}

/* Below 10^9 times a cycle: too large for 64 bits where a cycle is longer than 9 seconds. */
static int64_t shift_of(const schedule *s, const wl_worker *w, int64_t lane)
{
    int64_t part = lane % WHOLE * GOLDEN % WHOLE, cycle = s->length * w->period_ns;
    return cycle / WHOLE * part + cycle % WHOLE * part / WHOLE;
}

static bool is_active(const schedule *s, const wl_worker *w, int64_t lane, int64_t tick)
{
    int64_t place = (tick - shift_of(s, w, lane) / w->period_ns) % s->length;
    return (place + s->length) % s->length < s->active;
}

int64_t schedule_next(const schedule *s, const wl_worker *w, int64_t lane, int64_t tick)
{
    int64_t known = 0;
    for (size_t i = 0; i < s->size; i++) {
        const step *one = &s->steps[i];
        int64_t from = one->first + (lane < known ? 0 : one->settle);
        for (int64_t at = from > tick ? from : tick;
             lane < one->lanes && at < one->first + one->count; at++)
            if (is_active(s, w, lane, at))
                return at;
        known = one->lanes;
    }
    return w->count;
}

int64_t schedule_intended(const schedule *s, const wl_worker *w, int64_t lane, int64_t tick)
{
    return wl_intended(w, tick) + shift_of(s, w, lane) % w->period_ns;
}

/* In two parts: the product is beyond 64 bits for many users in days. */
int64_t schedule_join(const schedule *s, const wl_worker *w, int64_t user)
{
    int64_t known = 0;
    for (size_t i = 0; i < s->size; i++) {
        const step *one = &s->steps[i];
        int64_t fresh = one->users - known, place = user - known;
        if (place >= 0 && place < fresh)
            return wl_intended(w, one->first) + one->join_ns / fresh * place
                 + one->join_ns % fresh * place / fresh;
        if (one->users > known)
            known = one->users;
    }
    return INT64_MAX;
}
