#include "wirelab.h"

#include "tags.h"

#include <mbedtls/sha512.h>
#include <stdio.h>
#include <string.h>

/* A tag computes its value from the generation until it is written, and keeps that from then on. */
typedef struct {
    int index;
    UA_DataValue written; /* hasValue once it was */
    uint64_t sampled;     /* one more than the generation last handed to a monitored item */
} tag;

static tag tags[TAGS];

/* All tags move at once, so one Read sees one generation. */
static struct {
    timetable when;
    uint64_t number;
    UA_DateTime since;
    secret key;
    uint32_t x[TAGS];
} generation;

static bool read_is_served, read_begins;
static tags_count counted;

/* A digest has the numbers of sixteen tags. */
enum { DIGEST_BYTES = 64, A_DIGEST = DIGEST_BYTES / 4 };

/* Draws the numbers of a generation, from which nobody without the secret gets those of another. */
static void draw(uint64_t number)
{
    uint8_t keyed[MOST_SECRET + 12], digest[DIGEST_BYTES];
    uint8_t *message = keyed + generation.key.length;
    memcpy(keyed, generation.key.bytes, generation.key.length);
    for (int byte = 0; byte < 8; byte++)
        message[byte] = (uint8_t)(number >> 8 * byte);
    for (uint32_t part = 0; part < TAGS / A_DIGEST; part++) {
        for (int byte = 0; byte < 4; byte++)
            message[8 + byte] = (uint8_t)(part >> 8 * byte);
        /* All messages have one length, so none is another one's beginning. */
        mbedtls_sha512(keyed, generation.key.length + 12, digest, 0);
        for (int i = 0; i < A_DIGEST; i++) {
            const uint8_t *d = &digest[4 * i];
            uint32_t drawn = (uint32_t)d[0] | (uint32_t)d[1] << 8 | (uint32_t)d[2] << 16
                           | (uint32_t)d[3] << 24;
            generation.x[part * A_DIGEST + (uint32_t)i] = drawn & 0x7FFFFFFF;
        }
    }
}

void tags_advance(int64_t now_ns)
{
    const timetable *when = &generation.when;
    uint64_t number = 0;
    if (now_ns >= when->first_ns)
        number = when->first + (uint64_t)((now_ns - when->first_ns) / when->period_ns);
    if (number == generation.number && generation.since != 0)
        return;
    generation.number = number;
    draw(number);
    generation.since = UA_DateTime_now();
}

void tags_follow(const timetable *when)
{
    generation.when = *when;
}

void tags_serve_read(bool is_served)
{
    read_is_served = read_begins = is_served;
}

tags_count tags_counted(void)
{
    return counted;
}

/* Takes note of what is handed out, and samples at the very moment. */
static void count(tag *t, bool is_timed)
{
    if (read_is_served) {
        counted.read += is_timed;
        counted.calls += read_begins;
        read_begins = false;
        return;
    }
    tags_advance(wl_now());
    counted.sampled++;
    if (t->sampled != generation.number + 1)
        counted.notified++;
    t->sampled = generation.number + 1;
}

static const UA_DataType *type_of(int index)
{
    return &UA_TYPES[index < FIRST_DOUBLE   ? UA_TYPES_INT32
                     : index < FIRST_STRING ? UA_TYPES_DOUBLE
                                            : UA_TYPES_STRING];
}

/* Lends the value of `index` in the current generation, until the next call: the library copies
 * what it is lent at once. */
static void lend_computed(int index, UA_Variant *value)
{
    static union {
        UA_Int32 int32;
        UA_Double real;
        UA_String string;
    } lent;
    static char text[32];
    uint32_t x = generation.x[index];
    if (index < FIRST_DOUBLE) {
        lent.int32 = (UA_Int32)x;
    } else if (index < FIRST_STRING) {
        lent.real = x / 1000.0;
    } else {
        lent.string.length = (size_t)snprintf(text, sizeof text, "tag%04d-%010u", index, x);
        lent.string.data = (UA_Byte *)text;
    }
    UA_Variant_setScalar(value, &lent, type_of(index));
    value->storageType = UA_VARIANT_DATA_NODELETE;
}

