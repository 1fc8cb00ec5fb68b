#include "endpoints.h"

#include <arpa/inet.h>
#include <open62541/plugin/create_certificate.h>
#include <open62541/server_config_default.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define APPLICATION_URI "urn:wirelab:opcua:server"

bool address_parse(const char *text, address *listen)
{
    struct in_addr host;
    const char *colon = strrchr(text, ':');
    if (colon == NULL || (size_t)(colon - text) >= sizeof listen->host)
        return false;
    snprintf(listen->host, sizeof listen->host, "%.*s", (int)(colon - text), text);
    char *end;
    unsigned long port = strtoul(colon + 1, &end, 10);
    if (end == colon + 1 || *end != 0 || port > UINT16_MAX)
        return false;
    listen->port = (uint16_t)port;
    return inet_pton(AF_INET, listen->host, &host) == 1 && ntohl(host.s_addr) >> 24 == 127;
}

bool address_is_free(const address *listen)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(listen->port)};
    inet_pton(AF_INET, listen->host, &at.sin_addr);
    int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    /* As the server itself: pass over connections that a predecessor left to time out. */
    bool is_free = probe >= 0
                && setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0
                && bind(probe, (struct sockaddr *)&at, sizeof at) == 0;
    if (probe >= 0)
        close(probe);
    return is_free;
}

static UA_StatusCode make_certificate(const UA_ServerConfig *config, UA_ByteString *certificate,
                                      UA_ByteString *key)
{
    UA_String subject[] = {UA_STRING_STATIC("O=wirelab"), UA_STRING_STATIC("CN=opcua-server")};
    UA_String names[] = {UA_STRING_STATIC("DNS:localhost"), UA_STRING_STATIC("IP:127.0.0.1"),
                         UA_STRING_STATIC("URI:" APPLICATION_URI)};
    UA_UInt16 bits = 2048;
    UA_KeyValuePair size = {.key = UA_QUALIFIEDNAME(0, "key-size-bits")};
    UA_Variant_setScalar(&size.value, &bits, &UA_TYPES[UA_TYPES_UINT16]);
    UA_KeyValueMap options = {1, &size};
    return UA_CreateCertificate(config->logging, subject, 2, names, 3, UA_CERTIFICATEFORMAT_DER,
                                &options, key, certificate);
}

static UA_StatusCode write_file(const char *path, const UA_ByteString *bytes)
{
    FILE *file = fopen(path, "wbe");
    bool written = file != NULL && fwrite(bytes->data, 1, bytes->length, file) == bytes->length;
    if (file != NULL && fclose(file) != 0)
        written = false;
    return written ? UA_STATUSCODE_GOOD : UA_STATUSCODE_BADRESOURCEUNAVAILABLE;
}

static UA_StatusCode add_basic256sha256(UA_ServerConfig *config, const char *certificate_path)
{
    UA_ByteString certificate = UA_BYTESTRING_NULL, key = UA_BYTESTRING_NULL;
    UA_StatusCode status = make_certificate(config, &certificate, &key);
    if (status == UA_STATUSCODE_GOOD)
        status = write_file(certificate_path, &certificate);
    if (status == UA_STATUSCODE_GOOD)
        status = UA_ServerConfig_addSecurityPolicyBasic256Sha256(config, &certificate, &key);
    if (status == UA_STATUSCODE_GOOD)
        status = UA_ServerConfig_addEndpoint(
            config, UA_STRING("http://opcfoundation.org/UA/SecurityPolicy#Basic256Sha256"),
            UA_MESSAGESECURITYMODE_SIGNANDENCRYPT);
    UA_ByteString_memZero(&key);
    UA_ByteString_clear(&key);
    UA_ByteString_clear(&certificate);
    return status;
}

static void describe(UA_ServerConfig *config, const char *url)
{
    UA_ApplicationDescription *about = &config->applicationDescription;
    UA_String_clear(&about->applicationUri);
    about->applicationUri = UA_STRING_ALLOC(APPLICATION_URI);
    UA_LocalizedText_clear(&about->applicationName);
    about->applicationName = UA_LOCALIZEDTEXT_ALLOC("en", "wirelab neutral server");
    UA_String_clear(&config->serverUrls[0]);
    config->serverUrls[0] = UA_STRING_ALLOC(url);
}

UA_StatusCode endpoints_configure(UA_ServerConfig *config, const address *listen, bool secure,
                                  const char *certificate_path)
{
    char url[96];
    UA_StatusCode status = UA_ServerConfig_setMinimal(config, listen->port, NULL);
    if (status != UA_STATUSCODE_GOOD)
        return status;
    snprintf(url, sizeof url, "opc.tcp://%s:%u", listen->host, listen->port);
    describe(config, url);
    /* So that a successor can have the port while connections of this server time out on it. */
    config->tcpReuseAddr = true;
    return secure ? add_basic256sha256(config, certificate_path) : UA_STATUSCODE_GOOD;
}

uint16_t endpoints_settle(UA_Server *server, const address *listen)
{
    UA_ServerConfig *config = UA_Server_getConfig(server);
    UA_ApplicationDescription *about = &config->applicationDescription;
    uint16_t got = 0;
    for (size_t i = 0; i < about->discoveryUrlsSize && got == 0; i++) {
        UA_String host, path;
        UA_UInt16 port = 0;
        if (UA_parseEndpointUrl(&about->discoveryUrls[i], &host, &port, &path)
            == UA_STATUSCODE_GOOD)
            got = port;
    }
    char url[96];
    snprintf(url, sizeof url, "opc.tcp://%s:%u", listen->host, got);
    UA_Array_delete(about->discoveryUrls, about->discoveryUrlsSize, &UA_TYPES[UA_TYPES_STRING]);
    about->discoveryUrls = UA_String_new();
    about->discoveryUrlsSize = about->discoveryUrls == NULL ? 0 : 1;
    if (about->discoveryUrls != NULL)
        about->discoveryUrls[0] = UA_STRING_ALLOC(url);
    UA_String_clear(&config->serverUrls[0]);
    config->serverUrls[0] = UA_STRING_ALLOC(url);
    return got;
}

UA_String endpoints_certificate(UA_Server *server)
{
    const UA_ServerConfig *config = UA_Server_getConfig(server);
    UA_String base64 = UA_STRING_NULL;
    for (size_t i = 0; i < config->securityPoliciesSize && base64.length == 0; i++) {
        const UA_ByteString *certificate = &config->securityPolicies[i].localCertificate;
        if (certificate->length > 0)
            UA_ByteString_toBase64(certificate, &base64);
    }
    return base64;
}
