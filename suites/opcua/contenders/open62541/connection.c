#include "connection.h"

#include <open62541/client_config_default.h>
#include <open62541/plugin/log_stdout.h>

/* Client that the certificates of the suite name (README.md of the suite). */
#define APPLICATION_URI "urn:wirelab:opcua:client"
#define POLICIES "http://opcfoundation.org/UA/SecurityPolicy#"

static UA_ByteString read_file(wl_worker *w, const char *folder, const char *name)
{
    enum { LARGEST = 16384 };
    char path[4096];
    UA_ByteString bytes = UA_BYTESTRING_NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rbe");
    if (file == NULL || UA_ByteString_allocBuffer(&bytes, LARGEST) != UA_STATUSCODE_GOOD)
        wl_fatal(w, "spec", "%s: %s", path, strerror(errno));
    bytes.length = fread(bytes.data, 1, LARGEST, file);
    fclose(file);
    return bytes;
}

/* With the client's certificate, and the server's as the only one that is trusted. */
static UA_StatusCode use_policy(UA_ClientConfig *config, wl_worker *w, const char *policy)
{
    char folder[4000], mode[32], uri[128];
    wl_spec_text(w, "facts.certificates.client_folder", NULL, folder, sizeof folder);
    wl_spec_text(w, "parameters.security_mode", NULL, mode, sizeof mode);
    UA_ByteString certificate = read_file(w, folder, "own.der");
    UA_ByteString key = read_file(w, folder, "own.key.pem");
    UA_ByteString trusted = read_file(w, folder, "trusted/peer.der");
    UA_StatusCode status =
        UA_ClientConfig_setDefaultEncryption(config, certificate, key, &trusted, 1, NULL, 0);
    UA_ByteString_clear(&trusted);
    UA_ByteString_clear(&certificate);
    UA_ByteString_memZero(&key);
    UA_ByteString_clear(&key);
    config->securityMode = strcmp(mode, "Sign") == 0 ? UA_MESSAGESECURITYMODE_SIGN
                                                     : UA_MESSAGESECURITYMODE_SIGNANDENCRYPT;
    snprintf(uri, sizeof uri, POLICIES "%s", policy);
    config->securityPolicyUri = UA_STRING_ALLOC(uri);
    return status;
}

static UA_StatusCode use_none(UA_ClientConfig *config)
{
    config->securityMode = UA_MESSAGESECURITYMODE_NONE;
    config->securityPolicyUri = UA_STRING_ALLOC(POLICIES "None");
    return UA_ClientConfig_setDefault(config);
}

void connection_open(connection *c, wl_worker *w, const connection *beside)
{
    char security[32];
    wl_spec_text(w, "endpoints.server", NULL, c->url, sizeof c->url);
    wl_spec_text(w, "parameters.security", "None", security, sizeof security);
    int64_t timeout_ns = wl_spec_int_or(w, "parameters.request_timeout_ns", w->operation_ns);
    if (timeout_ns < 1000000 || timeout_ns / 1000000 > UINT32_MAX)
        wl_fatal(w, "spec", "spec: parameters.request_timeout_ns: expected at least 1 ms");

    UA_ClientConfig config;
    memset(&config, 0, sizeof config);
    config.logging = UA_Log_Stdout_new(UA_LOGLEVEL_WARNING);
    config.timeout = (UA_UInt32)(timeout_ns / 1000000);
    int64_t session_ns = wl_spec_int_or(w, "parameters.session_timeout_ns", 0);
    if (session_ns > 0)
        config.requestedSessionTimeout = (UA_UInt32)(session_ns / 1000000);
    if (beside != NULL) {
        const UA_ClientConfig *other = UA_Client_getConfig(beside->client);
        config.eventLoop = other->eventLoop;
        config.externalEventLoop = true;
        UA_EndpointDescription_copy(&other->endpoint, &config.endpoint);
    }
    config.clientDescription.applicationUri = UA_STRING_ALLOC(APPLICATION_URI);
    UA_StatusCode status = strcmp(security, "None") == 0 ? use_none(&config)
                                                         : use_policy(&config, w, security);
    if (status != UA_STATUSCODE_GOOD)
        wl_fatal(w, "UA_StatusCode", "security %s: %s", security, UA_StatusCode_name(status));
    c->client = UA_Client_newWithConfig(&config);
    if (c->client == NULL)
        wl_fatal(w, "UA_StatusCode", "UA_Client_newWithConfig failed");
}

