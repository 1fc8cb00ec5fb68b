/* Opening of a crowd: its server, operations and users, from the spec. */
#include "messages.h"
#include "users.h"

#include <arpa/inet.h>

static void read_endpoint(crowd *c)
{
    char endpoint[256], host[64], path[128];
    unsigned port;
    wl_spec_text(c->worker, "endpoints.server", NULL, endpoint, sizeof endpoint);
    c->server.sin_family = AF_INET;
    if (sscanf(endpoint, "ws://%63[0-9.]:%u%127s", host, &port, path) != 3 || port > UINT16_MAX
        || inet_pton(AF_INET, host, &c->server.sin_addr) != 1)
        wl_fatal(c->worker, "spec", "endpoint %s: expected ws://ADDRESS:PORT/PATH", endpoint);
    c->server.sin_port = htons((uint16_t)port);
    /* The key is any 16 bytes; what the server makes of it is not looked at. */
    snprintf(c->request, sizeof c->request,
             "GET %s HTTP/1.1\r\nHost: %s:%u\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: d2lyZWxhYidzIGVwb2xsIQ==\r\n\r\n",
             path, host, port);
}

void crowd_open(crowd *c, wl_worker *w, int64_t users, int epoll)
{
    char protocol[32];
    wl_operation operation;
    memset(c, 0, sizeof *c);
    c->worker = w;
    c->epoll = epoll;
    c->mask = 0x9E3779B9;
    wl_spec_text(w, "facts.server.protocol", "", protocol, sizeof protocol);
    if (strcmp(protocol, "json") != 0)
        wl_fatal(w, "Unsupported", "this client speaks json, the server \"%s\"", protocol);
    read_endpoint(c);
    if (!wl_operation_read(w, "rtt", &operation))
        wl_fatal(w, "spec", "spec: operations: expected rtt");
    c->rtt = operation.code;
    if (!wl_operation_read(w, "connect", &operation))
        wl_fatal(w, "spec", "spec: operations: expected connect");
    c->connect = operation.code;
    int64_t bytes = wl_spec_int_or(w, "parameters.message_bytes", 130);
    c->board_size = wl_spec_int_or(w, "parameters.board_size", 50);
    if (bytes < 0 || bytes > MESSAGE_MOST - 256 || c->board_size < 1)
        wl_fatal(w, "spec", "spec: parameters: message_bytes or board_size out of range");
    /* As many as may be under way, and one that is over. */
    c->slots = (uint32_t)(w->operation_ns / w->period_ns) + 2;
    c->message_bytes = (size_t)bytes;
    c->users_size = users;
    c->users = (user *)calloc((size_t)users, sizeof *c->users);
    c->members = (int32_t *)calloc((size_t)(users / c->board_size) + 1, sizeof *c->members);
    c->sent = (sent *)calloc((size_t)users * c->slots, sizeof *c->sent);
    if (c->users == NULL || c->members == NULL || c->sent == NULL)
        wl_fatal(w, "memory", "no memory for %lld users", (long long)users);
    counts_open(&c->counts, w);
}
