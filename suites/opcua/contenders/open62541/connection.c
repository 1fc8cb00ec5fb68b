#include "connection.h"

#include <open62541/client_config_default.h>
#include <open62541/plugin/create_certificate.h>
#include <open62541/plugin/log_stdout.h>

#define APPLICATION_URI "urn:wirelab:opcua:open62541"

static UA_StatusCode use_basic256sha256(UA_ClientConfig *config)
{
    UA_String subject[] = {UA_STRING_STATIC("O=wirelab"), UA_STRING_STATIC("CN=open62541")};
    UA_String names[] = {UA_STRING_STATIC("DNS:localhost"),
                         UA_STRING_STATIC("URI:" APPLICATION_URI)};
    UA_UInt16 bits = 2048;
    UA_KeyValuePair size = {.key = UA_QUALIFIEDNAME(0, "key-size-bits")};
    UA_Variant_setScalar(&size.value, &bits, &UA_TYPES[UA_TYPES_UINT16]);
    UA_KeyValueMap options = {1, &size};
    UA_ByteString certificate = UA_BYTESTRING_NULL, key = UA_BYTESTRING_NULL;
    UA_StatusCode status =
        UA_CreateCertificate(config->logging, subject, 2, names, 2, UA_CERTIFICATEFORMAT_DER,
                             &options, &key, &certificate);
    if (status == UA_STATUSCODE_GOOD)
        status = UA_ClientConfig_setDefaultEncryption(config, certificate, key, NULL, 0, NULL, 0);
    UA_ByteString_clear(&certificate);
    UA_ByteString_memZero(&key);
    UA_ByteString_clear(&key);
    config->securityMode = UA_MESSAGESECURITYMODE_SIGNANDENCRYPT;
    config->securityPolicyUri =
        UA_STRING_ALLOC("http://opcfoundation.org/UA/SecurityPolicy#Basic256Sha256");
    return status;
}

static UA_StatusCode use_none(UA_ClientConfig *config)
{
    config->securityMode = UA_MESSAGESECURITYMODE_NONE;
    config->securityPolicyUri = UA_STRING_ALLOC("http://opcfoundation.org/UA/SecurityPolicy#None");
    return UA_ClientConfig_setDefault(config);
}

void connection_open(connection *c, wl_worker *w)
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
    config.clientDescription.applicationUri = UA_STRING_ALLOC(APPLICATION_URI);
    UA_StatusCode status = UA_STATUSCODE_BADSECURITYPOLICYREJECTED;
    if (strcmp(security, "None") == 0)
        status = use_none(&config);
    else if (strcmp(security, "Basic256Sha256") == 0)
        status = use_basic256sha256(&config);
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

UA_StatusCode connection_connect(connection *c)
{
    return UA_Client_connect(c->client, c->url);
}

void connection_close(connection *c, int64_t patience_ns)
{
    UA_ClientConfig *config = UA_Client_getConfig(c->client);
    if (config->timeout > patience_ns / 1000000)
        config->timeout = (UA_UInt32)(patience_ns / 1000000);
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
