/* The two files a worker writes: samples, and answers with their checksum. A write that fails is
 * remembered in `failed` (an errno) and said by the worker, outside what is timed. */
#ifndef WIRELAB_RECORDER_H
#define WIRELAB_RECORDER_H

#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "records are written as they lie in memory, which must be little-endian"
#endif

/* Statuses of a record; 64 to 255 are named by the suite. */
enum {
    WL_OK, WL_ERROR, WL_TIMEOUT, WL_DISCONNECTED, WL_REFUSED, WL_ITEM_ERROR, WL_WRONG_ANSWER,
    WL_UNSUPPORTED
};

/* One operation, as it lies in the file. Times are nanoseconds of CLOCK_MONOTONIC. */
typedef struct {
    int64_t intended_ns, start_ns, end_ns;
    uint32_t size; /* payload in bytes, 0 where unknown */
    uint8_t op, status;
    uint16_t lane; /* connection, user or thread */
} wl_sample;

typedef char wl__sample_is_32_bytes[sizeof(wl_sample) == 32 ? 1 : -1];

typedef struct {
    int file, failed;
    wl_sample *buffer;
    size_t used, capacity; /* of the buffer */
    uint64_t records;
} wl_recorder;

static inline bool wl__write_all(int file, const void *bytes, size_t size)
{
    const char *at = (const char *)bytes;
    while (size > 0) {
        ssize_t written = write(file, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

static inline int wl__create(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

/* Creates the file with its header, and memory for `expected` records, touched now so that no
 * page fault falls into a measurement. More records than that, or than a million, are written
 * out each time the memory is full. False with errno set. */
static inline bool wl_recorder_open(wl_recorder *r, const char *path, int64_t expected)
{
    static const unsigned char header[32] = {'W', 'L', 'S', 'A', 'M', 'P', 'L', 'E',
                                             1,   0,   32,  0,   1}; /* version, size, clock */
    memset(r, 0, sizeof *r);
    r->capacity = expected < 1024 ? 1024 : expected > 1 << 20 ? 1 << 20 : (size_t)expected;
    r->buffer = (wl_sample *)malloc(r->capacity * sizeof *r->buffer);
    r->file = wl__create(path);
    if (r->buffer == NULL || r->file < 0)
        return false;
    memset(r->buffer, 0xFF, r->capacity * sizeof *r->buffer);
    return wl__write_all(r->file, header, sizeof header);
}

static inline void wl_recorder_flush(wl_recorder *r)
{
    if (r->failed == 0 && !wl__write_all(r->file, r->buffer, r->used * sizeof *r->buffer))
        r->failed = errno;
    r->used = 0;
}

static inline void wl_record(wl_recorder *r, const wl_sample *sample)
{
    if (r->used == r->capacity)
        wl_recorder_flush(r);
    r->buffer[r->used++] = *sample;
    r->records++;
}

static inline void wl_recorder_close(wl_recorder *r)
{
    wl_recorder_flush(r);
    if (close(r->file) != 0 && r->failed == 0)
        r->failed = errno;
    free(r->buffer);
    r->buffer = NULL;
}

/* ---- Answers ------------------------------------------------------------------------------ */

typedef struct {
    int file, failed;
    uint64_t lines;
    uint32_t checksum; /* CRC-32 (IEEE) of the file so far */
    wl_text line;
} wl_answers;

/* CRC-32 (IEEE 802.3) of what `before` is the checksum of, followed by `bytes`; 0 to begin with.
 * Four bits at a time: 16 words of table. */
static inline uint32_t wl_crc32(uint32_t before, const void *bytes, size_t size)
{
    static const uint32_t of_nibble[16] = {
        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158,
        0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4,
        0xA00AE278, 0xBDBDF21C,
    };
    uint32_t sum = ~before;
    for (const unsigned char *at = (const unsigned char *)bytes; size > 0; at++, size--) {
        sum = sum >> 4 ^ of_nibble[(sum ^ *at) & 15];
        sum = sum >> 4 ^ of_nibble[(sum ^ *at >> 4) & 15];
    }
    return ~sum;
}

/* Begins the line of one operation; the caller puts the answer itself, a JSON value, into the
 * text it gets, then calls wl_answer_end. `phase` is "preflight" or "measure". */
static inline wl_text *wl_answer_begin(wl_answers *a, const char *phase, const char *operation,
                                       int64_t tick, int64_t start_ns, int64_t end_ns)
{
    a->line.used = 0;
    wl_putf(&a->line, "{\"phase\":\"%s\",\"operation\":\"%.64s\",\"tick\":%lld", phase, operation,
            (long long)tick);
    wl_putf(&a->line, ",\"start_ns\":%lld,\"end_ns\":%lld,\"answer\":", (long long)start_ns,
            (long long)end_ns);
    return &a->line;
}

static inline void wl_answer_end(wl_answers *a)
{
    wl_put(&a->line, "}\n", 2);
    if (a->failed == 0 && !wl__write_all(a->file, a->line.at, a->line.used))
        a->failed = errno;
    a->checksum = wl_crc32(a->checksum, a->line.at, a->line.used);
    a->lines++;
}

#endif
