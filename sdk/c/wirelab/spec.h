/* What the core wants of this worker: reading the spec. A key that is missing or of another type
 * than expected ends the worker, with its path in the message. */
#ifndef WIRELAB_SPEC_H
#define WIRELAB_SPEC_H

#include "worker.h"

/* The integer at `path`, such as "schedule.period_ns". */
static inline int64_t wl_spec_int(wl_worker *w, const char *path)
{
    int64_t value = 0;
    if (!wl_json_int(wl_json_find(w->spec, path), &value))
        wl_fatal(w, "spec", "spec: %s: expected an integer", path);
    return value;
}

static inline int64_t wl_spec_int_or(wl_worker *w, const char *path, int64_t fallback)
{
    return wl_json_find(w->spec, path).at == NULL ? fallback : wl_spec_int(w, path);
}

/* Copies the string at `path`; where there is none, `fallback` (NULL: there must be one). */
static inline void wl_spec_text(wl_worker *w, const char *path, const char *fallback, char *out,
                                size_t size)
{
    wl_json value = wl_json_find(w->spec, path);
    if (value.at == NULL && fallback != NULL)
        snprintf(out, size, "%s", fallback);
    else if (!wl_json_string(value, out, size))
        wl_fatal(w, "spec", "spec: %s: expected a string of less than %zu bytes", path, size);
}

/* An operation of the scenario, and what is to be verified of it. */
typedef struct {
    char name[32];
    uint8_t code;
    int64_t every, items, preflight;
    int64_t *ticks; /* ascending: those whose answers are written */
    size_t ticks_size;
} wl_operation;

static inline int wl__ascending(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static inline void wl__verified_ticks(wl_worker *w, wl_operation *op, const char *path)
{
    wl_json ticks = wl_json_find(w->spec, path), tick = {NULL, NULL};
    if (ticks.at == NULL)
        return;
    if (*ticks.at != '[')
        wl_fatal(w, "spec", "spec: %s: expected an array of integers", path);
    while (wl_json_next(ticks, NULL, &tick))
        op->ticks_size++;
    op->ticks = (int64_t *)calloc(op->ticks_size + 1, sizeof *op->ticks);
    tick.at = NULL;
    for (size_t i = 0; op->ticks != NULL && wl_json_next(ticks, NULL, &tick); i++)
        if (!wl_json_int(tick, &op->ticks[i]))
            wl_fatal(w, "spec", "spec: %s: expected an array of integers", path);
    if (op->ticks == NULL)
        wl_fatal(w, "spec", "spec: %s: no memory for %zu ticks", path, op->ticks_size);
    qsort(op->ticks, op->ticks_size, sizeof *op->ticks, wl__ascending);
}

/* Reads the operation `name`; false where the spec has none of that name. */
static inline bool wl_operation_read(wl_worker *w, const char *name, wl_operation *op)
{
    char path[96];
    memset(op, 0, sizeof *op);
    snprintf(op->name, sizeof op->name, "%s", name);
    snprintf(path, sizeof path, "operations.%s", op->name);
    if (wl_json_find(w->spec, path).at == NULL)
        return false;
    snprintf(path, sizeof path, "operations.%s.code", op->name);
    int64_t code = wl_spec_int(w, path);
    snprintf(path, sizeof path, "operations.%s.every", op->name);
    op->every = wl_spec_int_or(w, path, 1);
    snprintf(path, sizeof path, "operations.%s.items", op->name);
    op->items = wl_spec_int_or(w, path, 1);
    if (code < 1 || code > 255 || op->every < 1 || op->items < 1)
        wl_fatal(w, "spec",
                 "spec: operations.%s: code must be 1 to 255, every and items at least 1", op->name);
    op->code = (uint8_t)code;
    snprintf(path, sizeof path, "verify.preflight.%s", op->name);
    op->preflight = wl_spec_int_or(w, path, 0);
    snprintf(path, sizeof path, "verify.ticks.%s", op->name);
    wl__verified_ticks(w, op, path);
    return true;
}

static inline bool wl_verified(const wl_operation *op, int64_t tick)
{
    return op->ticks_size > 0
        && bsearch(&tick, op->ticks, op->ticks_size, sizeof tick, wl__ascending) != NULL;
}

static inline void wl_operation_clear(wl_operation *op)
{
    free(op->ticks);
    memset(op, 0, sizeof *op);
}

#endif
