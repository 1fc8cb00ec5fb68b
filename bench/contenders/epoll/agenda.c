#include "agenda.h"

/* The golden ratio's fraction in billionths, as docs/reference/worker-contract.md has it. */
enum { GOLDEN = 618033989, WHOLE = 1000000000 };

static int by_phase(const void *left, const void *right)
{
    const lane *a = (const lane *)left, *b = (const lane *)right;
    if (a->phase_ns != b->phase_ns)
        return a->phase_ns < b->phase_ns ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static lane lane_of(int64_t number, int64_t length, int64_t period_ns)
{
    /* 30 s times 10^9 do not fit 64 bits. */
    __int128 shift = (__int128)(number * GOLDEN % WHOLE) * length * period_ns / WHOLE;
    return (lane){(uint32_t)number, (int64_t)(shift % period_ns), (int64_t)(shift / period_ns)};
}

void agenda_open(agenda *a, wl_worker *w)
{
    wl_json steps = wl_json_find(w->spec, "schedule.steps");
    wl_json step = {NULL, NULL}, other;
    memset(a, 0, sizeof *a);
    if (!wl_json_next(steps, NULL, &step))
        wl_fatal(w, "Unsupported", "spec: schedule.steps: this client plays one step");
    other = step;
    if (wl_json_next(steps, NULL, &other) || !wl_json_int(wl_json_find(step, "users"), &a->users)
        || !wl_json_int(wl_json_find(step, "lanes"), &a->lanes_size)
        || !wl_json_int(wl_json_find(step, "settle"), &a->settle)
        || !wl_json_int(wl_json_find(step, "join_ns"), &a->join_ns))
        wl_fatal(w, "Unsupported", "spec: schedule.steps: this client plays one whole step");
    if (a->users < 1 || a->users > UINT16_MAX + 1 || a->lanes_size > a->users)
        wl_fatal(w, "spec", "spec: schedule.steps: users from 1 to 65536, lanes up to as many");
    a->length = wl_spec_int_or(w, "schedule.cycle.length", 1);
    a->active = wl_spec_int_or(w, "schedule.cycle.active", 1);
    if (a->length < 1 || w->period_ns < 1)
        wl_fatal(w, "spec", "spec: schedule: period and cycle must be above 0");
    a->lanes = (lane *)calloc((size_t)a->lanes_size + 1, sizeof *a->lanes);
    if (a->lanes == NULL)
        wl_fatal(w, "memory", "no memory for %lld lanes", (long long)a->lanes_size);
    for (int64_t number = 0; number < a->lanes_size; number++)
        a->lanes[number] = lane_of(number, a->length, w->period_ns);
    qsort(a->lanes, (size_t)a->lanes_size, sizeof *a->lanes, by_phase);
    a->tick = a->settle;
}

int64_t agenda_join_ns(const agenda *a, const wl_worker *w)
{
    if (a->next_join >= a->users)
        return INT64_MAX;
    /* 65,536 users in two days do not fit 64 bits either. */
    return wl_intended(w, 0) + (int64_t)((__int128)a->next_join * a->join_ns / a->users);
}

static bool is_due(const agenda *a, const lane *l)
{
    int64_t turn = (a->tick - l->behind) % a->length;
    return (turn < 0 ? turn + a->length : turn) < a->active;
}

int64_t agenda_send_ns(agenda *a, const wl_worker *w, uint32_t *user)
{
    for (; a->tick < w->count; a->tick++, a->next_lane = 0)
        for (; a->next_lane < a->lanes_size; a->next_lane++) {
            const lane *l = &a->lanes[a->next_lane];
            if (is_due(a, l)) {
                *user = l->number;
                return wl_intended(w, a->tick) + l->phase_ns;
            }
        }
    return INT64_MAX;
}

void agenda_sent(agenda *a)
{
    a->next_lane++;
}

void agenda_close(agenda *a)
{
    free(a->lanes);
    a->lanes = NULL;
}
