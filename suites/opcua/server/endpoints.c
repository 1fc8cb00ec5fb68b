#include "endpoints.h"

#include <arpa/inet.h>
#include <open62541/plugin/accesscontrol_default.h>
#include <open62541/plugin/certificategroup_default.h>
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

typedef UA_StatusCode (*add_policy)(UA_ServerConfig *, const UA_ByteString *certificate,
                                    const UA_ByteString *key);

static const struct {
    const char *name, *uri;
    add_policy add;
} policies[] = {
    {"Basic256Sha256", "http://opcfoundation.org/UA/SecurityPolicy#Basic256Sha256",
     UA_ServerConfig_addSecurityPolicyBasic256Sha256},
    {"Aes128_Sha256_RsaOaep", "http://opcfoundation.org/UA/SecurityPolicy#Aes128_Sha256_RsaOaep",
     UA_ServerConfig_addSecurityPolicyAes128Sha256RsaOaep},
};

static UA_StatusCode read_file(const security *wanted, const char *name, UA_ByteString *bytes)
{
    enum { LARGEST = 16384 };
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", wanted->folder, name);
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return UA_STATUSCODE_BADNOTFOUND;
    UA_StatusCode status = UA_ByteString_allocBuffer(bytes, LARGEST);
    if (status == UA_STATUSCODE_GOOD)
        bytes->length = fread(bytes->data, 1, LARGEST, file);
    if (ferror(file) || !feof(file))
        status = UA_STATUSCODE_BADRESOURCEUNAVAILABLE;
    fclose(file);
    return status;
}

/* Only the certificate on the list is trusted, whoever shows another one. */
static UA_StatusCode trust(UA_ServerConfig *config, const security *wanted)
{
    UA_ByteString peer = UA_BYTESTRING_NULL;
    UA_TrustListDataType list;
    UA_TrustListDataType_init(&list);
    list.specifiedLists = UA_TRUSTLISTMASKS_TRUSTEDCERTIFICATES;
    UA_StatusCode status = read_file(wanted, "trusted/peer.der", &peer);
    list.trustedCertificates = &peer;
    list.trustedCertificatesSize = 1;
    UA_NodeId group =
        UA_NS0ID(SERVERCONFIGURATION_CERTIFICATEGROUPS_DEFAULTAPPLICATIONGROUP);
    if (status == UA_STATUSCODE_GOOD)
        status = UA_CertificateGroup_Memorystore(&config->secureChannelPKI, &group, &list,
                                                 config->logging, NULL);
    UA_ByteString_clear(&peer);
    return status;
}

/* One endpoint, with the policy and the mode; without security a client may ask for endpoints
 * and for nothing else. */
static UA_StatusCode secure(UA_ServerConfig *config, const security *wanted)
{
    UA_ByteString certificate = UA_BYTESTRING_NULL, key = UA_BYTESTRING_NULL;
    UA_MessageSecurityMode mode = strcmp(wanted->mode, "Sign") == 0
                                    ? UA_MESSAGESECURITYMODE_SIGN
                                    : UA_MESSAGESECURITYMODE_SIGNANDENCRYPT;
    UA_Array_delete(config->endpoints, config->endpointsSize,
                    &UA_TYPES[UA_TYPES_ENDPOINTDESCRIPTION]);
    config->endpoints = NULL;
    config->endpointsSize = 0;
    config->securityPolicyNoneDiscoveryOnly = true;
    UA_StatusCode status = read_file(wanted, "own.der", &certificate);
    if (status == UA_STATUSCODE_GOOD)
        status = read_file(wanted, "own.key.pem", &key);
    if (status == UA_STATUSCODE_GOOD)
        status = trust(config, wanted);
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        if (strcmp(policies[i].name, wanted->policy) != 0)
            continue;
        if (status == UA_STATUSCODE_GOOD)
            status = policies[i].add(config, &certificate, &key);
        if (status == UA_STATUSCODE_GOOD)
            status = UA_ServerConfig_addEndpoint(config, UA_STRING((char *)policies[i].uri), mode);
    }
    /* It knows the policies that there were when it was made. */
    if (status == UA_STATUSCODE_GOOD)
        status = UA_AccessControl_default(config, true, NULL, 0, NULL);
    UA_ByteString_memZero(&key);
    UA_ByteString_clear(&key);
    UA_ByteString_clear(&certificate);
    return status;
}

bool security_is_known(const security *wanted)
{
    if (strcmp(wanted->policy, "None") == 0)
        return true;
    if (strcmp(wanted->mode, "Sign") != 0 && strcmp(wanted->mode, "SignAndEncrypt") != 0)
        return false;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        if (strcmp(policies[i].name, wanted->policy) == 0)
            return true;
    return false;
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

UA_StatusCode endpoints_configure(UA_ServerConfig *config, const address *listen,
                                  const security *wanted)
{
    char url[96];
    UA_StatusCode status = UA_ServerConfig_setMinimal(config, listen->port, NULL);
    if (status != UA_STATUSCODE_GOOD)
        return status;
    snprintf(url, sizeof url, "opc.tcp://%s:%u", listen->host, listen->port);
    describe(config, url);
    /* So that a successor can have the port while connections of this server time out on it. */
    config->tcpReuseAddr = true;
    return strcmp(wanted->policy, "None") == 0 ? UA_STATUSCODE_GOOD : secure(config, wanted);
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
