#include "failures.h"

void failure_say(wl_worker *w, const char *operation, int64_t intended_ns, const char *scope,
                 UA_StatusCode code, const char *where)
{
    char message[256];
    snprintf(message, sizeof message, "%s: %s (0x%08X)", where, UA_StatusCode_name(code),
             (unsigned)code);
    wl_failure failure = {"UA_StatusCode", UA_StatusCode_name(code), message, scope, operation,
                          intended_ns};
    wl_error(w, &failure);
}

static void say_items(wl_worker *w, const call *one, int64_t intended_ns)
{
    for (size_t i = 0; i < call_items(one); i++) {
        if (UA_StatusCode_isGood(call_item(one, i)))
            continue;
        char where[64];
        snprintf(where, sizeof where, "item %zu", i);
        failure_say(w, one->operation.name, intended_ns, "item", call_item(one, i), where);
    }
}

void failure_say_call(wl_worker *w, const call *one, int64_t intended_ns)
{
    wl_failure own = {"wirelab", "", NULL, "call", one->operation.name, intended_ns};
    if (one->given_up != NULL) {
        own.status = "given-up";
        own.message = one->given_up;
        wl_error(w, &own);
    } else if (one->status == WL_WRONG_ANSWER) {
        own.status = "wrong-answer";
        own.message = "another number of results than items, or a Good result without its value";
        wl_error(w, &own);
    } else if (one->code != UA_STATUSCODE_GOOD) {
        failure_say(w, one->operation.name, intended_ns, "call", one->code, one->said_by);
    } else {
        say_items(w, one, intended_ns);
    }
}
