/* The C SDK, and the bare epoll client's agenda, against the vectors of the worker contract: compares
 * what C computes, and says what it looked at; tests/sdk/test_c_vectors.py judges the rest. */
#include "agenda.h"

static void wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    exit(1);
}

static wl_json read_vectors(const char *folder, const char *name)
{
    char path[4096];
    size_t size, at;
    wl_json root;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = wl__read_file(path, &size);
    if (text == NULL || !wl_json_parse(text, size, &root, &at))
        wrong("%s cannot be read\n", path);
    return root;
}

static int64_t whole(wl_json of, const char *path)
{
    int64_t value;
    if (!wl_json_int(wl_json_find(of, path), &value))
        wrong("no whole number %s in %.60s\n", path, of.at);
    return value;
}

static char *text(wl_json of, const char *path, char out[512])
{
    if (!wl_json_string(wl_json_find(of, path), out, 512))
        wrong("no text %s in %.60s\n", path, of.at);
    return out;
}

/* Reads the pair that follows `*item` in a list of pairs; false after the last. */
static bool next_pair(wl_json list, wl_json *item, int64_t *first, int64_t *second)
{
    wl_json part = {NULL, NULL};
    if (!wl_json_next(list, NULL, item))
        return false;
    if (!wl_json_next(*item, NULL, &part) || !wl_json_int(part, first)
        || !wl_json_next(*item, NULL, &part) || !wl_json_int(part, second))
        wrong("not a pair: %.60s\n", item->at);
    return true;
}

/* ---- Schedules ---------------------------------------------------------------------------- */

typedef struct {
    int64_t number;
    wl_json due, at;
} lane_vector;

static int schedules, ticks, sends, joins;

/* Judges what wl_intended says of every tick that a lane is due at. */
static void judge_ticks(const wl_worker *w, wl_json lane)
{
    wl_json due = wl_json_find(lane, "due"), item = {NULL, NULL};
    int64_t tick, after_ns, within_ns = whole(lane, "shift_ns") % w->period_ns;
    for (; next_pair(due, &item, &tick, &after_ns); ticks++)
        if (wl_intended(w, tick) + within_ns != after_ns)
            wrong("tick %lld: not %lld\n", (long long)tick, (long long)after_ns);
}

/* Judges what the agenda of one step says of the lanes that are written out, and of who joins. */
static void judge_agenda(wl_worker *w, lane_vector *lanes, size_t count)
{
    agenda a;
    uint32_t user;
    wl_json known = wl_json_find(w->spec, "joins"), item = {NULL, NULL};
    int64_t joining, tick, after_ns, at_ns;
    agenda_open(&a, w);
    while ((at_ns = agenda_send_ns(&a, w, &user)) != INT64_MAX) {
        for (lane_vector *lane = lanes; lane < lanes + count; lane++) {
            if (lane->number != user)
                continue;
            if (!next_pair(lane->due, &lane->at, &tick, &after_ns) || tick != a.tick
                || after_ns != at_ns)
                wrong("lane %u: due at %lld of tick %lld\n", user, (long long)at_ns,
                      (long long)a.tick);
            sends++;
        }
        agenda_sent(&a);
    }
    for (lane_vector *lane = lanes; lane < lanes + count; lane++)
        if (next_pair(lane->due, &lane->at, &tick, &after_ns))
            wrong("lane %lld: never due at tick %lld\n", (long long)lane->number, (long long)tick);
    while (next_pair(known, &item, &joining, &after_ns)) {
        a.next_join = joining;
        if (agenda_join_ns(&a, w) != after_ns)
            wrong("user %lld joins at %lld, not %lld\n", (long long)joining,
                  (long long)agenda_join_ns(&a, w), (long long)after_ns);
        joins++;
    }
    agenda_close(&a);
}

