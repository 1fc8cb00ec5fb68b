#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "handshake.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, DIGEST = 20, KEY = 24, LONGEST = 2 * BLOCK };

static const char GUID[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

static uint32_t rotated(uint32_t value, int by)
{
    return value << by | value >> (32 - by);
}

/* SHA-1 of one block (FIPS 180-4), added to `state`. */
static void digest_block(uint32_t state[5], const unsigned char block[BLOCK])
{
    static const uint32_t constant[4] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
    uint32_t word[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int t = 0; t < 80; t++) {
        if (t < 16)
            word[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16
                    | (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
        else
            word[t] = rotated(word[t - 3] ^ word[t - 8] ^ word[t - 14] ^ word[t - 16], 1);
        uint32_t mixed = t < 20 ? (b & c) | (~b & d)
                       : t < 40 || t >= 60 ? b ^ c ^ d
                                           : (b & c) | (b & d) | (c & d);
        uint32_t next = rotated(a, 5) + mixed + e + constant[t / 20] + word[t];
        e = d;
        d = c;
        c = rotated(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

/* SHA-1 of a text that fits into two blocks with its length. */
static void digest(const char *text, size_t size, unsigned char out[DIGEST])
{
    uint32_t state[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    unsigned char padded[LONGEST] = {0};
    size_t used = size + 9 <= BLOCK ? BLOCK : LONGEST;
    memcpy(padded, text, size);
    padded[size] = 0x80;
    padded[used - 2] = (unsigned char)(size * 8 >> 8);
    padded[used - 1] = (unsigned char)(size * 8);
    for (size_t at = 0; at < used; at += BLOCK)
        digest_block(state, padded + at);
    for (int at = 0; at < DIGEST; at++)
        out[at] = (unsigned char)(state[at / 4] >> (24 - 8 * (at % 4)));
}

/* Base64 of a digest, whose 20 bytes leave one place of padding. */
static void encode(const unsigned char bytes[DIGEST], char out[29])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char padded[DIGEST + 1] = {0};
    memcpy(padded, bytes, DIGEST);
    for (int at = 0, to = 0; at < DIGEST + 1; at += 3, to += 4) {
        uint32_t three = (uint32_t)padded[at] << 16 | (uint32_t)padded[at + 1] << 8 | padded[at + 2];
        for (int place = 0; place < 4; place++)
            out[to + place] = digits[three >> (18 - 6 * place) & 63];
    }
    memcpy(out + 27, "=", 2);
}

bool handshake_accept(const char *head, char answer[ACCEPTANCE_BYTES])
{
    static const char field[] = "\r\nSec-WebSocket-Key:";
    char joined[KEY + sizeof GUID], accepted[29];
    unsigned char found[DIGEST];
    const char *key = strcasestr(head, field);
    if (key == NULL)
        return false;
    key += sizeof field - 1;
    key += strspn(key, " ");
    if (strcspn(key, " \r\n") != KEY)
        return false;
    memcpy(joined, key, KEY);
    memcpy(joined + KEY, GUID, sizeof GUID);
    digest(joined, sizeof joined - 1, found);
    encode(found, accepted);
    snprintf(answer, ACCEPTANCE_BYTES,
             "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Accept: %s\r\n\r\n",
             accepted);
    return true;
}
