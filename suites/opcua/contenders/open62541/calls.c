#include "calls.h"

#include <open62541/client_highlevel_async.h>

static const struct {
    const char *operation, *name;
    const UA_DataType *request, *response;
} services[KINDS] = {
    [READ] = {"read", "Read", &UA_TYPES[UA_TYPES_READREQUEST], &UA_TYPES[UA_TYPES_READRESPONSE]},
    [WRITE] = {"write", "Write", &UA_TYPES[UA_TYPES_WRITEREQUEST],
               &UA_TYPES[UA_TYPES_WRITERESPONSE]},
};

enum { LONGEST_NODE_ID = 4096 };

static char names[TAGS][8];

/* Values that the write request points to: they are replaced in place. */
static struct {
    union {
        UA_Int32 int32;
        UA_Double real;
        UA_String string;
    } value;
    char text[40];
} written[TAGS / WRITABLE_EVERY];

static const UA_DataType *type_of(size_t tag)
{
    return &UA_TYPES[tag < FIRST_DOUBLE   ? UA_TYPES_INT32
                     : tag < FIRST_STRING ? UA_TYPES_DOUBLE
                                          : UA_TYPES_STRING];
}

/* ---- Requests ----------------------------------------------------------------------------- */

/* Items lend names, values and texts of this file: only the array itself is freed. */
static void *items_new(wl_worker *w, const call *one, size_t most, const UA_DataType *type)
{
    int64_t items = one->operation.items;
    if (items > (int64_t)most)
        wl_fatal(w, "spec", "spec: operations.%s.items: there are %zu", one->operation.name, most);
    void *array = UA_Array_new((size_t)items, type);
    if (array == NULL)
        wl_fatal(w, "UA_StatusCode", "UA_Array_new: no memory");
    return array;
}

/* The nodes of a server of the user's own, which its stand-in has listed: one on each line. */
static void prepare_listed(call *read, wl_worker *w, const char *list)
{
    UA_ReadRequest *request = &read->request.read;
    size_t items = (size_t)read->operation.items;
    read->own = true;
    request->nodesToRead = items_new(w, read, items, &UA_TYPES[UA_TYPES_READVALUEID]);
    request->nodesToReadSize = items;
    FILE *file = fopen(list, "re");
    if (file == NULL)
        wl_fatal(w, "spec", "%s: %s", list, strerror(errno));
    static char line[LONGEST_NODE_ID];
    for (size_t i = 0; i < items; i++) {
        if (fgets(line, sizeof line, file) == NULL)
            wl_fatal(w, "spec", "%s has fewer than %zu nodes", list, items);
        line[strcspn(line, "\n")] = 0;
        request->nodesToRead[i].attributeId = UA_ATTRIBUTEID_VALUE;
        if (UA_NodeId_parse(&request->nodesToRead[i].nodeId, UA_STRING(line))
            != UA_STATUSCODE_GOOD)
            wl_fatal(w, "spec", "%s: \"%s\" is no NodeId", list, line);
    }
    fclose(file);
}

static void prepare_read(call *read, wl_worker *w, const char *probe)
{
    UA_ReadRequest *request = &read->request.read;
    char list[4096];
    request->timestampsToReturn = UA_TIMESTAMPSTORETURN_SOURCE;
    wl_spec_text(w, "facts.server.node_list", "", list, sizeof list);
    if (list[0] != 0) {
        prepare_listed(read, w, list);
        return;
    }
    request->nodesToRead = items_new(w, read, TAGS, &UA_TYPES[UA_TYPES_READVALUEID]);
    request->nodesToReadSize = (size_t)read->operation.items;
    for (size_t i = 0; i < request->nodesToReadSize; i++) {
        request->nodesToRead[i].attributeId = UA_ATTRIBUTEID_VALUE;
        request->nodesToRead[i].nodeId = UA_NODEID_STRING(1, names[i]);
    }
    if (strcmp(probe, "unknown-node") != 0)
        return;
    if (request->nodesToReadSize < 4)
        wl_fatal(w, "spec", "spec: operations.read.items: the probe needs at least 4");
    request->nodesToRead[3].nodeId = UA_NODEID_STRING(1, "no-such-tag");
}

static void prepare_write(call *write, wl_worker *w, const char *probe)
{
    UA_WriteRequest *request = &write->request.write;
    request->nodesToWrite = items_new(w, write, TAGS / WRITABLE_EVERY,
                                      &UA_TYPES[UA_TYPES_WRITEVALUE]);
    request->nodesToWriteSize = (size_t)write->operation.items;
    for (size_t i = 0; i < request->nodesToWriteSize; i++) {
        UA_WriteValue *item = &request->nodesToWrite[i];
        size_t tag = i * WRITABLE_EVERY;
        item->attributeId = UA_ATTRIBUTEID_VALUE;
        item->nodeId = UA_NODEID_STRING(1, names[tag]);
        item->value.hasValue = true;
        UA_Variant_setScalar(&item->value.value, &written[i].value, type_of(tag));
    }
    static UA_String text = UA_STRING_STATIC("not an Int32");
    if (strcmp(probe, "wrong-type") == 0)
        UA_Variant_setScalar(&request->nodesToWrite[0].value.value, &text,
                             &UA_TYPES[UA_TYPES_STRING]);
}

