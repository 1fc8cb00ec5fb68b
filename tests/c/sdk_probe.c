/* Shows what the C SDK does with what it is given; tests/sdk/test_c_sdk.py judges it. */
#include "wirelab.h"

#include <sys/mman.h>

/* A copy that ends where readable memory ends: one byte read past it is a crash. */
static const char *at_the_edge(const char *text, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), span = (size / page + 1) * page;
    char *memory = (char *)mmap(NULL, span + page, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + span, page, PROT_NONE) != 0)
        abort();
    memcpy(memory + span - size, text, size);
    return memory + span - size;
}

/* For each line whether it is JSON. */
static void judge_lines(const char *text, size_t size)
{
    const char *end = text + size;
    while (text < end) {
        const char *stop = (const char *)memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)(stop - text), wrong;
        wl_json value;
        putchar(wl_json_parse(at_the_edge(text, length), length, &value, &wrong) ? '1' : '0');
        text = stop + 1;
    }
}

/* Counts how many of the proper beginnings of a text are taken for JSON. */
static void judge_beginnings(const char *text, size_t size)
{
    int taken = 0;
    for (size_t length = 0; length < size; length++) {
        size_t wrong;
        wl_json value;
        taken += wl_json_parse(at_the_edge(text, length), length, &value, &wrong);
    }
    printf("%d", taken);
}

static void find(const char *text, size_t size, const char *path)
{
    size_t wrong;
    wl_json root, item = {NULL, NULL};
    int64_t number;
    char string[64];
    if (!wl_json_parse(at_the_edge(text, size), size, &root, &wrong)) {
        printf("wrong at %zu", wrong);
        return;
    }
    wl_json value = wl_json_find(root, path);
    if (value.at == NULL)
        printf("absent");
    else if (wl_json_int(value, &number))
        printf("int %lld", (long long)number);
    else if (wl_json_string(value, string, sizeof string))
        printf("string %s", string);
    else if (*value.at == '[' || *value.at == '{')
        for (int count = 0; printf("%d", count), wl_json_next(value, NULL, &item); count++)
            printf(" ");
    else
        printf("other");
}

static void quote(const char *text, size_t size)
{
    wl_text out = {NULL, 0, 0};
    wl_put_string(&out, text, size);
    fwrite(out.at, 1, out.used, stdout);
    free(out.at);
}

static void print_double(const char *text)
{
    wl_text out = {NULL, 0, 0};
    wl_put_double(&out, strtod(text, NULL));
    printf("%.*s", (int)out.used, out.at);
    free(out.at);
}

/* A worker whose one operation is due at each tick and does nothing: two records a tick (so that
 * the memory of the recorder fills up), an answer where asked, and a failure. */
static int work(void)
{
    wl_worker w;
    wl_operation op;
    wl_about about = {"probe", "1.0 \"beta\"", "C", "11", NULL, "{\"fact\":1}", "[\"able\"]"};
    wl_open(&w, "client");
    printf("a library that prints\n");
    if (!wl_operation_read(&w, "read", &op))
        wl_fatal(&w, "spec", "no operation read");
    wl_ready(&w, &about);
    wl_wait_start(&w);
    for (int64_t tick = 0; tick < w.count && wl_sleep_until(&w, wl_intended(&w, tick)); tick++) {
        wl_sample sample = {wl_intended(&w, tick), wl_now(), 0, 7, op.code, WL_OK, 3};
        sample.end_ns = wl_now();
        wl_record(&w.samples, &sample);
        sample.status = WL_TIMEOUT;
        wl_record(&w.samples, &sample);
        if (tick == 1 || tick == 3) {
            wl_putf(wl_answer_begin(&w.answers, "preflight", op.name, tick, sample.start_ns,
                                    sample.end_ns), "[%lld]", (long long)tick);
            wl_answer_end(&w.answers);
        }
        wl_failure failure = {"Late", "T", "line\nbreak", "call", op.name, sample.intended_ns};
        wl_error(&w, &failure);
        wl_heartbeat(&w);
    }
    wl_done(&w);
    return 0;
}

int main(int argc, char **argv)
{
    size_t size = 0;
    if (argc < 2)
        return work();
    char *text = argc > 2 ? wl__read_file(argv[2], &size) : NULL;
    if (strcmp(argv[1], "lines") == 0)
        judge_lines(text, size);
    else if (strcmp(argv[1], "beginnings") == 0)
        judge_beginnings(text, size);
    else if (strcmp(argv[1], "find") == 0)
        find(text, size, argv[3]);
    else if (strcmp(argv[1], "quote") == 0)
        quote(text, size);
    else if (strcmp(argv[1], "crc") == 0)
        printf("%08x", (unsigned)wl_crc32(wl_crc32(0, text, size / 3), text + size / 3,
                                          size - size / 3));
    else if (strcmp(argv[1], "double") == 0)
        print_double(argv[2]);
    free(text);
    return 0;
}
