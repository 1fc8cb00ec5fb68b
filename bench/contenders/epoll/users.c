#include "users.h"
#include "messages.h"

#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { READ_BYTES = 1 << 16 };

/* ---- Records ------------------------------------------------------------------------------ */

static void record(crowd *c, uint32_t number, uint8_t op, uint8_t status, sent times,
                   int64_t end_ns)
{
    wl_record(&c->worker->samples,
              &(wl_sample){.intended_ns = times.intended_ns,
                           .start_ns = times.start_ns,
                           .end_ns = end_ns,
                           .size = op == c->rtt ? (uint32_t)c->message_bytes : 0,
                           .op = op, .status = status, .lane = (uint16_t)number});
}

static void record_connect(crowd *c, uint32_t number, uint8_t status)
{
    const user *u = &c->users[number];
    record(c, number, c->connect, status, (sent){u->connect_intended_ns, u->connect_start_ns},
           wl_now());
}

/* Place at which message `seq` of a user is kept. */
static sent *slot_of(crowd *c, uint32_t number, uint32_t seq)
{
    return &c->sent[(size_t)number * c->slots + seq % c->slots];
}

/* Own messages that are still under way end like this. */
static void give_up(crowd *c, uint32_t number, uint8_t status)
{
    for (uint32_t seq = 0; seq < c->slots; seq++) {
        sent *slot = slot_of(c, number, seq);
        if (slot->start_ns != 0) {
            record(c, number, c->rtt, status, *slot, wl_now());
            slot->start_ns = 0;
            c->under_way--;
        }
    }
}

static void lose(crowd *c, uint32_t number, uint8_t status, const char *why)
{
    user *u = &c->users[number];
    wl_error(c->worker, &(wl_failure){.failure = u->state == MEMBER ? "Dropped" : "ConnectFailed",
                                      .status = status == WL_REFUSED ? "refused" : "disconnected",
                                      .message = why,
                                      .scope = "call",
                                      .operation = u->state == MEMBER ? "rtt" : "connect",
                                      .intended_ns = u->connect_intended_ns});
    if (u->state == MEMBER) {
        c->members[number / c->board_size]--;
        counts_at(&c->counts, wl_now())->dropped++;
        give_up(c, number, WL_DISCONNECTED);
    } else {
        record_connect(c, number, status);
    }
    close(u->file);
    free(u->rest);
    u->rest = NULL;
    u->rest_size = 0;
    u->state = ABSENT;
}

/* ---- Connecting --------------------------------------------------------------------------- */

static void watch(crowd *c, uint32_t number, int how, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.u32 = number};
    if (epoll_ctl(c->epoll, how, c->users[number].file, &event) != 0)
        wl_fatal(c->worker, "epoll", "epoll_ctl: %s", strerror(errno));
}

void crowd_connect(crowd *c, uint32_t number, int64_t intended_ns)
{
    user *u = &c->users[number];
    int on = 1;
    u->connect_intended_ns = intended_ns;
    u->connect_start_ns = wl_now();
    u->state = CONNECTING;
    u->file = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (u->file < 0)
        wl_fatal(c->worker, "OpenFiles", "socket of user %u: %s", number, strerror(errno));
    setsockopt(u->file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(u->file, (struct sockaddr *)&c->server, sizeof c->server) != 0
        && errno != EINPROGRESS) {
        lose(c, number, WL_REFUSED, strerror(errno));
        return;
    }
    watch(c, number, EPOLL_CTL_ADD, EPOLLOUT);
}

/* Messages are small and sockets have room for thousands: one that takes less is lost. */
static void put(crowd *c, uint32_t number, const void *bytes, size_t size)
{
    ssize_t taken = send(c->users[number].file, bytes, size, MSG_NOSIGNAL);
    if (taken != (ssize_t)size)
        lose(c, number, WL_DISCONNECTED, taken < 0 ? strerror(errno) : "the socket is full");
}

static void put_text(crowd *c, uint32_t number, const char *text, size_t size)
{
    uint8_t framed[FRAME_MOST];
    c->mask = c->mask * 1664525u + 1013904223u;
    put(c, number, framed, frame_of(framed, text, size, c->mask));
}

static void connected(crowd *c, uint32_t number)
{
    user *u = &c->users[number];
    socklen_t size = sizeof(int);
    int failed = 0;
    getsockopt(u->file, SOL_SOCKET, SO_ERROR, &failed, &size);
    if (failed != 0) {
        lose(c, number, WL_REFUSED, strerror(failed));
        return;
    }
    u->state = UPGRADING;
    watch(c, number, EPOLL_CTL_MOD, EPOLLIN);
    put(c, number, c->request, strlen(c->request));
}

/* Bytes of the server's answer to the request; 0 while it is not whole. */
static size_t upgraded(crowd *c, uint32_t number, const uint8_t *at, size_t size)
{
    static const char accepted[] = "HTTP/1.1 101";
    const uint8_t *end = (const uint8_t *)memmem(at, size, "\r\n\r\n", 4);
    if (end == NULL)
        return 0;
    if (memcmp(at, accepted, sizeof accepted - 1) != 0) {
        lose(c, number, WL_DISCONNECTED, "the server does not speak WebSocket here");
        return 0;
    }
    c->users[number].state = JOINING;
    char text[MESSAGE_MOST];
    put_text(c, number, text, join_text(text, number / c->board_size, number));
    return (size_t)(end - at) + 4;
}

