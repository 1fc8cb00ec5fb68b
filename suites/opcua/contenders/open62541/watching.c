#include "wirelab.h"

#include "answers.h"
#include "watching.h"

#include <open62541/client_highlevel.h>
#include <open62541/client_subscriptions.h>

/* Values of each tag that the server keeps for a client that is behind. */
enum { QUEUE = 20 };

/* Time for which the event loop is waited in at a time before standard input is looked at, in
 * ms. */
enum { PATIENCE_MS = 50 };

/* The event loop is left so long before a tick, which it could not be left at exactly. */
#define BEFORE_TICK_NS INT64_C(2000000)

/* Nobody asks for an answer in the last tenth of a period. */
enum { LET_GO_SHARE = 10 };

static char names[TAGS][8];

/* ---- Values as they come ------------------------------------------------------------------- */

static void copy(UA_DataValue *to, const UA_DataValue *from)
{
    UA_DataValue_clear(to);
    if (UA_DataValue_copy(from, to) != UA_STATUSCODE_GOOD)
        abort(); /* no memory */
}

static void complete(watch *one)
{
    size_t items = (size_t)one->operation.items;
    for (size_t tag = 0; tag < items; tag++)
        copy(&one->sets[one->number % SETS][tag], &one->latest[tag]);
    one->number++;
    for (size_t tag = 0; tag < items; tag++)
        one->missing += one->came[tag] <= one->number;
}

static void put(watch *one, size_t tag, const UA_DataValue *value)
{
    copy(&one->latest[tag], value);
    one->came[tag]++;
    if (one->came[tag] == one->number + 1)
        one->missing--;
    while (one->missing == 0)
        complete(one);
}

/* The values of a set that is whole and still kept; NULL where there are none. */
static const UA_DataValue *taken(const watch *one, int64_t number)
{
    bool is_kept = number < one->number && number >= one->number - SETS;
    return is_kept ? one->sets[number % SETS] : NULL;
}

static void notified(UA_Client *client, UA_UInt32 subscription, void *context, UA_UInt32 item,
                     void *item_context, UA_DataValue *value)
{
    (void)client, (void)subscription, (void)item;
    put(context, (size_t)(uintptr_t)item_context, value);
}

/* ---- Ways of watching ---------------------------------------------------------------------- */

static void require(wl_worker *w, UA_StatusCode status, const char *what)
{
    if (status != UA_STATUSCODE_GOOD)
        wl_fatal(w, "UA_StatusCode", "%s: %s", what, UA_StatusCode_name(status));
}

static UA_UInt32 create_subscription(watch *one, wl_worker *w, connection *c)
{
    UA_CreateSubscriptionRequest wanted = UA_CreateSubscriptionRequest_default();
    wanted.requestedPublishingInterval = (double)one->interval_ns / 1e6;
    UA_CreateSubscriptionResponse made =
        UA_Client_Subscriptions_create(c->client, wanted, one, NULL, NULL);
    require(w, made.responseHeader.serviceResult, "CreateSubscription");
    UA_UInt32 subscription = made.subscriptionId;
    UA_CreateSubscriptionResponse_clear(&made);
    return subscription;
}

