/* What a verified call answered, for the verifier of the suite (its README.md: "Answers"). */
#ifndef ANSWERS_H
#define ANSWERS_H

#include "calls.h"

/* Writes the answer of a completed call. `sequence` is what a write wrote. */
void answer_write(wl_answers *answers, const call *one, const char *phase, int64_t tick,
                  int64_t sequence);

#endif
