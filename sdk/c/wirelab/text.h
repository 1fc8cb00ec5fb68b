/* A growing text, and the writing of JSON into it. */
#ifndef WIRELAB_TEXT_H
#define WIRELAB_TEXT_H

#include <float.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the well-formed UTF-8 sequence at `s`; 0 when it is none. */
static inline size_t wl__utf8(const char *s, size_t size)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)s;
    size_t length = size == 0           ? 0
                  : byte[0] < 0x80      ? 1
                  : byte[0] >> 5 == 6   ? 2
                  : byte[0] >> 4 == 14  ? 3
                  : byte[0] >> 3 == 30  ? 4
                                        : 0;
    if (length == 0 || length > size)
        return 0;
    uint32_t point = length == 1 ? byte[0] : byte[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return 0;
        point = point << 6 | (byte[i] & 0x3F);
    }
    bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    return point < least[length] || point > 0x10FFFF || surrogate ? 0 : length;
}

/* A text that grows; memory that cannot be had aborts. */
typedef struct {
    char *at;
    size_t used, size;
} wl_text;

static inline void wl_put(wl_text *text, const char *bytes, size_t count)
{
    if (count == 0)
        return;
    if (text->used + count > text->size) {
        text->size = 2 * (text->used + count) + 256;
        text->at = (char *)realloc(text->at, text->size);
        if (text->at == NULL)
            abort();
    }
    memcpy(text->at + text->used, bytes, count);
    text->used += count;
}

/* For short pieces: at most 255 bytes come out of one call. */
__attribute__((format(printf, 2, 3)))
static inline void wl_putf(wl_text *text, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof piece)
        abort();
    wl_put(text, piece, (size_t)length);
}

/* A JSON string; a byte that is not UTF-8 becomes U+FFFD. */
static inline void wl_put_string(wl_text *text, const char *s, size_t size)
{
    wl_put(text, "\"", 1);
    for (size_t i = 0, length; i < size; i += length) {
        unsigned char c = (unsigned char)s[i];
        length = wl__utf8(s + i, size - i);
        if (length == 0) {
            wl_put(text, "\xEF\xBF\xBD", 3);
            length = 1;
        } else if (c == '"' || c == '\\') {
            char escaped[2] = {'\\', (char)c};
            wl_put(text, escaped, 2);
        } else if (c < 0x20) {
            wl_putf(text, "\\u%04x", c);
        } else {
            wl_put(text, s + i, length);
        }
    }
    wl_put(text, "\"", 1);
}

/* The shortest decimal that reads back as `value`; null when it is not finite. */
static inline void wl_put_double(wl_text *text, double value)
{
    char digits[32] = "null";
    bool finite = value - value == 0;
    /* 15 digits tell normal numbers apart that have no more; subnormal ones may need any number. */
    bool normal = value >= DBL_MIN || value <= -DBL_MIN;
    for (int precision = normal ? 15 : 1; finite && precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    wl_put(text, digits, strlen(digits));
}

#endif
