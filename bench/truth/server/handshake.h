/* The handshake of WebSocket (RFC 6455, section 4.2.2). */
#ifndef TRUTH_HANDSHAKE_H
#define TRUTH_HANDSHAKE_H

#include <stdbool.h>
#include <stddef.h>

enum { ACCEPTANCE_BYTES = 160 };

/* The answer to a request's head, which ends with a NUL; false where it asks for no WebSocket. */
bool handshake_accept(const char *head, char answer[ACCEPTANCE_BYTES]);

#endif
