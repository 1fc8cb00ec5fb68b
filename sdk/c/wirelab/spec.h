/* Reading of the spec: what the core wants of this worker. A key that is missing or of another type
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

/* An operation of the scenario, and how often it is verified before it is timed. */
typedef struct {
    char name[32];
    uint8_t code;
    int64_t every, items, preflight;
} wl_operation;

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
    return true;
}

#endif