static UA_StatusCode read_tag(UA_Server *server, const UA_NodeId *session, void *session_context,
                              const UA_NodeId *node, void *context, UA_Boolean with_timestamp,
                              const UA_NumericRange *range, UA_DataValue *value)
{
    (void)server, (void)session, (void)session_context, (void)node;
    tag *t = context;
    if (range != NULL) {
        value->hasStatus = true;
        value->status = UA_STATUSCODE_BADINDEXRANGEINVALID;
        return UA_STATUSCODE_GOOD;
    }
    count(t, with_timestamp);
    if (t->written.hasValue) {
        *value = t->written;
        value->value.storageType = UA_VARIANT_DATA_NODELETE;
        return UA_STATUSCODE_GOOD;
    }
    lend_computed(t->index, &value->value);
    value->hasValue = true;
    value->sourceTimestamp = generation.since;
    value->hasSourceTimestamp = true;
    return UA_STATUSCODE_GOOD;
}

static UA_StatusCode write_tag(UA_Server *server, const UA_NodeId *session, void *session_context,
                               const UA_NodeId *node, void *context, const UA_NumericRange *range,
                               const UA_DataValue *value)
{
    (void)server, (void)session, (void)session_context, (void)node;
    tag *t = context;
    UA_DataValue kept;
    if (range != NULL)
        return UA_STATUSCODE_BADINDEXRANGEINVALID;
    if (!value->hasValue || !UA_Variant_hasScalarType(&value->value, type_of(t->index)))
        return UA_STATUSCODE_BADTYPEMISMATCH;
    UA_StatusCode status = UA_DataValue_copy(value, &kept);
    if (status != UA_STATUSCODE_GOOD)
        return status;
    if (!kept.hasSourceTimestamp) {
        kept.sourceTimestamp = UA_DateTime_now();
        kept.hasSourceTimestamp = true;
    }
    UA_DataValue_clear(&t->written);
    t->written = kept;
    counted.written++;
    return UA_STATUSCODE_GOOD;
}

static UA_StatusCode add_tag(UA_Server *server, tag *t)
{
    char name[8];
    snprintf(name, sizeof name, "T%04d", t->index);
    UA_VariableAttributes attributes = UA_VariableAttributes_default;
    attributes.displayName = UA_LOCALIZEDTEXT("", name);
    attributes.dataType = type_of(t->index)->typeId;
    attributes.valueRank = UA_VALUERANK_SCALAR;
    /* Without timestamp-write, a client whose writes carry a SourceTimestamp is refused. */
    attributes.accessLevel = UA_ACCESSLEVELMASK_READ | UA_ACCESSLEVELMASK_WRITE
                           | UA_ACCESSLEVELMASK_TIMESTAMPWRITE;
    attributes.minimumSamplingInterval = GENERATION_NS / 1e6;
    UA_CallbackValueSource source = {.read = read_tag, .write = write_tag};
    return UA_Server_addCallbackValueSourceVariableNode(
        server, UA_NODEID_STRING(1, name), UA_NS0ID(OBJECTSFOLDER), UA_NS0ID(ORGANIZES),
        UA_QUALIFIEDNAME(1, name), UA_NS0ID(BASEDATAVARIABLETYPE), attributes, source, t, NULL);
}

UA_StatusCode tags_add(UA_Server *server, const timetable *when, const secret *key)
{
    generation.key = *key;
    generation.when = *when;
    tags_advance(when->first_ns - 1);
    UA_StatusCode status = UA_STATUSCODE_GOOD;
    for (int i = 0; i < TAGS && status == UA_STATUSCODE_GOOD; i++) {
        tags[i].index = i;
        UA_DataValue_init(&tags[i].written);
        status = add_tag(server, &tags[i]);
        tags[i].sampled = 0; /* the library has looked at it */
    }
    counted = (tags_count){0};
    return status;
}

void tags_clear(void)
{
    for (int i = 0; i < TAGS; i++)
        UA_DataValue_clear(&tags[i].written);
}