void calls_open(call calls[KINDS], wl_worker *w)
{
    char probe[32];
    wl_spec_text(w, "parameters.probe", "read", probe, sizeof probe);
    if (strcmp(probe, "read") != 0 && strcmp(probe, "unknown-node") != 0
        && strcmp(probe, "wrong-type") != 0)
        wl_fatal(w, "spec", "spec: parameters.probe: \"%s\" is not known", probe);
    for (int i = 0; i < TAGS; i++)
        snprintf(names[i], sizeof names[i], "T%04d", i);
    memset(calls, 0, KINDS * sizeof *calls);
    for (kind k = READ; k < KINDS; k++) {
        calls[k].kind = k;
        if (!wl_operation_read(w, services[k].operation, &calls[k].operation))
            continue;
        if (k == READ)
            prepare_read(&calls[k], w, probe);
        else
            prepare_write(&calls[k], w, probe);
    }
}

void calls_close(call calls[KINDS])
{
    UA_ReadRequest *read = &calls[READ].request.read;
    if (calls[READ].own)
        UA_Array_delete(read->nodesToRead, read->nodesToReadSize, &UA_TYPES[UA_TYPES_READVALUEID]);
    else
        UA_free(read->nodesToRead);
    UA_free(calls[WRITE].request.write.nodesToWrite);
    for (kind k = READ; k < KINDS; k++)
        call_clear(&calls[k]);
}

void call_set_sequence(call *write, int64_t sequence)
{
    for (size_t i = 0; i < write->request.write.nodesToWriteSize; i++) {
        size_t tag = i * WRITABLE_EVERY;
        uint32_t x = (uint32_t)((tag * 7919 + (uint64_t)sequence * 104729) & 0x7FFFFFFF);
        if (tag < FIRST_DOUBLE) {
            written[i].value.int32 = (UA_Int32)x;
        } else if (tag < FIRST_STRING) {
            written[i].value.real = x / 1000.0;
        } else {
            snprintf(written[i].text, sizeof written[i].text, "tag%04zu-%010u", tag, x);
            written[i].value.string = UA_STRING(written[i].text);
        }
    }
}

/* ---- Sending and completion --------------------------------------------------------------- */

size_t call_items(const call *one)
{
    return one->kind == READ ? one->response.read.resultsSize : one->response.write.resultsSize;
}

UA_StatusCode call_item(const call *one, size_t item)
{
    if (one->kind == WRITE)
        return one->response.write.results[item];
    const UA_DataValue *value = &one->response.read.results[item];
    return value->hasStatus ? value->status : UA_STATUSCODE_GOOD;
}

/* Tells whether a Good item of a read carries what was asked for. */
static bool carries_value(const call *read, size_t item)
{
    const UA_DataValue *value = &read->response.read.results[item];
    if (read->own)
        return value->hasValue && value->value.type != NULL;
    return value->hasValue && UA_Variant_hasScalarType(&value->value, type_of(item));
}

static uint8_t check_items(const call *one)
{
    if (call_items(one) != (size_t)one->operation.items)
        return WL_WRONG_ANSWER;
    uint8_t status = WL_OK;
    for (size_t i = 0; i < call_items(one); i++) {
        if (!UA_StatusCode_isGood(call_item(one, i)))
            status = WL_ITEM_ERROR;
        else if (one->kind == READ && !carries_value(one, i))
            return WL_WRONG_ANSWER;
    }
    return status;
}

void call_end(call *one, uint8_t status, UA_StatusCode code)
{
    one->end_ns = wl_now();
    one->pending = false;
    one->status = status;
    one->code = code;
    if (one->ended != NULL)
        one->ended(one);
}

/* Takes the response over, so that it outlives this callback. */
static void completed(UA_Client *client, void *context, UA_UInt32 request_id, void *response)
{
    (void)client;
    call *one = context;
    if (!one->pending || one->request_id != request_id)
        return; /* of a call given up */
    const UA_DataType *type = services[one->kind].response;
    memcpy(&one->response, response, type->memSize);
    UA_init(response, type);
    UA_StatusCode code = one->response.read.responseHeader.serviceResult;
    call_end(one, code == UA_STATUSCODE_GOOD ? check_items(one) : status_of_call(code), code);
}

void call_send(call *one, connection *c, int64_t since)
{
    one->pending = true;
    one->given_up = NULL;
    one->said_by = services[one->kind].name;
    one->start_ns = since == 0 ? wl_now() : since;
    UA_StatusCode code =
        __UA_Client_AsyncService(c->client, &one->request, services[one->kind].request, completed,
                                 services[one->kind].response, one, &one->request_id);
    if (code != UA_STATUSCODE_GOOD)
        call_end(one, status_of_call(code), code);
}

void call_clear(call *one)
{
    UA_clear(&one->response, services[one->kind].response);
}