/* A monitored item for each tag, sampled as often as the subscription publishes. */
static void subscribe(watch *one, wl_worker *w, connection *c)
{
    static UA_MonitoredItemCreateRequest items[TAGS];
    static UA_Client_DataChangeNotificationCallback callbacks[TAGS];
    static UA_Client_DeleteMonitoredItemCallback deleted[TAGS];
    static void *contexts[TAGS];
    size_t count = (size_t)one->operation.items;
    for (size_t tag = 0; tag < count; tag++) {
        items[tag] = UA_MonitoredItemCreateRequest_default(UA_NODEID_STRING(1, names[tag]));
        items[tag].requestedParameters.samplingInterval = (double)one->interval_ns / 1e6;
        items[tag].requestedParameters.queueSize = QUEUE;
        callbacks[tag] = notified;
        contexts[tag] = (void *)(uintptr_t)tag;
    }
    UA_CreateMonitoredItemsRequest wanted;
    UA_CreateMonitoredItemsRequest_init(&wanted);
    wanted.subscriptionId = create_subscription(one, w, c);
    wanted.timestampsToReturn = UA_TIMESTAMPSTORETURN_BOTH;
    wanted.itemsToCreate = items;
    wanted.itemsToCreateSize = count;
    UA_CreateMonitoredItemsResponse made = UA_Client_MonitoredItems_createDataChanges(
        c->client, wanted, contexts, callbacks, deleted);
    require(w, made.responseHeader.serviceResult, "CreateMonitoredItems");
    for (size_t i = 0; i < made.resultsSize; i++)
        require(w, made.results[i].statusCode, "CreateMonitoredItems");
    UA_CreateMonitoredItemsResponse_clear(&made);
}

static bool differs(const watch *one, const UA_ReadResponse *found)
{
    for (size_t tag = 0; tag < found->resultsSize; tag++)
        if (one->came[tag] == 0
            || !UA_equal(&found->results[tag].value, &one->latest[tag].value,
                         &UA_TYPES[UA_TYPES_VARIANT]))
            return true;
    return false;
}

/* Reads all tags; what differs from the time before is a change. */
static void poll_now(watch *one, connection *c)
{
    static UA_ReadValueId items[TAGS];
    UA_ReadRequest wanted;
    UA_ReadRequest_init(&wanted);
    wanted.timestampsToReturn = UA_TIMESTAMPSTORETURN_SOURCE;
    wanted.nodesToRead = items;
    wanted.nodesToReadSize = (size_t)one->operation.items;
    for (size_t tag = 0; tag < wanted.nodesToReadSize; tag++) {
        items[tag].attributeId = UA_ATTRIBUTEID_VALUE;
        items[tag].nodeId = UA_NODEID_STRING(1, names[tag]);
    }
    UA_ReadResponse found = UA_Client_Service_read(c->client, wanted);
    if (found.resultsSize == wanted.nodesToReadSize && differs(one, &found))
        for (size_t tag = 0; tag < found.resultsSize; tag++)
            put(one, tag, &found.results[tag]);
    UA_ReadResponse_clear(&found);
}

/* Does whatever comes next, and waits for it `until` at the latest, or for some time. */
static void go_on(watch *one, connection *c, int64_t until)
{
    int64_t now = wl_now(), wait_ns = until - now;
    if (one->polls && now >= one->next_poll_ns) {
        poll_now(one, c);
        one->next_poll_ns += one->interval_ns;
        return;
    }
    if (one->polls && one->next_poll_ns - now < wait_ns)
        wait_ns = one->next_poll_ns - now;
    int64_t wait_ms = wait_ns / 1000000 + 1;
    UA_Client_run_iterate(c->client, wait_ms < PATIENCE_MS ? (UA_UInt32)wait_ms : PATIENCE_MS);
}

/* ---- The operation ------------------------------------------------------------------------- */

static const UA_DataValue *await_set(watch *one, wl_worker *w, connection *c, int64_t number)
{
    const UA_DataValue *values;
    int64_t limit = wl_now() + w->operation_ns;
    while ((values = taken(one, number)) == NULL && wl_now() < limit && !wl_stopping(w))
        go_on(one, c, limit);
    return values;
}

static uint8_t status_of(const watch *one, const UA_DataValue *values)
{
    if (values == NULL)
        return WL_TIMEOUT;
    for (size_t tag = 0; tag < (size_t)one->operation.items; tag++)
        if (values[tag].hasStatus && !UA_StatusCode_isGood(values[tag].status))
            return WL_ITEM_ERROR;
    return WL_OK;
}

