#include "counts.h"

enum { SECOND = 1000000000 };

static FILE *create(const counts *c, wl_worker *w)
{
    FILE *file = fopen(c->path, "we");
    if (file == NULL)
        wl_fatal(w, "intervals", "%s: %s", c->path, strerror(errno));
    return file;
}

void counts_open(counts *c, wl_worker *w)
{
    memset(c, 0, sizeof *c);
    wl_spec_text(w, "paths.intervals", NULL, c->path, sizeof c->path);
    int64_t all_ns = w->first_ns + w->count * w->period_ns + w->operation_ns;
    c->size = (size_t)(all_ns / SECOND) + 2;
    c->seconds = (second_counts *)calloc(c->size, sizeof *c->seconds);
    if (c->seconds == NULL)
        wl_fatal(w, "memory", "no memory for %zu seconds", c->size);
    fclose(create(c, w));
}

second_counts *counts_at(counts *c, int64_t moment_ns)
{
    int64_t second = (moment_ns - c->tick0_ns) / SECOND;
    size_t last = c->size - 1;
    return &c->seconds[second < 0 ? 0 : (size_t)second > last ? last : (size_t)second];
}

static void write_second(FILE *file, size_t number, const second_counts *s)
{
    if (s->expected > 0 || s->received > 0 || s->wrong > 0)
        fprintf(file,
                "{\"second\":%zu,\"operation\":\"delivery\",\"counts\":{\"expected\":%lld,"
                "\"received\":%lld,\"wrong\":%lld,\"bytes\":%lld}}\n",
                number, (long long)s->expected, (long long)s->received, (long long)s->wrong,
                (long long)s->bytes);
    if (s->dropped > 0)
        fprintf(file,
                "{\"second\":%zu,\"operation\":\"connect\",\"counts\":{\"dropped\":%lld}}\n",
                number, (long long)s->dropped);
}

void counts_close(counts *c, wl_worker *w)
{
    FILE *file = create(c, w);
    for (size_t number = 0; number < c->size; number++)
        write_second(file, number, &c->seconds[number]);
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        wl_fatal(w, "intervals", "%s cannot be written", c->path);
    free(c->seconds);
    c->seconds = NULL;
}
