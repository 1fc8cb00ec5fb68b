/* The neutral OPC UA server of the suite, a worker of wirelab: it serves until told to stop. */
#include "wirelab.h"

#include "endpoints.h"
#include "tags.h"

#include <gnu/libc-version.h>
#include <open62541/config.h>
#include <open62541/plugin/log_stdout.h>
#include <stdlib.h>
#include <unistd.h>

static void require(wl_worker *w, UA_StatusCode status, const char *what)
{
    if (status != UA_STATUSCODE_GOOD)
        wl_fatal(w, "UA_StatusCode", "%s: %s", what, UA_StatusCode_name(status));
}

static void on_timer(UA_Server *server, void *data)
{
    (void)server, (void)data;
    tags_advance(wl_now());
}

/* Besides the timer: after a stall, requests that piled up are served before timers are, and
 * must not be answered with the generation from before it. */
static void on_service(UA_Server *server, UA_ApplicationNotificationType type,
                       const UA_KeyValueMap payload)
{
    (void)server;
    const UA_NodeId *request = UA_KeyValueMap_getScalar(
        &payload, UA_QUALIFIEDNAME(0, "service-type"), &UA_TYPES[UA_TYPES_NODEID]);
    bool is_read = request != NULL
                && UA_NodeId_equal(request, &UA_TYPES[UA_TYPES_READREQUEST].typeId);
    if (type == UA_APPLICATIONNOTIFICATIONTYPE_SERVICE_BEGIN)
        tags_advance(wl_now());
    tags_serve_read(is_read && type == UA_APPLICATIONNOTIFICATIONTYPE_SERVICE_BEGIN);
}

/* The defaults are meant for a device with few clients; no scenario is to measure a limit. But who
 * is told how often to be told of changes is told no oftener. */
static void raise_limits(UA_ServerConfig *config, int64_t interval_ns)
{
    config->maxSecureChannels = 10000;
    config->maxSessions = 10000;
    config->publishingIntervalLimits.min = (double)interval_ns / 1e6;
    config->samplingIntervalLimits.min = (double)interval_ns / 1e6;
    config->queueSizeLimits.max = 10000;
    config->maxNotificationsPerPublish = 100000;
}

static UA_Server *configure(wl_worker *w, const address *listen)
{
    security wanted;
    wl_spec_text(w, "parameters.security", "None", wanted.policy, sizeof wanted.policy);
    wl_spec_text(w, "parameters.security_mode", "", wanted.mode, sizeof wanted.mode);
    wl_spec_text(w, "facts.certificates.server_folder", "", wanted.folder, sizeof wanted.folder);
    if (!security_is_known(&wanted))
        wl_fatal(w, "spec", "spec: parameters: the server does not know the security policy \"%s\" "
                 "with the mode \"%s\"", wanted.policy, wanted.mode);
    if (wl_spec_int_or(w, "parameters.tags", TAGS) > TAGS)
        wl_fatal(w, "spec", "spec: parameters.tags: the server has %d tags", TAGS);
    UA_ServerConfig config;
    memset(&config, 0, sizeof config);
    config.logging = UA_Log_Stdout_new(UA_LOGLEVEL_WARNING);
    require(w, endpoints_configure(&config, listen, &wanted), "configuration");
    raise_limits(&config, wl_spec_int_or(w, "parameters.interval_ns", 10000000));
    config.serviceNotificationCallback = on_service;
    UA_Server *server = UA_Server_newWithConfig(&config);
    if (server == NULL)
        wl_fatal(w, "UA_StatusCode", "UA_Server_newWithConfig failed");
    return server;
}

/* Tells when the values change: always, or at the ticks of the schedule, once it is known when they
 * are. */
static bool changes_at_ticks(wl_worker *w)
{
    char when[16];
    wl_spec_text(w, "parameters.changes", "always", when, sizeof when);
    if (strcmp(when, "at-ticks") == 0)
        return true;
    if (strcmp(when, "always") != 0)
        wl_fatal(w, "spec", "spec: parameters.changes: \"%s\" is not known", when);
    return false;
}

/* Once it is told when the ticks are, the values change at them. */
static void follow_ticks(const wl_worker *w)
{
    static int64_t followed;
    timetable ticks = {w->start_ns + w->first_ns, w->period_ns, 1};
    if (w->start_ns != followed)
        tags_follow(&ticks);
    followed = w->start_ns;
}

