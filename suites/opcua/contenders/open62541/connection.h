/* The connection to the server: one client, one session, anonymous. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "wirelab.h"

#include <open62541/client.h>

typedef struct {
    UA_Client *client;
    char url[256];
} connection;

/* Configures the client as the spec's parameters `security`, `security_mode` and
 * `request_timeout_ns` say. With another one `beside` it shares the event loop and the endpoint of
 * that one, which is to be closed after it; NULL: a loop of its own. */
void connection_open(connection *c, wl_worker *w, const connection *beside);

/* Tells whether there is a session, after looking at what the network has brought meanwhile. */
bool connection_is_up(connection *c);

/* Asks the server for its endpoints and keeps the one of the configuration: otherwise the library
 * asks each time that it connects, over a connection of its own. */
UA_StatusCode connection_find_endpoint(connection *c);

/* Connects and waits for the session: the library gives up after its request timeout. Does
 * nothing where there is a session. */
UA_StatusCode connection_connect(connection *c);

/* Begins to connect: what becomes of it is heard by the callback of connection_heed. */
UA_StatusCode connection_connect_async(connection *c);

typedef void (*connection_changed)(UA_Client *client, UA_SecureChannelState channel,
                                   UA_SessionState session, UA_StatusCode status);

/* Calls that whenever the state of the connection changes; `context` is the client's from now
 * on. */
void connection_heed(connection *c, connection_changed changed, void *context);

/* Lets the event loop work once, and wait so long for something to do. */
void connection_work(connection *c, unsigned wait_ms);

/* Ends the session and keeps the client, which can connect again. */
void connection_disconnect(connection *c);

/* Ends the session and frees the client; waits for the server at most `patience_ns`. */
void connection_close(connection *c, int64_t patience_ns);

/* The contract's status for what a call returned. */
uint8_t status_of_call(UA_StatusCode code);

/* The contract's status for what connecting returned. */
uint8_t status_of_connect(UA_StatusCode code);

#endif
