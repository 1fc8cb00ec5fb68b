/* A strict JSON reader that finds values by path in the text it was given. No tree is built, and
 * every step is checked against the end of the text. */
#ifndef WIRELAB_JSON_H
#define WIRELAB_JSON_H

#include "text.h"

enum { WL_JSON_DEPTH = 64 };

/* A value in a text that wl_json_parse accepted: `at` its first character (NULL: no such value),
 * `end` the end of the text. */
typedef struct {
    const char *at, *end;
} wl_json;

static inline bool wl__hex(const char **at, const char *end, uint32_t *unit)
{
    if (end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u')
        return false;
    *unit = 0;
    for (int i = 2; i < 6; i++) {
        char c = (*at)[i];
        int digit = c >= '0' && c <= '9' ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : -1;
        if (digit < 0)
            return false;
        *unit = *unit << 4 | (uint32_t)digit;
    }
    *at += 6;
    return true;
}

/* Passes the escape at `*at` and gives the code point it stands for. */
static inline bool wl__escape(const char **at, const char *end, uint32_t *point)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (end - *at < 2)
        return false;
    const char *letter = (*at)[1] == 0 ? NULL : strchr(letters, (*at)[1]);
    if (letter != NULL) {
        *point = (unsigned char)meanings[letter - letters];
        *at += 2;
        return true;
    }
    uint32_t low;
    if (!wl__hex(at, end, point))
        return false;
    if (*point < 0xD800 || *point > 0xDFFF)
        return true;
    if (*point > 0xDBFF || !wl__hex(at, end, &low) || low < 0xDC00 || low > 0xDFFF)
        return false;
    *point = 0x10000 + ((*point - 0xD800) << 10 | (low - 0xDC00));
    return true;
}

static inline size_t wl__encode(uint32_t point, char out[4])
{
    size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; point >>= 6)
        out[i] = (char)(0x80 | (point & 0x3F));
    out[0] = (char)(length == 1 ? point : (0xF00u >> length & 0xFF) | point);
    return length;
}

/* Passes the string at `*at`; with `out`, decodes it there, ended by NUL. False when it is not a
 * string, does not fit, or has a NUL that C could not tell from its end. */
static inline bool wl__string(const char **at, const char *end, char *out, size_t size)
{
    size_t used = 0;
    if (*at == end || **at != '"')
        return false;
    for (++*at; *at < end && **at != '"';) {
        uint32_t point = 0;
        char encoded[4];
        size_t length;
        if (**at == '\\') {
            if (!wl__escape(at, end, &point) || (out != NULL && point == 0))
                return false;
            length = wl__encode(point, encoded);
        } else {
            length = wl__utf8(*at, (size_t)(end - *at));
            if (length == 0 || (unsigned char)**at < 0x20)
                return false;
            memcpy(encoded, *at, length);
            *at += length;
        }
        if (out != NULL) {
            if (used + length >= size)
                return false;
            memcpy(out + used, encoded, length);
            used += length;
        }
    }
    if (*at == end || (out != NULL && size == 0))
        return false;
    ++*at;
    if (out != NULL)
        out[used] = 0;
    return true;
}

static inline bool wl__digits(const char **at, const char *end)
{
    const char *first = *at;
    while (*at < end && **at >= '0' && **at <= '9')
        ++*at;
    return *at > first;
}

static inline bool wl__number(const char **at, const char *end)
{
    if (*at < end && **at == '-')
        ++*at;
    if (*at < end && **at == '0')
        ++*at;
    else if (!wl__digits(at, end))
        return false;
    if (*at < end && **at == '.') {
        ++*at;
        if (!wl__digits(at, end))
            return false;
    }
    if (*at < end && (**at == 'e' || **at == 'E')) {
        ++*at;
        if (*at < end && (**at == '+' || **at == '-'))
            ++*at;
        return wl__digits(at, end);
    }
    return true;
}

static inline void wl__blank(const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\t' || **at == '\n' || **at == '\r'))
        ++*at;
}

/* Passes `c` and the blanks around it. */
static inline bool wl__mark(const char **at, const char *end, char c)
{
    wl__blank(at, end);
    if (*at == end || **at != c)
        return false;
    ++*at;
    wl__blank(at, end);
    return true;
}

