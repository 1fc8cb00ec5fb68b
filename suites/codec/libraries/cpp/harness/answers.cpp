#include "answers.hpp"

#include <algorithm>

namespace harness {

namespace {

void put(wl_text* line, const std::string& text) { wl_put(line, text.data(), text.size()); }

using Encoding = std::vector<std::uint8_t>;

/// All instances, then all of them again in reverse. Gives the encodings of the first time.
std::vector<Encoding> answer_encodes(Session& session, const std::string& step, Subject& subject) {
    std::vector<Encoding> encodings(subject.size());
    for (std::size_t tick = 0; tick < 2 * subject.size(); tick++) {
        const bool again = tick >= subject.size();
        const std::size_t instance = again ? 2 * subject.size() - 1 - tick : tick;
        const Outcome outcome = called(
            [&] { return subject.encode(instance); },
            [&](Encoding& bytes) {
                std::string hex = "{\"hex\":\"" + hex_of(bytes) + "\"}";
                if (!again)
                    encodings[instance] = std::move(bytes);
                return hex;
            });
        write_answer(session, {"preflight", "encode", step, static_cast<std::int64_t>(tick)},
                     outcome);
    }
    return encodings;
}

void spoil(std::vector<Encoding>& encodings) {
    for (Encoding& encoding : encodings)
        std::fill(encoding.begin(), encoding.end(), std::uint8_t{0xAA});
}

void told(Outcome& outcome, Decoded& value) {
    try {
        outcome.answer = value_of(value);
    } catch (...) {
        outcome.failure = current_failure();
    }
}

/// Values that own themselves are told when all are decoded and no byte of theirs is left.
void answer_owned(Session& session, const std::string& step, Subject& subject,
                  std::vector<Encoding>& encodings) {
    std::vector<std::unique_ptr<Decoded>> values(encodings.size());
    std::vector<Outcome> outcomes;
    for (std::size_t tick = 0; tick < encodings.size(); tick++)
        outcomes.push_back(called([&] { return subject.decode(encodings[tick]); },
                                  [&](std::unique_ptr<Decoded>& value) {
                                      values[tick] = std::move(value);
                                      return std::string();
                                  }));
    spoil(encodings);
    for (std::size_t tick = 0; tick < encodings.size(); tick++) {
        if (values[tick] != nullptr)
            told(outcomes[tick], *values[tick]);
        write_answer(session, {"preflight", "decode", step, static_cast<std::int64_t>(tick)},
                     outcomes[tick]);
    }
}

/// Values that are views, or are kept for the next one, are told before anything else happens.
void answer_passing(Session& session, const std::string& step, Subject& subject,
                    const std::vector<Encoding>& encodings) {
    for (std::size_t tick = 0; tick < encodings.size(); tick++) {
        const Outcome outcome =
            called([&] { return subject.decode(encodings[tick]); },
                   [](std::unique_ptr<Decoded>& value) { return value_of(*value); });
        write_answer(session, {"preflight", "decode", step, static_cast<std::int64_t>(tick)},
                     outcome);
    }
}

}  // namespace

void write_answer(Session& session, const Asked& asked, const Outcome& outcome) {
    wl_answers* answers = &session.worker.answers;
    wl_text* line = &answers->line;
    line->used = 0;
    put(line, std::string("{\"phase\":\"") + asked.phase + "\",\"operation\":\"" + asked.operation
                  + "\",\"step\":" + quoted(asked.step) + ",\"tick\":" + std::to_string(asked.tick)
                  + ",\"start_ns\":" + std::to_string(outcome.start_ns)
                  + ",\"end_ns\":" + std::to_string(outcome.end_ns) + asked.more);
    if (outcome.answer.empty())
        put(line, ",\"error\":{" + member(outcome.failure) + "}");
    else
        put(line, ",\"answer\":" + outcome.answer);
    wl_answer_end(answers);
}

std::string value_of(Decoded& decoded) { return "{\"value\":" + decoded.neutral() + "}"; }

void answer_step(Session& session, const std::string& step, Subject& subject) {
    std::vector<Encoding> encodings = answer_encodes(session, step, subject);
    if (subject.owns_decoded())
        answer_owned(session, step, subject, encodings);
    else
        answer_passing(session, step, subject, encodings);
}

}  // namespace harness
