#include "answers.h"

static void put_value(wl_text *text, const UA_DataValue *result)
{
    const UA_Variant *value = &result->value;
    if (UA_Variant_hasScalarType(value, &UA_TYPES[UA_TYPES_INT32]))
        wl_putf(text, "%d", *(const UA_Int32 *)value->data);
    else if (UA_Variant_hasScalarType(value, &UA_TYPES[UA_TYPES_DOUBLE]))
        wl_put_double(text, *(const UA_Double *)value->data);
    else if (UA_Variant_hasScalarType(value, &UA_TYPES[UA_TYPES_STRING]))
        wl_put_string(text, (const char *)((const UA_String *)value->data)->data,
                      ((const UA_String *)value->data)->length);
    else
        wl_putf(text, "null");
}

static bool is_good(const UA_DataValue *value)
{
    return !value->hasStatus || UA_StatusCode_isGood(value->status);
}

static void put_values(wl_text *text, const UA_DataValue *values, size_t size)
{
    wl_putf(text, "{\"values\":[");
    for (size_t i = 0; i < size; i++) {
        if (i > 0)
            wl_putf(text, ",");
        if (is_good(&values[i]))
            put_value(text, &values[i]);
        else
            wl_putf(text, "null");
    }
    wl_putf(text, "]");
}

static void put_bad(wl_text *text, const char **separator, size_t item, UA_StatusCode code)
{
    if (UA_StatusCode_isGood(code))
        return;
    wl_putf(text, "%s[%zu,\"%s\"]", *separator, item, UA_StatusCode_name(code));
    *separator = ",";
}

void answer_put_values(wl_text *text, const UA_DataValue *values, size_t size)
{
    const char *separator = "";
    put_values(text, values, size);
    wl_putf(text, ",\"bad\":[");
    for (size_t i = 0; i < size; i++)
        put_bad(text, &separator, i, is_good(&values[i]) ? UA_STATUSCODE_GOOD : values[i].status);
    wl_putf(text, "]}");
}

/* Number of items of a server of the user's own that have a value. */
static size_t valued(const call *read)
{
    size_t found = 0;
    for (size_t i = 0; i < call_items(read); i++)
        found += read->response.read.results[i].value.type != NULL;
    return found;
}

void answer_put(wl_text *text, const call *one, int64_t sequence)
{
    if (one->own)
        wl_putf(text, "{\"valued\":%zu", valued(one));
    else if (one->kind == READ)
        put_values(text, one->response.read.results, call_items(one));
    else
        wl_putf(text, "{\"sequence\":%lld", (long long)sequence);
    wl_putf(text, ",\"bad\":[");
    const char *separator = "";
    for (size_t i = 0; i < call_items(one); i++)
        put_bad(text, &separator, i, call_item(one, i));
    wl_putf(text, "]}");
}