/* Passes the value at `*at`; where it is malformed, leaves `*at` at the first wrong character. */
static inline bool wl__value(const char **at, const char *end, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    if (*at == end || depth > WL_JSON_DEPTH)
        return false;
    char open = **at;
    if (open == '"')
        return wl__string(at, end, NULL, 0);
    if (open == '{' || open == '[') {
        char close = open == '{' ? '}' : ']';
        wl__mark(at, end, open);
        if (wl__mark(at, end, close))
            return true;
        do {
            if (open == '{' && (!wl__string(at, end, NULL, 0) || !wl__mark(at, end, ':')))
                return false;
            if (!wl__value(at, end, depth + 1))
                return false;
        } while (wl__mark(at, end, ','));
        return wl__mark(at, end, close);
    }
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(end - *at) >= length && memcmp(*at, words[i], length) == 0) {
            *at += length;
            return true;
        }
    }
    return wl__number(at, end);
}

/* Accepts a text that is one JSON value (RFC 8259) and nothing else. False with the offset of the
 * first wrong character in `*wrong`. The text must stay where it is. */
static inline bool wl_json_parse(const char *text, size_t size, wl_json *value, size_t *wrong)
{
    const char *at = text, *end = text + size;
    wl__blank(&at, end);
    value->at = at;
    value->end = end;
    bool sound = wl__value(&at, end, 0);
    if (sound)
        wl__blank(&at, end);
    *wrong = (size_t)(at - text);
    return sound && at == end;
}

/* Steps through an array or object: set `item->at` to NULL before the first step. `key` (may be
 * NULL) is the member's name. False after the last, and for what is neither. */
static inline bool wl_json_next(wl_json container, wl_json *key, wl_json *item)
{
    if (container.at == NULL || (*container.at != '{' && *container.at != '['))
        return false;
    const char *at = item->at == NULL ? container.at + 1 : item->at, *end = container.end;
    if (item->at != NULL && !wl__value(&at, end, 0))
        return false;
    wl__blank(&at, end);
    if (item->at != NULL && !wl__mark(&at, end, ','))
        return false;
    if (at == end || *at == ']' || *at == '}')
        return false;
    if (key != NULL) {
        key->at = at;
        key->end = end;
    }
    if (*container.at == '{' && (!wl__string(&at, end, NULL, 0) || !wl__mark(&at, end, ':')))
        return false;
    item->at = at;
    item->end = end;
    return true;
}

/* Copies a string value, decoded, into `out`; false as wl__string says. */
static inline bool wl_json_string(wl_json value, char *out, size_t size)
{
    const char *at = value.at;
    return at != NULL && wl__string(&at, value.end, out, size);
}

/* An integer written as one; false for anything else, 1.0 and what exceeds int64_t included. */
static inline bool wl_json_int(wl_json value, int64_t *out)
{
    const char *at = value.at, *end = value.end;
    if (at == NULL)
        return false;
    bool negative = *at == '-';
    uint64_t sum = 0, most = (uint64_t)INT64_MAX + negative;
    const char *first = at += negative;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (sum > (most - digit) / 10)
            return false;
        sum = sum * 10 + digit;
    }
    if (at == first || (at < end && (*at == '.' || *at == 'e' || *at == 'E')))
        return false;
    *out = (int64_t)(negative ? 0 - sum : sum);
    return true;
}

/* The value at `path`, names of members joined by dots; `at` is NULL where there is none. */
static inline wl_json wl_json_find(wl_json from, const char *path)
{
    wl_json none = {NULL, NULL};
    while (*path != 0) {
        size_t length = strcspn(path, ".");
        wl_json key = none, item = none;
        bool found = false;
        if (from.at == NULL || *from.at != '{')
            return none;
        while (!found && wl_json_next(from, &key, &item)) {
            char name[128];
            found = wl_json_string(key, name, sizeof name) && strlen(name) == length
                 && memcmp(name, path, length) == 0;
        }
        if (!found)
            return none;
        from = item;
        path += length + (path[length] == '.');
    }
    return from;
}

#endif
