/* Failures in the words of the library, said as events of the contract. */
#ifndef FAILURES_H
#define FAILURES_H

#include "calls.h"

/* Says a status of the library; `where` is the service, function or item that it comes from. */
void failure_say(wl_worker *w, const char *operation, int64_t intended_ns, const char *scope,
                 UA_StatusCode code, const char *where);

/* Says why a call, or an item of it, is not good. */
void failure_say_call(wl_worker *w, const call *one, int64_t intended_ns);

#endif