static void say(watch *one, wl_worker *w, uint8_t status, int64_t intended)
{
    bool is_late = status == WL_TIMEOUT;
    wl_failure failure = {"wirelab", is_late ? "given-up" : "item-error",
                          is_late ? "no values of the change within limits.operation_ns"
                                  : "an item is not Good",
                          is_late ? "call" : "item", one->operation.name, intended};
    wl_error(w, &failure);
}

static void perform(watch *one, wl_worker *w, connection *c, int64_t number)
{
    int64_t intended = wl_intended(w, number), start = wl_now();
    const UA_DataValue *values = await_set(one, w, c, number + 1);
    uint8_t status = status_of(one, values);
    int64_t end = wl_now();
    wl_sample sample = {intended, start, end, 0, one->operation.code, status, 0};
    wl_record(&w->samples, &sample);
    if (status != WL_OK)
        say(one, w, status, intended);
    wl_result result = {.tick = number, .start_ns = start, .end_ns = end, .context = values};
    memcpy(result.operation, one->operation.name, sizeof result.operation);
    wl_asked_keep(&w->asked, &result);
    wl_asked_end(&w->asked, &w->answers);
}

/* Lets the library work until then; false where the core says stop. */
static bool wait_until(watch *one, wl_worker *w, connection *c, int64_t when)
{
    while (wl_now() < when - BEFORE_TICK_NS && !wl_stopping(w))
        go_on(one, c, when - BEFORE_TICK_NS);
    return wl_sleep_until(w, when);
}

static size_t items_kept;

static void put_kept(wl_text *text, const wl_result *result)
{
    answer_put_values(text, result->context, items_kept);
}

/* ---- Its life ------------------------------------------------------------------------------ */

bool watch_open(watch *one, wl_worker *w)
{
    one->polls = wl_operation_read(w, "poll", &one->operation);
    if (!one->polls && !wl_operation_read(w, "notification", &one->operation))
        return false;
    if (one->operation.items > TAGS)
        wl_fatal(w, "spec", "spec: operations.%s.items: there are %d", one->operation.name, TAGS);
    one->interval_ns = wl_spec_int(w, "parameters.interval_ns");
    one->missing = items_kept = (size_t)one->operation.items;
    for (int tag = 0; tag < TAGS; tag++)
        snprintf(names[tag], sizeof names[tag], "T%04d", tag);
    w->asked.put = put_kept;
    return true;
}

void watch_close(watch *one)
{
    for (size_t tag = 0; tag < TAGS; tag++) {
        UA_DataValue_clear(&one->latest[tag]);
        for (int set = 0; set < SETS; set++)
            UA_DataValue_clear(&one->sets[set][tag]);
    }
}

void watch_begin(watch *one, wl_worker *w, connection *c)
{
    int64_t start = wl_now();
    one->next_poll_ns = start;
    if (!one->polls)
        subscribe(one, w, c);
    const UA_DataValue *values = await_set(one, w, c, 0);
    if (values == NULL)
        wl_fatal(w, "preflight", "preflight %s had no answer", one->operation.name);
    answer_put_values(wl_answer_begin(&w->answers, "preflight", one->operation.name, 0, start,
                                      wl_now()),
                      values, items_kept);
    wl_answer_end(&w->answers);
}

void watch_play(watch *one, wl_worker *w, connection *c)
{
    /* The connection is to live until the core says start. */
    while (w->start_ns == 0 && !wl_stopping(w))
        go_on(one, c, wl_now() + PATIENCE_MS * INT64_C(1000000));
    for (int64_t number = 0; number < w->count; number++) {
        int64_t intended = wl_intended(w, number);
        if (!wait_until(one, w, c, intended - w->period_ns / LET_GO_SHARE))
            return;
        wl_asked_begin(&w->asked, 0);
        if (!wait_until(one, w, c, intended))
            return;
        perform(one, w, c, number);
        wl_heartbeat(w);
    }
}