static void judge_schedules(const char *folder)
{
    wl_json timed = wl_json_find(read_vectors(folder, "schedule.json"), "timed");
    for (wl_json item = {NULL, NULL}; wl_json_next(timed, NULL, &item); schedules++) {
        wl_worker w;
        lane_vector lanes[16];
        size_t count = 0, steps = 0;
        memset(&w, 0, sizeof w);
        w.spec = item;
        w.first_ns = whole(item, "schedule.first_ns");
        w.period_ns = whole(item, "schedule.period_ns");
        w.count = whole(item, "schedule.count");
        wl_json list = wl_json_find(item, "lanes"), lane = {NULL, NULL}, step = {NULL, NULL};
        while (wl_json_next(list, NULL, &lane) && count < sizeof lanes / sizeof *lanes) {
            judge_ticks(&w, lane);
            lane_vector entry = {whole(lane, "lane"), wl_json_find(lane, "due"), {NULL, NULL}};
            lanes[count++] = entry;
        }
        list = wl_json_find(item, "schedule.steps");
        while (wl_json_next(list, NULL, &step))
            steps++;
        if (steps == 1)
            judge_agenda(&w, lanes, count);
    }
}

/* ---- Sample file -------------------------------------------------------------------------- */

static void write_samples(const char *folder, const char *path)
{
    wl_recorder recorder;
    wl_json list = wl_json_find(read_vectors(folder, "samples.json"), "records");
    if (!wl_recorder_open(&recorder, path, 0))
        wrong("%s: %s\n", path, strerror(errno));
    for (wl_json item = {NULL, NULL}; wl_json_next(list, NULL, &item);) {
        wl_sample sample = {
            whole(item, "intended_ns"), whole(item, "start_ns"), whole(item, "end_ns"),
            (uint32_t)whole(item, "size"), (uint8_t)whole(item, "op"),
            (uint8_t)whole(item, "status"), (uint16_t)whole(item, "lane"),
        };
        wl_record(&recorder, &sample);
    }
    wl_recorder_close(&recorder);
}

/* ---- Events and commands ------------------------------------------------------------------ */

/* A worker whose events go to standard output. */
static void begin(wl_worker *w)
{
    memset(w, 0, sizeof *w);
    w->events = STDOUT_FILENO;
}

/* The JSON text of a member, or NULL where there is none. */
static const char *raw(wl_json of, const char *path, wl_text *out)
{
    wl_json value = wl_json_find(of, path);
    const char *end = value.at;
    if (value.at == NULL || !wl__value(&end, value.end, 0))
        return NULL;
    wl_put(out, value.at, (size_t)(end - value.at));
    wl_put(out, "", 1);
    return out->at;
}

static void say_ready(wl_worker *w, wl_json said)
{
    char name[512], version[512], endpoint[512];
    wl_text facts = {NULL, 0, 0}, capabilities = {NULL, 0, 0};
    wl_about about = {text(said, "library.name", name), text(said, "library.version", version),
                      "C", "11", NULL, raw(said, "facts", &facts),
                      raw(said, "capabilities", &capabilities)};
    if (wl_json_find(said, "endpoint").at != NULL)
        about.endpoint = text(said, "endpoint", endpoint);
    wl_ready(w, &about);
    free(facts.at);
    free(capabilities.at);
    free(w->line.at);
}

static void say_error(wl_worker *w, wl_json said)
{
    char failure[512], status[512], message[512], scope[512], operation[512];
    wl_failure f = {text(said, "class", failure), text(said, "status", status),
                    text(said, "message", message), text(said, "scope", scope),
                    text(said, "operation", operation), whole(said, "intended_ns")};
    wl_error(w, &f);
    free(w->line.at);
}

static void say_done(wl_worker *w, wl_json said, const char *path)
{
    char checksum[512];
    if (!wl_recorder_open(&w->samples, path, 0) || (w->answers.file = wl__create(path)) < 0
        || (w->timer = dup(STDERR_FILENO)) < 0)
        wrong("%s: %s\n", path, strerror(errno));
    w->samples.records = (uint64_t)whole(said, "records");
    w->answers.lines = (uint64_t)whole(said, "answers");
    w->answers.checksum = (uint32_t)strtoul(text(said, "checksum", checksum), NULL, 16);
    wl_done(w);
}

