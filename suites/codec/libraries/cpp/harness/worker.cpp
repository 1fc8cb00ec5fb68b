#include "worker.hpp"

#include "answers.hpp"
#include "batches.hpp"
#include "conformance.hpp"

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

void open_batches(Session& session) {
    const auto path = text_at(session.worker.spec, "paths.batches");
    if (!path)
        wl_fatal(&session.worker, "spec", "spec: paths.batches: expected a string");
    session.batch_file = wl__create(path->c_str());
    if (session.batch_file < 0)
        wl_fatal(&session.worker, "batches", "%s: %s", path->c_str(), strerror(errno));
}

/// The operations that the spec wants timed and the worker has, in the spec's order.
std::vector<std::string> timed_operations(const Session& session,
                                          const std::vector<std::string_view>& had) {
    std::vector<std::string> timed;
    each_member(session.spec("operations"), [&](wl_json key, wl_json operation) {
        const std::string name = string_of(key);
        const bool has = std::find(had.begin(), had.end(), name) != had.end();
        if (has && text_at(operation, "record") == "batches")
            timed.push_back(name);
    });
    return timed;
}

void serve_step(Session& session, const About& about, const BatchPlan& plan,
                const std::vector<std::string>& timed, const std::string& step,
                Subject& subject) {
    const bool answers = about.format != "none";
    // With rounds that are given, the first one of all is to be a cold one.
    const bool cold = plan.rounds > 0;
    if (answers && !cold)
        answer_step(session, step, subject);
    for (const std::string& operation : timed)
        if (plan.count > 0 && !session.stopping())
            time_operation(session, plan, step, operation, subject);
    if (answers && cold)
        answer_step(session, step, subject);
    if (answers && session.asked("read") && !session.stopping())
        read_inputs(session, about.format, step, subject);
    if (!answers || about.trusts_input)
        return;
    if (session.asked("truncate") && !session.stopping())
        truncate(session, step, subject);
    if (session.asked("reject") && !session.stopping())
        reject(session, about.format, step, subject);
}

/// The SDK's wl_done, with the number of batches.
void say_done(Session& session) {
    wl_worker* w = &session.worker;
    wl_runtime(w);
    wl_recorder_close(&w->samples);
    if (close(session.batch_file) != 0)
        wl_fatal(w, "batches", "batches cannot be written: %s", strerror(errno));
    if (close(w->answers.file) != 0 && w->answers.failed == 0)
        w->answers.failed = errno;
    wl__check_files(w);
    wl_text* line = wl__event(w, "done");
    wl_putf(line, ",\"records\":%llu,\"answers\":%llu,\"checksum\":\"%08x\",\"batches\":%llu",
            static_cast<unsigned long long>(w->samples.records),
            static_cast<unsigned long long>(w->answers.lines), w->answers.checksum,
            static_cast<unsigned long long>(session.batch_lines));
    wl__send(w);
}

}  // namespace

Worker::Worker() : session_(std::make_unique<Session>()) {
    wl_open(&session_->worker, "codec");
    open_batches(*session_);
}

Worker::~Worker() = default;

std::string Worker::tuning(const std::string& name, const std::string& fallback) {
    return text_at(session_->worker.spec, ("parameters." + name).c_str()).value_or(fallback);
}

int Worker::serve(const About& about, const std::vector<std::string_view>& operations,
                  const std::vector<Shape>& shapes) {
    Session& session = *session_;
    try {
        const BatchPlan plan = read_plan(session);
        const std::vector<std::string> timed = timed_operations(session, operations);
        const std::string facts = facts_of(about, operations);
        const wl_about said{about.library.c_str(), about.version.c_str(), "g++", __VERSION__,
                            nullptr, facts.c_str(), nullptr};
        wl_ready(&session.worker, &said);
        if (wl_wait_start(&session.worker))
            for (const std::string& step : plan.steps) {
                const auto shape = std::find_if(shapes.begin(), shapes.end(),
                                                [&](const Shape& s) { return s.name == step; });
                if (shape == shapes.end())
                    throw std::runtime_error("spec: no shape " + step);
                if (session.stopping())
                    break;
                serve_step(session, about, plan, timed, step, *shape->open(step));
            }
    } catch (...) {
        const Failure failure = current_failure();
        wl_fatal(&session.worker, failure.name.c_str(), "%s", failure.message.c_str());
    }
    say_done(session);
    return 0;
}

}  // namespace harness
