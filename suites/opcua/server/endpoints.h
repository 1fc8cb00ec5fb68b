/* Addresses at which the neutral server listens, and their security. */
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

/* Tells whether the address can be listened on; false with errno set. The library shares ports with
 * other servers of this user, so a port that is taken must be found out before. */
bool address_is_free(const address *listen);

/* Security that a session has to have: the `policy` by its name in URIs ("None" too), the `mode`
 * ("Sign", "SignAndEncrypt"), and the `folder` with the own certificate, its key and the trust list
 * (README.md of the suite: "Certificates"). */
typedef struct {
    char policy[32], mode[32], folder[4000];
} security;

/* Tells whether this server has the policy and the mode. */
bool security_is_known(const security *wanted);

/* Sets up the one endpoint that sessions can be opened at. Anonymous users; of client certificates
 * none is trusted but those on the trust list. */
UA_StatusCode endpoints_configure(UA_ServerConfig *config, const address *listen,
                                  const security *wanted);

/* Port that a started server really got, 0 if none. From then on only the URL with that port is
 * advertised. */
uint16_t endpoints_settle(UA_Server *server, const address *listen);

#endif
