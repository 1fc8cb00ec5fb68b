/* The messages of the whiteboard, and the least of WebSocket they need: whole, short frames. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <wirelab.h>

enum {
    MESSAGE_MOST = 4096, /* bytes of a text */
    FRAME_MOST = MESSAGE_MOST + 8
};

/* A frame of the server, within the bytes it was read into. */
typedef struct {
    unsigned opcode;
    const char *text;
    size_t size;
} frame;

enum { FRAME_TEXT = 1, FRAME_CLOSE = 8 };

/* Findings of frame_next. */
typedef enum { FRAME_WHOLE, FRAME_PARTIAL, FRAME_FOREIGN } framing;

/* The draw message `seq` of `user`, filled up to `bytes`; its size. `out` holds MESSAGE_MOST. */
size_t draw_text(char *out, int64_t board, uint32_t user, uint32_t seq, size_t bytes);

size_t join_text(char *out, int64_t board, uint32_t user);

/* A final text frame as clients send it, masked; its size. `out` holds FRAME_MOST. */
size_t frame_of(uint8_t *out, const char *text, size_t size, uint32_t mask);

/* Takes the frame at `at`, `*taken` bytes of it. FRAME_FOREIGN: masked, in pieces, or of a size
 * that nobody here sends. */
framing frame_next(const uint8_t *at, size_t size, frame *found, size_t *taken);

/* Reads who sent a draw message, and which; false for other texts. It scans for the keys: whoever
 * writes the object in a usual way is understood, and nothing else of it is looked at. */
bool draw_sender(const char *text, size_t size, uint32_t *user, uint32_t *seq);

bool is_joined(const char *text, size_t size);

#endif