/* ---- Messages ----------------------------------------------------------------------------- */

void crowd_send(crowd *c, uint32_t number, int64_t intended_ns)
{
    user *u = &c->users[number];
    char text[MESSAGE_MOST];
    sent now = {intended_ns, wl_now()};
    if (u->state != MEMBER) {
        record(c, number, c->rtt, WL_DISCONNECTED, now, wl_now());
        return;
    }
    sent *slot = slot_of(c, number, u->next_seq);
    if (slot->start_ns != 0) {
        record(c, number, c->rtt, WL_TIMEOUT, *slot, now.start_ns);
        c->under_way--;
    }
    int64_t others = c->members[number / c->board_size] - 1;
    counts_at(&c->counts, intended_ns)->expected += others;
    c->counts.expected += others;
    c->under_way++;
    size_t size = draw_text(text, number / c->board_size, number, u->next_seq, c->message_bytes);
    u->next_seq++;
    now.start_ns = wl_now();
    *slot = now;
    put_text(c, number, text, size);
}

static void came_back(crowd *c, uint32_t number, sent *slot)
{
    if (slot->start_ns == 0)
        return;
    int64_t now = wl_now();
    uint8_t status = now - slot->start_ns > c->worker->operation_ns ? WL_TIMEOUT : WL_OK;
    record(c, number, c->rtt, status, *slot, now);
    slot->start_ns = 0;
    c->under_way--;
}

static void take_text(crowd *c, uint32_t number, const frame *f)
{
    user *u = &c->users[number];
    uint32_t from, seq;
    if (u->state == JOINING) {
        if (is_joined(f->text, f->size)) {
            u->state = MEMBER;
            c->members[number / c->board_size]++;
            record_connect(c, number, WL_OK);
        }
        return;
    }
    if (!draw_sender(f->text, f->size, &from, &seq) || from >= c->users_size
        || c->users[from].next_seq - 1 - seq >= c->slots) {
        counts_at(&c->counts, wl_now())->wrong++;
        return;
    }
    sent *slot = slot_of(c, from, seq);
    if (from == number) {
        came_back(c, number, slot);
        return;
    }
    second_counts *second = counts_at(&c->counts, slot->intended_ns);
    second->received++;
    second->bytes += (int64_t)f->size;
    c->counts.received++;
}

/* Takes what is whole; the number of bytes taken. */
static size_t take(crowd *c, uint32_t number, const uint8_t *at, size_t size)
{
    user *u = &c->users[number];
    size_t used = 0;
    if (u->state == UPGRADING && (used = upgraded(c, number, at, size)) == 0)
        return 0;
    while (u->state == JOINING || u->state == MEMBER) {
        frame f = {0};
        size_t taken = 0;
        framing found = frame_next(at + used, size - used, &f, &taken);
        if (found == FRAME_PARTIAL)
            break;
        used += taken;
        if (found == FRAME_FOREIGN || f.opcode == FRAME_CLOSE)
            lose(c, number, WL_DISCONNECTED,
                 found == FRAME_FOREIGN ? "a frame nobody here sends" : "closed by the server");
        else if (f.opcode == FRAME_TEXT)
            take_text(c, number, &f);
    }
    return used;
}

static void keep_rest(crowd *c, user *u, const uint8_t *at, size_t size)
{
    free(u->rest);
    u->rest = NULL;
    u->rest_size = size;
    if (size == 0)
        return;
    u->rest = (uint8_t *)malloc(size);
    if (u->rest == NULL)
        wl_fatal(c->worker, "memory", "no memory for %zu bytes", size);
    memcpy(u->rest, at, size);
}

void crowd_happened(crowd *c, uint32_t number, uint32_t events)
{
    static uint8_t bytes[2 * READ_BYTES];
    user *u = &c->users[number];
    if (u->state == CONNECTING && (events & (EPOLLOUT | EPOLLERR | EPOLLHUP)))
        connected(c, number);
    if (u->state < UPGRADING || !(events & ~(uint32_t)EPOLLOUT))
        return;
    size_t size = u->rest_size;
    if (size > 0)
        memcpy(bytes, u->rest, size);
    ssize_t came = recv(u->file, bytes + size, READ_BYTES, 0);
    if (came <= 0) {
        if (came == 0 || (errno != EAGAIN && errno != EINTR))
            lose(c, number, WL_DISCONNECTED, came == 0 ? "closed by the server" : strerror(errno));
        return;
    }
    size += (size_t)came;
    size_t used = take(c, number, bytes, size);
    if (u->state != ABSENT)
        keep_rest(c, u, bytes + used, size - used);
}

bool crowd_is_served(const crowd *c)
{
    return c->under_way == 0 && c->counts.received >= c->counts.expected;
}

void crowd_close(crowd *c)
{
    /* Reset rather than closed: 10,000 ports would stay taken for a minute. */
    struct linger reset = {1, 0};
    for (uint32_t number = 0; number < c->users_size; number++) {
        user *u = &c->users[number];
        if (u->state == ABSENT)
            continue;
        if (u->state == MEMBER)
            give_up(c, number, WL_TIMEOUT);
        else
            record_connect(c, number, WL_TIMEOUT);
        setsockopt(u->file, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        close(u->file);
        free(u->rest);
    }
    counts_close(&c->counts, c->worker);
    free(c->users);
    free(c->sent);
    free(c->members);
}
