#include "conformance.hpp"

#include "answers.hpp"

#include <algorithm>
#include <sstream>
#include <unistd.h>

namespace harness {

namespace {

constexpr std::size_t kMostLengths = 2048;

/// The encodings of a step that another contender answered with, by tick.
std::vector<std::pair<std::int64_t, std::vector<std::uint8_t>>> encodings_in(
    const std::string& path, const std::string& step, std::size_t pool) {
    std::vector<std::pair<std::int64_t, std::vector<std::uint8_t>>> found;
    std::istringstream file(read_file(path));
    for (std::string text; std::getline(file, text);) {
        const JsonText line(std::move(text), path);
        const wl_json hex = wl_json_find(line.root(), "answer.hex");
        const bool wanted = text_at(line.root(), "operation") == "encode"
                         && text_at(line.root(), "step") == step && hex.at != nullptr;
        if (!wanted)
            continue;
        const std::int64_t tick = integer_of(wl_json_find(line.root(), "tick"));
        if (tick < static_cast<std::int64_t>(pool))
            found.emplace_back(tick, bytes_of_hex(hex));
    }
    return found;
}

void read_from(Session& session, const std::string& encoder, const std::string& path,
               const std::string& step, Subject& subject) {
    for (const auto& [tick, bytes] : encodings_in(path, step, subject.size())) {
        const Outcome outcome =
            called([&] { return subject.decode(bytes); },
                   [](std::unique_ptr<Decoded>& value) { return value_of(*value); });
        write_answer(session, {"measure", "read", step, tick, ",\"from\":" + quoted(encoder)},
                     outcome);
    }
}

bool accepts(Subject& subject, Bytes bytes) {
    // A block of exactly this size, so that a tool that watches memory sees who reads past its end.
    const std::vector<std::uint8_t> block(bytes.begin(), bytes.end());
    try {
        subject.decode(block)->fold();
        return true;
    } catch (...) {
        return false;
    }
}

void reject_one(Session& session, std::int64_t number, wl_json vector, const std::string& step,
                Subject& subject) {
    const std::vector<std::uint8_t> bytes = bytes_of_hex(wl_json_find(vector, "hex"));
    std::uint64_t allocated = 0;
    const auto decode = [&] {
        const wirelab::AllocationCount count;
        try {
            std::unique_ptr<Decoded> decoded = subject.decode(bytes);
            decoded->fold();
            allocated = count.bytes();
            return decoded;
        } catch (...) {
            allocated = count.bytes();
            throw;
        }
    };
    const Outcome outcome =
        called(decode, [](std::unique_ptr<Decoded>& value) { return value_of(*value); });
    const std::string name = string_of(wl_json_find(vector, "name"));
    write_answer(session,
                 {"measure", "reject", step, number,
                  ",\"vector\":" + quoted(name)
                      + ",\"allocated_bytes\":" + std::to_string(allocated)},
                 outcome);
}

}  // namespace

void read_inputs(Session& session, const std::string& format, const std::string& step,
                 Subject& subject) {
    each_item(session.spec("inputs"), [&](wl_json input) {
        if (text_at(input, "facts.format") == format)
            read_from(session, string_of(wl_json_find(input, "contender")),
                      string_of(wl_json_find(input, "answers")), step, subject);
    });
}

void truncate(Session& session, const std::string& step, Subject& subject) {
    const auto lengths_accepted = [&] {
        const std::vector<std::uint8_t> whole = subject.encode(0);
        std::string accepted;
        for (std::size_t length = 0; length < std::min(whole.size(), kMostLengths); length++)
            if (accepts(subject, Bytes(whole).first(length)))
                accepted += (accepted.empty() ? "" : ",") + std::to_string(length);
        return "{\"length\":" + std::to_string(whole.size()) + ",\"accepted\":[" + accepted + "]}";
    };
    const Outcome outcome = called(lengths_accepted, [](std::string& told) { return told; });
    write_answer(session, {"measure", "truncate", step, 0}, outcome);
}

void reject(Session& session, const std::string& format, const std::string& step,
            Subject& subject) {
    const std::string path = suite_folder() + "/vectors/negative.json";
    if (access(path.c_str(), F_OK) != 0)
        return;
    const JsonText text(read_file(path), path);
    const wl_json listed = wl_json_find(text.root(), "vectors");
    std::int64_t number = 0;
    each_item(listed.at == nullptr ? text.root() : listed, [&](wl_json vector) {
        const std::int64_t its = number++;
        auto belongs = text_at(vector, "step");
        if (!belongs)
            belongs = text_at(vector, "shape");
        if (text_at(vector, "format") == format && belongs == step)
            reject_one(session, its, vector, step, subject);
    });
}

}  // namespace harness
