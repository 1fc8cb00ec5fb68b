#include "fillers.h"

#include <sys/stat.h>

void fillers_open(fillers *f, wl_worker *w)
{
    char scratch[3072];
    wl_spec_text(w, "paths.scratch", NULL, scratch, sizeof scratch);
    snprintf(f->path, sizeof f->path, "%s/fillers.samples", scratch);
    /* As many as wl_open makes room for: what does not fit is written in between, and timed. */
    if (!wl_recorder_open(&f->recorder, f->path, w->count))
        wl_fatal(w, "fillers", "%s: %s", f->path, strerror(errno));
}

void fillers_record(fillers *f, int64_t count, uint8_t code)
{
    int64_t now = wl_now();
    for (int64_t i = 0; i < count; i++)
        wl_record(&f->recorder, &(wl_sample){.intended_ns = now,
                                             .start_ns = now,
                                             .end_ns = now,
                                             .op = code,
                                             .lane = (uint16_t)i});
}

void fillers_close(fillers *f, wl_worker *w)
{
    struct stat file;
    uint64_t records = f->recorder.records;
    wl_recorder_close(&f->recorder);
    if (f->recorder.failed != 0 || stat(f->path, &file) != 0)
        wl_fatal(w, "fillers", "%s: %s", f->path,
                 strerror(f->recorder.failed != 0 ? f->recorder.failed : errno));
    if ((uint64_t)file.st_size != (records + 1) * sizeof(wl_sample))
        wl_fatal(w, "fillers", "%s: %llu records make no %lld bytes", f->path,
                 (unsigned long long)records, (long long)file.st_size);
    unlink(f->path);
}
