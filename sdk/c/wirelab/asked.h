/* Answers that the core asks for after their operation. The results of each lane are kept from
 * their end until the lane begins again; what was asked meanwhile waits for their end. */
#ifndef WIRELAB_ASKED_H
#define WIRELAB_ASKED_H

#include "recorder.h"
#include <time.h>

enum { WL_KEPT = 8, WL_WAITING = 64 };

/* The end of an operation. The answer itself stays with the worker, at `context`. */
typedef struct {
    char operation[32];
    int64_t lane, tick, start_ns, end_ns;
    const void *context; /* NULL: it failed, and has no answer */
    bool given;
} wl_result;

typedef struct {
    int64_t number, lane;
    char operation[32];
} wl_asking;

/* Puts the answer of a result, a JSON value, into the text. */
typedef void (*wl_put_answer)(wl_text *text, const wl_result *result);

typedef struct {
    wl_put_answer put;
    wl_recorder *published; /* its records are in their file before an answer says so; or NULL */
    wl_result kept[WL_KEPT]; /* of all lanes together */
    size_t kept_size;
    wl_asking waiting[WL_WAITING];
    size_t waiting_size;
} wl_asked;

static inline int64_t wl__now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void wl__answer(wl_asked *asked, wl_answers *a, const wl_asking *asking,
                              wl_result *result)
{
    a->line.used = 0;
    wl_putf(&a->line, "{\"phase\":\"measure\",\"operation\":\"%s\",\"asked\":%lld,\"lane\":%lld",
            asking->operation, (long long)asking->number, (long long)asking->lane);
    if (result == NULL || result->given || result->context == NULL) {
        wl_putf(&a->line, ",\"none\":\"%s\"",
                result == NULL ? "nothing" : result->given ? "given" : "failed");
        wl_answer_end(a);
        return;
    }
    wl_putf(&a->line, ",\"tick\":%lld,\"start_ns\":%lld,\"end_ns\":%lld,\"answer\":",
            (long long)result->tick, (long long)result->start_ns, (long long)result->end_ns);
    int64_t begin = wl__now();
    if (asked->published != NULL)
        wl_recorder_flush(asked->published);
    asked->put(&a->line, result);
    if (asked->published != NULL)
        wl_putf(&a->line, ",\"records\":%lld", (long long)asked->published->records);
    wl_putf(&a->line, ",\"pause\":[%lld,%lld]", (long long)begin, (long long)wl__now());
    wl_answer_end(a);
    result->given = true;
}

/* Answers with what is kept of the lane; false where it is at work, or has not begun yet. */
static inline bool wl__answer_now(wl_asked *asked, wl_answers *a, const wl_asking *asking)
{
    bool ended = false;
    wl_result *own = NULL;
    for (size_t i = 0; i < asked->kept_size; i++) {
        wl_result *one = &asked->kept[i];
        ended |= one->lane == asking->lane;
        if (one->lane == asking->lane && strcmp(one->operation, asking->operation) == 0)
            own = one;
    }
    if (ended)
        wl__answer(asked, a, asking, own);
    return ended;
}

/* Forgets what is kept of a lane that begins its next operations. */
static inline void wl_asked_begin(wl_asked *asked, int64_t lane)
{
    size_t left = 0;
    for (size_t i = 0; i < asked->kept_size; i++)
        if (asked->kept[i].lane != lane)
            asked->kept[left++] = asked->kept[i];
    asked->kept_size = left;
}

/* Keeps what an operation brought; once all of the lane are kept, wl_asked_end answers. */
static inline void wl_asked_keep(wl_asked *asked, const wl_result *result)
{
    if (asked->kept_size < WL_KEPT)
        asked->kept[asked->kept_size++] = *result;
}

/* Answers what waited for operations that have ended. */
static inline void wl_asked_end(wl_asked *asked, wl_answers *a)
{
    size_t left = 0;
    for (size_t i = 0; i < asked->waiting_size; i++)
        if (!wl__answer_now(asked, a, &asked->waiting[i]))
            asked->waiting[left++] = asked->waiting[i];
    asked->waiting_size = left;
}

/* Answers an asking, or lets it wait; what is too much has no answer. */
static inline void wl_asked_hear(wl_asked *asked, wl_answers *a, const wl_asking *asking)
{
    if (wl__answer_now(asked, a, asking))
        return;
    if (asked->waiting_size < WL_WAITING)
        asked->waiting[asked->waiting_size++] = *asking;
    else
        wl__answer(asked, a, asking, NULL);
}

#endif