/* The secret of the trial, from the descriptor that it is handed; outside of a trial there is none.
 */
static secret take_secret(wl_worker *w)
{
    secret taken = {.length = 0};
    const char *number = getenv("WIRELAB_SECRET");
    if (number == NULL)
        return taken;
    int from = atoi(number);
    ssize_t count = read(from, taken.bytes, sizeof taken.bytes);
    if (count <= 0)
        wl_fatal(w, "secret", "the secret cannot be read from descriptor %d", from);
    close(from);
    taken.length = (size_t)count;
    return taken;
}

/* `since`: when the first generation began; NULL where they begin at ticks. */
static void say_ready(wl_worker *w, const address *listen, uint16_t port, const int64_t *since)
{
    char endpoint[96], facts[128] = "{}";
    snprintf(endpoint, sizeof endpoint, "opc.tcp://%s:%u", listen->host, port);
    if (since != NULL)
        snprintf(facts, sizeof facts, "{\"epoch_ns\":%lld,\"generation_ns\":%lld}",
                 (long long)*since, (long long)GENERATION_NS);
    wl_about about = {
        .library = "open62541",
        .library_version = UA_OPEN62541_VERSION + 1, /* past its "v" */
        .runtime = "glibc",
        .runtime_version = gnu_get_libc_version(),
        .endpoint = endpoint,
        .facts = facts,
        .capabilities = "[\"security\"]",
    };
    wl_ready(w, &about);
}

/* Time between two reports of how much was served: a second, for the steps of a trial; in one that
 * lasts for hours a minute, for what a role may say has a bound. */
static int64_t said_every(int64_t since_begin_ns)
{
    const int64_t second = INT64_C(1000000000);
    return since_begin_ns < 600 * second ? second : 60 * second;
}

static void say_served(wl_worker *w, UA_Server *server)
{
    char items[256];
    tags_count counted = tags_counted();
    size_t connections = UA_Server_getStatistics(server).scs.cumulatedChannelCount;
    snprintf(items, sizeof items,
             "{\"read\":%llu,\"calls\":%llu,\"notified\":%llu,\"sampled\":%llu,\"written\":%llu,"
             "\"connections\":%zu}",
             (unsigned long long)counted.read, (unsigned long long)counted.calls,
             (unsigned long long)counted.notified, (unsigned long long)counted.sampled,
             (unsigned long long)counted.written, connections);
    wl_served(w, items);
}

int main(void)
{
    wl_worker w;
    address listen;
    char text[128];
    wl_open(&w, "server");
    wl_spec_text(&w, "listen", NULL, text, sizeof text);
    if (!address_parse(text, &listen))
        wl_fatal(&w, "spec", "spec: listen: \"%s\" is not an IPv4 loopback address with a port",
                 text);
    if (!address_is_free(&listen))
        wl_fatal(&w, "bind", "cannot listen on %s: %s", text, strerror(errno));

    UA_Server *server = configure(&w, &listen);
    secret key = take_secret(&w);
    bool at_ticks = changes_at_ticks(&w);
    int64_t epoch_ns = wl_now();
    timetable always = {.first_ns = epoch_ns, .period_ns = GENERATION_NS, .first = 0};
    timetable not_yet = {.first_ns = INT64_MAX, .period_ns = 1, .first = 1};
    require(&w, tags_add(server, at_ticks ? &not_yet : &always, &key), "adding the tags");
    require(&w, UA_Server_addRepeatedCallback(server, on_timer, NULL, GENERATION_NS / 1e6, NULL),
            "timer of the generations");
    require(&w, UA_Server_run_startup(server), "start");
    uint16_t port = endpoints_settle(server, &listen);
    if (port == 0)
        wl_fatal(&w, "bind", "the server got no port on %s", listen.host);
    say_ready(&w, &listen, port, at_ticks ? NULL : &epoch_ns);

    for (int64_t said_ns = epoch_ns; !wl_stopping(&w);) {
        if (at_ticks)
            follow_ticks(&w);
        UA_Server_run_iterate(server, true);
        wl_heartbeat(&w);
        if (wl_now() - said_ns >= said_every(said_ns - epoch_ns)) {
            said_ns = wl_now();
            say_served(&w, server);
        }
    }
    UA_Server_run_shutdown(server);
    say_served(&w, server);
    UA_Server_delete(server);
    tags_clear();
    wl_done(&w);
    return 0;
}
