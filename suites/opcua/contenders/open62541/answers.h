/* Answers of verified calls, for the verifier of the suite (its README.md: "Answers"). */
#ifndef ANSWERS_H
#define ANSWERS_H

#include "calls.h"

/* Puts the answer of a completed call into the text. `sequence` is what a write wrote. */
void answer_put(wl_text *text, const call *one, int64_t sequence);

/* The same of values that came in another way. */
void answer_put_values(wl_text *text, const UA_DataValue *values, size_t size);

#endif
