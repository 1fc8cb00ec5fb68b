#include "waiting.h"

static bool earlier(const request *left, const request *right)
{
    return left->due_ns < right->due_ns
        || (left->due_ns == right->due_ns && left->serial < right->serial);
}

static void swap(request *left, request *right)
{
    request kept = *left;
    *left = *right;
    *right = kept;
}

bool waiting_add(waiting *w, request kept)
{
    if (w->used == w->capacity) {
        size_t capacity = w->capacity == 0 ? 1024 : 2 * w->capacity;
        request *at = (request *)realloc(w->at, capacity * sizeof *at);
        if (at == NULL)
            return false;
        w->at = at;
        w->capacity = capacity;
    }
    kept.serial = w->serial++;
    size_t place = w->used++;
    w->at[place] = kept;
    for (; place > 0 && earlier(&w->at[place], &w->at[(place - 1) / 2]); place = (place - 1) / 2)
        swap(&w->at[place], &w->at[(place - 1) / 2]);
    return true;
}

const request *waiting_first(const waiting *w)
{
    return w->used == 0 ? NULL : w->at;
}

request waiting_take(waiting *w)
{
    request first = w->at[0];
    w->at[0] = w->at[--w->used];
    for (size_t place = 0, least;; place = least) {
        least = place;
        for (size_t below = 2 * place + 1; below <= 2 * place + 2 && below < w->used; below++)
            if (earlier(&w->at[below], &w->at[least]))
                least = below;
        if (least == place)
            return first;
        swap(&w->at[place], &w->at[least]);
    }
}
