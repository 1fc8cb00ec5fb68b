#include "worker.hpp"

#include "answers.hpp"
#include "conformance.hpp"
#include "evolution_answers.hpp"
#include "large_steps.hpp"

#include <algorithm>

namespace harness {

namespace {

std::string facts_of(const About& about, const std::vector<std::string_view>& operations) {
    std::string names;
    for (const std::string_view name : operations)
        names += (names.empty() ? "" : ",") + quoted(name);
    return "{\"format\":" + quoted(about.format) + ",\"strings\":" + quoted(about.strings)
         + ",\"operations\":[" + names + "]}";
}

void answer(Session& session, const About& about, const std::string& step, Subject& subject) {
    if (about.format == "none")
        return;
    answer_step(session, step, subject);
    if (session.asked("read") && !session.stopping())
        read_inputs(session, about.format, step, subject);
    if (about.trusts_input)
        return;
    if (session.asked("truncate") && !session.stopping())
        truncate(session, step, subject);
    if (session.asked("reject") && !session.stopping())
        reject(session, about.format, step, subject);
}

const Shape& shape_of(const std::vector<Shape>& shapes, const std::string& step) {
    const auto shape = std::find_if(shapes.begin(), shapes.end(),
                                    [&](const Shape& s) { return s.name == step; });
    if (shape == shapes.end())
        throw std::runtime_error("spec: no shape " + step);
    return *shape;
}

}  // namespace

Worker::Worker() : session_(std::make_unique<Session>()) {}

Worker::~Worker() = default;

std::string Worker::tuning(const std::string& name, const std::string& fallback) {
    return text_at(session_->worker.spec, ("parameters." + name).c_str()).value_or(fallback);
}

int Worker::serve(const About& about, const std::vector<std::string_view>& operations,
                  const std::vector<Shape>& shapes) {
    Session& session = *session_;
    try {
        const std::vector<std::string_view> wholes = {"to_bytes", "from_bytes"};
        const std::string facts = facts_of(about, session.asked("once") ? wholes : operations);
        const wl_about said{about.library.c_str(), about.version.c_str(), "g++", __VERSION__,
                            nullptr, facts.c_str(), nullptr};
        wl_ready(&session.worker, &said);
        session.follow([&](const std::string& step) {
            if (session.asked("backward")) {
                const auto no_loop = [](const std::string&) -> std::unique_ptr<Loop> {
                    return nullptr;
                };
                session.step(step, [&] { evolve(session, step, versions_); }, no_loop);
                return;
            }
            if (session.asked("once")) {
                const auto loop_of = [&](const std::string& direction) {
                    return large_loop(step, direction, large_);
                };
                session.step(step, [&] { answer_large(session, step, large_); }, loop_of);
                return;
            }
            const std::unique_ptr<Subject> subject = shape_of(shapes, step).open(step);
            const auto loop_of = [&](const std::string& operation) -> std::unique_ptr<Loop> {
                const auto had = std::find(operations.begin(), operations.end(), operation);
                return had == operations.end() ? nullptr : subject->loop(operation);
            };
            session.step(step, [&] { answer(session, about, step, *subject); }, loop_of);
        });
    } catch (...) {
        const Failure failure = current_failure();
        wl_fatal(&session.worker, failure.name.c_str(), "%s", failure.message.c_str());
    }
    session.done();
    return 0;
}

}  // namespace harness
