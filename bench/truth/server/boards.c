#include "boards.h"

#include "handshake.h"

enum { CONTINUED_16 = 126, CONTINUED_64 = 127, FINAL = 0x80, MASKED = 0x80 };
enum { CONTINUATION = 0, TEXT = 1, CLOSE = 8, PING = 9, PONG = 10 };

static const char JOIN[] = "{\"type\":\"join\",\"board\":\"";

/* Text that a client has said: no mask, and a NUL behind it. */
typedef struct {
    int opcode;
    bool final; /* no other frame of it follows */
    size_t size;
    char text[LARGEST_SAYING + 1];
} saying;

/* The bytes before the payload of a frame that servers send. */
static size_t put_head(char *frame, int opcode, size_t size)
{
    frame[0] = (char)(FINAL | opcode);
    if (size < CONTINUED_16) {
        frame[1] = (char)size;
        return 2;
    }
    frame[1] = CONTINUED_16; /* nothing longer has come */
    frame[2] = (char)(size >> 8);
    frame[3] = (char)size;
    return 4;
}

static void tell(connection *to, wl_worker *w, int opcode, const char *payload, size_t size)
{
    char frame[LARGEST_SAYING + 4];
    size_t head = put_head(frame, opcode, size);
    memcpy(frame + head, payload, size);
    connection_tell(to, w, frame, head + size);
}

static bool shake_hands(connection *from, wl_worker *w)
{
    char answer[ACCEPTANCE_BYTES], *end = (char *)memmem(from->said, from->used, "\r\n\r\n", 4);
    if (end == NULL)
        return false;
    *end = '\0';
    if (!handshake_accept(from->said, answer))
        wl_fatal(w, "handshake", "connection %u asks for no WebSocket", from->number);
    connection_forget(from, (size_t)(end + 4 - from->said));
    connection_tell(from, w, answer, strlen(answer));
    from->upgraded = true;
    return true;
}

/* Takes one whole frame; false where none has come yet. */
static bool take_frame(connection *from, wl_worker *w, saying *said)
{
    const unsigned char *heard = (const unsigned char *)from->said;
    if (from->used < 2)
        return false;
    size_t head = 2, size = heard[1] & 0x7F;
    if (!(heard[1] & MASKED) || size == CONTINUED_64)
        wl_fatal(w, "frame", "connection %u: a frame that no user of a board sends", from->number);
    if (size == CONTINUED_16) {
        if (from->used < 4)
            return false;
        size = (size_t)heard[2] << 8 | heard[3];
        head = 4;
    }
    if (from->used < head + 4 + size)
        return false;
    const unsigned char *mask = heard + head, *masked = mask + 4;
    said->opcode = heard[0] & 0x0F;
    said->final = heard[0] & FINAL;
    said->size = size;
    for (size_t at = 0; at < size; at++)
        said->text[at] = (char)(masked[at] ^ mask[at % 4]);
    said->text[size] = '\0';
    connection_forget(from, head + 4 + size);
    return true;
}

/* Joins a message that comes in several frames; false where its last one has not come yet. */
static bool join_frames(connection *from, wl_worker *w, saying *said)
{
    if (said->final && said->opcode == TEXT)
        return true;
    if (from->begun + said->size > sizeof from->beginning)
        wl_fatal(w, "frame", "connection %u: a message above %d bytes", from->number,
                 LARGEST_SAYING);
    memcpy(from->beginning + from->begun, said->text, said->size);
    from->begun += said->size;
    if (!said->final)
        return false;
    memcpy(said->text, from->beginning, from->begun);
    said->text[said->size = from->begun] = '\0';
    from->begun = 0;
    return true;
}

/* The board whose name a text goes on with, new or known. */
static board *named(boards *b, const char *text, wl_worker *w)
{
    size_t size = strcspn(text, "\"");
    if (size >= BOARD_NAME)
        wl_fatal(w, "board", "a name of %zu bytes", size);
    for (size_t at = 0; at < b->count; at++)
        if (strncmp(b->of[at]->name, text, size) == 0 && b->of[at]->name[size] == '\0')
            return b->of[at];
    board *found = (board *)calloc(1, sizeof *found);
    if (b->count == MOST_BOARDS || found == NULL)
        wl_fatal(w, "board", "more than %d boards", MOST_BOARDS);
    memcpy(found->name, text, size);
    return b->of[b->count++] = found;
}

static void join(board *to, connection *from, wl_worker *w, const saying *said)
{
    char answer[LARGEST_SAYING + 3];
    if (to->count == to->capacity) {
        to->capacity = to->capacity == 0 ? 64 : 2 * to->capacity;
        to->members = (connection **)realloc(to->members, to->capacity * sizeof *to->members);
        if (to->members == NULL)
            wl_fatal(w, "memory", "no memory for the members of a board");
    }
    to->members[to->count++] = from;
    int size = snprintf(answer, sizeof answer, "{\"type\":\"joined\",\"board\":\"%s",
                        said->text + sizeof JOIN - 1);
    tell(from, w, TEXT, answer, (size_t)size);
}

/* Reads a drawing, in whatever form of JSON it is written; NULL for what is none. */
static drawing *drawn(boards *b, wl_worker *w, const saying *said)
{
    char type[8], name[BOARD_NAME];
    int64_t user;
    size_t wrong;
    wl_json all;
    if (!wl_json_parse(said->text, said->size, &all, &wrong)
        || !wl_json_string(wl_json_find(all, "type"), type, sizeof type)
        || strcmp(type, "draw") != 0
        || !wl_json_string(wl_json_find(all, "board"), name, sizeof name)
        || !wl_json_int(wl_json_find(all, "user"), &user))
        return NULL;
    drawing *made = (drawing *)malloc(sizeof *made + said->size + 4);
    if (made == NULL)
        wl_fatal(w, "draw", "no memory for a drawing");
    size_t head = put_head(made->frame, TEXT, said->size);
    memcpy(made->frame + head, said->text, said->size);
    made->on = named(b, name, w);
    made->user = (uint16_t)user;
    made->size = head + said->size;
    return made;
}

static bool begins(const saying *said, const char *with)
{
    return strncmp(said->text, with, strlen(with)) == 0;
}

drawing *boards_next(boards *b, connection *from, wl_worker *w)
{
    static saying said;
    if (!from->upgraded && !shake_hands(from, w))
        return NULL;
    while (take_frame(from, w, &said)) {
        if (said.opcode == CLOSE) {
            tell(from, w, CLOSE, said.text, said.size);
            connection_end(from);
            return NULL;
        }
        if (said.opcode == PING) {
            tell(from, w, PONG, said.text, said.size);
            continue;
        }
        if (said.opcode != TEXT && said.opcode != CONTINUATION)
            wl_fatal(w, "frame", "connection %u: opcode %d", from->number, said.opcode);
        if (!join_frames(from, w, &said))
            continue;
        if (begins(&said, JOIN)) {
            join(named(b, said.text + sizeof JOIN - 1, w), from, w, &said);
            continue;
        }
        drawing *made = drawn(b, w, &said);
        if (made != NULL)
            return made;
        /* What is no message reaches nobody: the engine tries that. */
    }
    return NULL;
}