/* Says every event that this SDK has; it has no steps. */
static void say_events(const char *folder, const char *path)
{
    wl_json list = wl_json_find(read_vectors(folder, "events.json"), "events");
    for (wl_json item = {NULL, NULL}; wl_json_next(list, NULL, &item);) {
        wl_worker w;
        char kind[512];
        begin(&w);
        text(item, "event", kind);
        if (strcmp(kind, "ready") == 0) {
            say_ready(&w, item);
        } else if (strcmp(kind, "error") == 0) {
            say_error(&w, item);
        } else if (strcmp(kind, "done") == 0) {
            say_done(&w, item, path);
        } else if (strcmp(kind, "progress") == 0) {
            w.samples.records = (uint64_t)whole(item, "records");
            wl_heartbeat(&w);
            free(w.line.at);
        }
    }
}

static void judge_commands(const char *folder)
{
    int starts = 0, stops = 0;
    wl_json list = wl_json_find(read_vectors(folder, "events.json"), "commands");
    for (wl_json item = {NULL, NULL}; wl_json_next(list, NULL, &item);) {
        wl_worker w;
        char line[512];
        int64_t start_ns = 0;
        bool start = wl_json_int(wl_json_find(item, "start_ns"), &start_ns);
        begin(&w);
        text(item, "line", line);
        wl__obey(&w, line, strlen(line));
        if (w.started != start || w.stopped == start || w.start_ns != start_ns)
            wrong("misunderstood: %s\n", line);
        starts += start;
        stops += !start;
    }
    printf("{\"starts\": %d, \"stops\": %d, ", starts, stops);
}

/* ---- Answers that are asked for ------------------------------------------------------------ */

static void put_raw(wl_text *out, const wl_result *result)
{
    wl_put(out, (const char *)result->context, strlen((const char *)result->context));
}

static void end_lane(wl_worker *w, wl_json does)
{
    char operation[512];
    wl_json results = wl_json_find(does, "results");
    for (wl_json one = {NULL, NULL}; wl_json_next(results, NULL, &one);) {
        wl_text answer = {NULL, 0, 0};
        wl_result result = {"", whole(does, "lane"), whole(does, "tick"), whole(one, "start_ns"),
                            whole(one, "end_ns"), raw(one, "answer", &answer), false};
        snprintf(result.operation, sizeof result.operation, "%.31s",
                 text(one, "operation", operation));
        if (strcmp((const char *)result.context, "null") == 0)
            result.context = NULL;
        wl_asked_keep(&w->asked, &result);
    }
    wl_asked_end(&w->asked, &w->answers);
}

/* Plays every case, and writes its lines; an asking comes as the command that it is. */
static void play_askings(const char *folder, const char *path)
{
    wl_json cases = wl_json_find(read_vectors(folder, "asked.json"), "cases");
    int file = wl__create(path);
    for (wl_json one = {NULL, NULL}; wl_json_next(cases, NULL, &one);) {
        wl_worker w;
        wl_json does = wl_json_find(one, "does");
        begin(&w);
        w.answers.file = file;
        w.asked.put = put_raw;
        for (wl_json step = {NULL, NULL}; wl_json_next(does, NULL, &step);) {
            char what[512], operation[512], line[1024];
            text(step, "does", what);
            if (strcmp(what, "begin") == 0) {
                wl_asked_begin(&w.asked, whole(step, "lane"));
            } else if (strcmp(what, "end") == 0) {
                end_lane(&w, step);
            } else {
                int size = snprintf(line, sizeof line,
                                    "{\"command\": \"answer\", \"asked\": %lld, \"lane\": %lld, "
                                    "\"operation\": \"%s\"}",
                                    (long long)whole(step, "asked"),
                                    (long long)whole(step, "lane"),
                                    text(step, "operation", operation));
                wl__obey(&w, line, (size_t)size);
            }
        }
        free(w.answers.line.at);
    }
    close(file);
}

int main(int count, char **arguments)
{
    if (count != 4)
        wrong("usage: vectors_probe schedule|samples|asked|events VECTORS FILE\n");
    const char *what = arguments[1], *folder = arguments[2], *path = arguments[3];
    if (strcmp(what, "schedule") == 0) {
        judge_commands(folder);
        judge_schedules(folder);
        printf("\"schedules\": %d, \"ticks\": %d, \"sends\": %d, \"joins\": %d}\n", schedules,
               ticks, sends, joins);
    } else if (strcmp(what, "samples") == 0) {
        write_samples(folder, path);
    } else if (strcmp(what, "asked") == 0) {
        play_askings(folder, path);
    } else {
        say_events(folder, path);
    }
    return 0;
}
