/* The generator of paced ticks: one connection, a request at each tick, and no library. */
#include "wirelab.h"

#include <arpa/inet.h>
#include <gnu/libc-version.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

enum { LARGEST_ANSWER = 1024 };

static const char REQUEST[] = "GET / HTTP/1.1\r\nHost: truth\r\n\r\n";

static int connected(wl_worker *w)
{
    char endpoint[96], host[64];
    unsigned port = 0;
    int on = 1, made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in server = {.sin_family = AF_INET};
    wl_spec_text(w, "endpoints.server", NULL, endpoint, sizeof endpoint);
    if (sscanf(endpoint, "http://%63[^:]:%u", host, &port) != 2
        || inet_pton(AF_INET, host, &server.sin_addr) != 1)
        wl_fatal(w, "spec", "spec: endpoints.server: expected http://HOST:PORT, not %s", endpoint);
    server.sin_port = htons((uint16_t)port);
    if (made < 0 || connect(made, (struct sockaddr *)&server, sizeof server) != 0
        || setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0)
        wl_fatal(w, "connect", "%s: %s", endpoint, strerror(errno));
    return made;
}

/* Asks and waits for the whole answer; the bytes of its body. */
static uint32_t ask(wl_worker *w, int server)
{
    char answer[LARGEST_ANSWER + 1];
    size_t used = 0, body = 0;
    const char *head = NULL, *length;
    if (send(server, REQUEST, sizeof REQUEST - 1, MSG_NOSIGNAL) != sizeof REQUEST - 1)
        wl_fatal(w, "request", "%s", strerror(errno));
    while (head == NULL || used < (size_t)(head - answer) + body) {
        ssize_t count = recv(server, answer + used, LARGEST_ANSWER - used, 0);
        if (count <= 0)
            wl_fatal(w, "answer", "the server has gone, or says more than %d bytes",
                     LARGEST_ANSWER);
        used += (size_t)count;
        answer[used] = '\0';
        if (head != NULL || (head = strstr(answer, "\r\n\r\n")) == NULL)
            continue;
        head += 4;
        if ((length = strstr(answer, "Content-Length: ")) == NULL)
            wl_fatal(w, "answer", "an answer without its length");
        body = strtoul(length + sizeof "Content-Length: " - 1, NULL, 10);
    }
    return (uint32_t)body;
}

int main(void)
{
    static wl_worker w;
    wl_operation request;
    wl_open(&w, "generator");
    if (!wl_operation_read(&w, "request", &request))
        wl_fatal(&w, "spec", "spec: operations has no request");
    int server = connected(&w);
    wl_ready(&w, &(wl_about){.library = "truth-generator",
                             .library_version = "1",
                             .runtime = "glibc",
                             .runtime_version = gnu_get_libc_version()});
    bool started = wl_wait_start(&w);
    for (int64_t tick = 0; started && tick < w.count; tick++) {
        if (!wl_sleep_until(&w, wl_intended(&w, tick)))
            break;
        int64_t start_ns = wl_now();
        uint32_t size = ask(&w, server);
        wl_record(&w.samples, &(wl_sample){.intended_ns = wl_intended(&w, tick),
                                           .start_ns = start_ns,
                                           .end_ns = wl_now(),
                                           .size = size,
                                           .op = request.code});
        wl_heartbeat(&w);
    }
    wl_done(&w);
    return 0;
}
