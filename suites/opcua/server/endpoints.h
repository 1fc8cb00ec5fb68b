/* Where the neutral server listens, and under which security. */
#ifndef OPCUA_SERVER_ENDPOINTS_H
#define OPCUA_SERVER_ENDPOINTS_H

#include <open62541/server.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    char host[64];
    uint16_t port; /* 0: any free one */
} address;

/* Splits "127.0.0.1:0". False unless it is an IPv4 address of the loopback with a port. */
bool address_parse(const char *text, address *listen);

/* Whether the address can be listened on; false with errno set. The library shares ports with
 * other servers of this user, so a port that is taken must be found out before. */
bool address_is_free(const address *listen);

/* Sets up the endpoints: None, and with `secure` also Basic256Sha256 SignAndEncrypt, with a
 * certificate made here and written to `certificate_path`. Anonymous users; every client
 * certificate is accepted. */
UA_StatusCode endpoints_configure(UA_ServerConfig *config, const address *listen, bool secure,
                                  const char *certificate_path);

/* Of a started server: the port it really got, 0 if none. From then on only the URL with that
 * port is advertised. */
uint16_t endpoints_settle(UA_Server *server, const address *listen);

/* The certificate of the secured endpoint in Base64, for clients that accept none blindly; empty
 * without such an endpoint. To be cleared by the caller. */
UA_String endpoints_certificate(UA_Server *server);

#endif
