// The answers of a step: every instance encoded twice and decoded, as README.md's *What a worker
// does* says.
#pragma once

#include "session.hpp"

#include <functional>

namespace harness {

/// Place of a line of the answers file; `more` are further members, beginning with a comma.
struct Asked {
    const char* phase;
    const char* operation;
    std::string step;
    std::int64_t tick;
    std::string more = {};
};

/// The JSON value of an answer, or what was thrown instead.
struct Outcome {
    std::string answer;
    Failure failure;
    std::int64_t start_ns = 0, end_ns = 0;
};

/// Times `call`, and lets `tell` write what it gave as JSON afterwards, outside that time. What
/// either of them throws is the outcome.
template <class Call, class Tell>
Outcome called(Call call, Tell tell) {
    Outcome outcome;
    outcome.start_ns = wl_now();
    try {
        auto given = call();
        outcome.end_ns = wl_now();
        outcome.answer = tell(given);
    } catch (...) {
        if (outcome.end_ns == 0)
            outcome.end_ns = wl_now();
        outcome.failure = current_failure();
    }
    return outcome;
}

void write_answer(Session& session, const Asked& asked, const Outcome& outcome);

/// Decodes and tells the value: {"value": …}.
std::string value_of(Decoded& decoded);

/// Writes the answers of a step.
void answer_step(Session& session, const std::string& step, Subject& subject);

}  // namespace harness