bool connection_is_up(connection *c)
{
    UA_SecureChannelState channel;
    UA_SessionState session;
    UA_Client_run_iterate(c->client, 0);
    UA_Client_getState(c->client, &channel, &session, NULL);
    return channel == UA_SECURECHANNELSTATE_OPEN && session == UA_SESSIONSTATE_ACTIVATED;
}

UA_StatusCode connection_find_endpoint(connection *c)
{
    UA_ClientConfig *config = UA_Client_getConfig(c->client);
    UA_EndpointDescription *offered = NULL;
    size_t number = 0;
    UA_StatusCode status = UA_Client_getEndpoints(c->client, c->url, &number, &offered);
    if (status != UA_STATUSCODE_GOOD)
        return status;
    status = UA_STATUSCODE_BADSECURITYPOLICYREJECTED;
    for (size_t i = 0; i < number && status != UA_STATUSCODE_GOOD; i++)
        if (offered[i].securityMode == config->securityMode
            && UA_String_equal(&offered[i].securityPolicyUri, &config->securityPolicyUri))
            status = UA_EndpointDescription_copy(&offered[i], &config->endpoint);
    UA_Array_delete(offered, number, &UA_TYPES[UA_TYPES_ENDPOINTDESCRIPTION]);
    return status;
}

UA_StatusCode connection_connect(connection *c)
{
    return UA_Client_connect(c->client, c->url);
}

UA_StatusCode connection_connect_async(connection *c)
{
    return UA_Client_connectAsync(c->client, c->url);
}

void connection_heed(connection *c, connection_changed changed, void *context)
{
    UA_ClientConfig *config = UA_Client_getConfig(c->client);
    config->stateCallback = changed;
    config->clientContext = context;
}

void connection_work(connection *c, unsigned wait_ms)
{
    UA_EventLoop *loop = UA_Client_getConfig(c->client)->eventLoop;
    loop->run(loop, wait_ms);
}

void connection_disconnect(connection *c)
{
    UA_Client_disconnect(c->client);
}

void connection_close(connection *c, int64_t patience_ns)
{
    UA_ClientConfig *config = UA_Client_getConfig(c->client);
    int64_t patience_ms = patience_ns < 1000000 ? 1 : patience_ns / 1000000;
    if (config->timeout > patience_ms)
        config->timeout = (UA_UInt32)patience_ms;
    UA_Client_delete(c->client);
}

static uint8_t status_of(UA_StatusCode code, uint8_t otherwise)
{
    switch (code) {
    case UA_STATUSCODE_GOOD:
        return WL_OK;
    case UA_STATUSCODE_BADTIMEOUT:
    case UA_STATUSCODE_BADREQUESTTIMEOUT:
        return WL_TIMEOUT;
    default:
        return otherwise;
    }
}

uint8_t status_of_connect(UA_StatusCode code)
{
    return status_of(code, WL_REFUSED);
}

uint8_t status_of_call(UA_StatusCode code)
{
    switch (code) {
    case UA_STATUSCODE_BADCONNECTIONCLOSED:
    case UA_STATUSCODE_BADSECURECHANNELCLOSED:
    case UA_STATUSCODE_BADSECURECHANNELIDINVALID:
    case UA_STATUSCODE_BADSERVERNOTCONNECTED:
    case UA_STATUSCODE_BADNOTCONNECTED:
    case UA_STATUSCODE_BADSESSIONCLOSED:
    case UA_STATUSCODE_BADSESSIONIDINVALID:
    case UA_STATUSCODE_BADCOMMUNICATIONERROR:
    case UA_STATUSCODE_BADSHUTDOWN:
        return WL_DISCONNECTED;
    case UA_STATUSCODE_BADCONNECTIONREJECTED:
        return WL_REFUSED;
    default:
        return status_of(code, WL_ERROR);
    }
}
