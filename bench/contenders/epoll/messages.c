#include "messages.h"

static const char draw_end[] = "\"}";

size_t draw_text(char *out, int64_t board, uint32_t user, uint32_t seq, size_t bytes)
{
    int length = snprintf(out, MESSAGE_MOST,
                          "{\"type\":\"draw\",\"board\":\"b%04lld\",\"user\":%u,\"seq\":%u,"
                          "\"color\":\"#1e90ff\",\"width\":3,\"points\":[[412,233],[415,236]],"
                          "\"pad\":\"",
                          (long long)board, user, seq);
    size_t size = (size_t)length, end = sizeof draw_end - 1;
    size_t padding = bytes > size + end ? bytes - size - end : 0;
    memset(out + size, '.', padding);
    memcpy(out + size + padding, draw_end, end);
    return size + padding + end;
}

size_t join_text(char *out, int64_t board, uint32_t user)
{
    return (size_t)snprintf(out, MESSAGE_MOST,
                            "{\"type\":\"join\",\"board\":\"b%04lld\",\"user\":%u}",
                            (long long)board, user);
}

size_t frame_of(uint8_t *out, const char *text, size_t size, uint32_t mask)
{
    size_t head = 0;
    uint8_t key[4];
    memcpy(key, &mask, sizeof key);
    out[head++] = 0x80 | FRAME_TEXT;
    if (size < 126) {
        out[head++] = (uint8_t)(0x80 | size);
    } else {
        out[head++] = 0x80 | 126;
        out[head++] = (uint8_t)(size >> 8);
        out[head++] = (uint8_t)size;
    }
    memcpy(out + head, key, sizeof key);
    head += sizeof key;
    for (size_t i = 0; i < size; i++)
        out[head + i] = (uint8_t)text[i] ^ key[i & 3];
    return head + size;
}

framing frame_next(const uint8_t *at, size_t size, frame *found, size_t *taken)
{
    if (size < 2)
        return FRAME_PARTIAL;
    size_t head = 2, length = at[1];
    if ((at[0] & 0xF0) != 0x80 || length > 126)
        return FRAME_FOREIGN;
    if (length == 126) {
        if (size < 4)
            return FRAME_PARTIAL;
        head = 4;
        length = (size_t)at[2] << 8 | at[3];
    }
    if (length > MESSAGE_MOST)
        return FRAME_FOREIGN;
    if (size < head + length)
        return FRAME_PARTIAL;
    *found = (frame){at[0] & 0x0Fu, (const char *)at + head, length};
    *taken = head + length;
    return FRAME_WHOLE;
}

static bool number_after(const char *text, size_t size, const char *key, size_t key_size,
                         uint32_t *number)
{
    const char *end = text + size, *at = (const char *)memmem(text, size, key, key_size);
    if (at == NULL)
        return false;
    at += key_size;
    while (at < end && *at == ' ')
        at++;
    const char *first = at;
    uint64_t sum = 0;
    for (; at < end && *at >= '0' && *at <= '9' && sum <= UINT32_MAX; at++)
        sum = 10 * sum + (uint64_t)(*at - '0');
    *number = (uint32_t)sum;
    return at > first && sum <= UINT32_MAX;
}

bool draw_sender(const char *text, size_t size, uint32_t *user, uint32_t *seq)
{
    static const char user_key[] = "\"user\":", seq_key[] = "\"seq\":";
    return number_after(text, size, user_key, sizeof user_key - 1, user)
        && number_after(text, size, seq_key, sizeof seq_key - 1, seq);
}

bool is_joined(const char *text, size_t size)
{
    static const char joined[] = "\"joined\"";
    return memmem(text, size, joined, sizeof joined - 1) != NULL;
}
