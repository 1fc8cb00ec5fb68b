#include "connections.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

static const char END_OF_HEAD[] = "\r\n\r\n";

int connections_listen(wl_worker *w, const char *address, const char *scheme, char *endpoint,
                  size_t size)
{
    char host[64];
    const char *colon = strrchr(address, ':');
    struct sockaddr_in own = {.sin_family = AF_INET};
    socklen_t own_size = sizeof own;
    if (colon == NULL || (size_t)(colon - address) >= sizeof host)
        wl_fatal(w, "spec", "spec: listen: expected HOST:PORT, not %s", address);
    snprintf(host, sizeof host, "%.*s", (int)(colon - address), address);
    own.sin_port = htons((uint16_t)atoi(colon + 1));
    int listening = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    if (inet_pton(AF_INET, host, &own.sin_addr) != 1 || listening < 0
        || setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0
        || bind(listening, (struct sockaddr *)&own, sizeof own) != 0
        || listen(listening, SOMAXCONN) != 0
        || getsockname(listening, (struct sockaddr *)&own, &own_size) != 0)
        wl_fatal(w, "listen", "%s: %s", address, strerror(errno));
    snprintf(endpoint, size, "%s://%s:%u", scheme, host, ntohs(own.sin_port));
    return listening;
}

connection *connections_accept(connections *c, wl_worker *w, int listening)
{
    int taken = accept4(listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;
    if (taken < 0)
        return NULL;
    connection *new_one = (connection *)calloc(1, sizeof *new_one);
    if (c->count == MOST_CONNECTIONS || new_one == NULL)
        wl_fatal(w, "connections", "more connections than the %d that a record tells apart",
                 MOST_CONNECTIONS);
    setsockopt(taken, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    new_one->socket = taken;
    new_one->number = (uint16_t)c->count;
    c->of[c->count++] = new_one;
    return new_one;
}

bool connection_hear(connection *c, wl_worker *w)
{
    ssize_t count = read(c->socket, c->said + c->used, sizeof c->said - c->used);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (count <= 0) {
        connection_end(c);
        return false;
    }
    c->used += (size_t)count;
    if (c->used == sizeof c->said)
        wl_fatal(w, "request", "connection %u says more than %d bytes at once", c->number,
                 LARGEST_SAYING);
    return true;
}

void connection_forget(connection *c, size_t bytes)
{
    c->used -= bytes;
    memmove(c->said, c->said + bytes, c->used);
}

void connection_tell(connection *c, wl_worker *w, const void *bytes, size_t size)
{
    if (c->socket >= 0 && send(c->socket, bytes, size, MSG_NOSIGNAL) != (ssize_t)size)
        wl_fatal(w, "answer", "connection %u does not take its answer: %s", c->number,
                 strerror(errno));
}

void connection_end(connection *c)
{
    close(c->socket);
    c->socket = -1;
}

int connection_requests(connection *c)
{
    int whole = 0;
    char *from = c->said, *end;
    while ((end = (char *)memmem(from, c->used - (size_t)(from - c->said), END_OF_HEAD, 4))) {
        from = end + 4;
        whole++;
    }
    connection_forget(c, (size_t)(from - c->said));
    return whole;
}

void connection_answer(connection *c, wl_worker *w)
{
    static char answer[MOST_CONNECTIONS + 256];
    size_t body = (size_t)c->number + 1;
    int head = snprintf(answer, sizeof answer,
                        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n\r\n",
                        body);
    memset(answer + head, 'x', body);
    connection_tell(c, w, answer, (size_t)head + body);
}
