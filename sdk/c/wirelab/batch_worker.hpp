// The life of a worker of a microbenchmark in C++20: answers and loops of every step, the batch
// file, done. On top of the C SDK, whose wl_ready says that it waits.
#ifndef WIRELAB_BATCH_WORKER_HPP
#define WIRELAB_BATCH_WORKER_HPP

#include "../wirelab.h"

#include "allocations.hpp"
#include "batches.hpp"
#include "failure.hpp"

#include <memory>
#include <string_view>

namespace wirelab {

/// One role of one trial. What its callbacks throw outside of a loop is the caller's to catch.
class BatchWorker {
public:
    /// Reads the spec and creates the files; a spec that makes no sense ends the process.
    explicit BatchWorker(const char* role) {
        wl_open(&worker, role);
        worker.batches = &lines_;
        char path[4096];
        wl_spec_text(&worker, "paths.batches", nullptr, path, sizeof path);
        file_ = wl__create(path);
        if (file_ < 0)
            wl_fatal(&worker, "batches", "%s: %s", path, strerror(errno));
        read_plan();
    }
    BatchWorker(const BatchWorker&) = delete;
    BatchWorker& operator=(const BatchWorker&) = delete;

    wl_worker worker{};

    const BatchPlan& plan() const { return plan_; }

    /// Looks for a stop and says `runtime` when it is due; never while something is timed.
    bool stopping() {
        if (!plan_.counted)
            wl_heartbeat(&worker);
        return wl_stopping(&worker);
    }

    /// Waits for the start and calls `at` with the name of every step.
    template <class At>
    void follow(At at) {
        if (!wl_wait_start(&worker))
            return;
        for (const std::string& step : plan_.steps)
            if (!stopping())
                at(step);
    }

    /// The work of a step: `answer` writes its answers, `loop_of` makes the loop of an operation,
    /// or nullptr where there is none.
    template <class Answer, class LoopOf>
    void step(const std::string& name, Answer answer, LoopOf loop_of) {
        // With iterations that are given, the first one of all is to be a cold one.
        const bool cold = plan_.iterations > 0;
        if (!cold)
            answer();
        if (plan_.count > 0)
            for (const std::string& operation : operations_)
                if (!stopping())
                    write(lines_of(name, operation, loop_of));
        if (cold)
            answer();
    }

    /// Writes everything and says `done`; the process is then to exit with 0.
    void done() {
        if (close(file_) != 0)
            cannot_write();
        wl_done(&worker);
    }

private:
    void read_plan() {
        plan_.iterations = static_cast<std::uint64_t>(wl_spec_int(&worker, "batches.rounds"));
        plan_.batch_ns = wl_spec_int(&worker, "batches.batch_ns");
        plan_.count = wl_spec_int(&worker, "batches.count");
        plan_.warmup_ns = wl_spec_int(&worker, "batches.warmup_ns");
        const char* agree = wl_json_find(worker.spec, "batches.agree").at;
        char* end = nullptr;
        plan_.agree = agree == nullptr ? 0 : std::strtod(agree, &end);
        if (end == agree)
            wl_fatal(&worker, "spec", "spec: batches.agree: expected a number");
        const char* counted = wl_json_find(worker.spec, "batches.counted").at;
        plan_.counted = counted != nullptr && *counted == 't';
        wl_json step{nullptr, nullptr}, key{nullptr, nullptr}, operation{nullptr, nullptr};
        while (wl_json_next(wl_json_find(worker.spec, "batches.steps"), nullptr, &step))
            plan_.steps.push_back(name_of(step));
        while (wl_json_next(wl_json_find(worker.spec, "operations"), &key, &operation)) {
            char record[32] = "";
            wl_json_string(wl_json_find(operation, "record"), record, sizeof record);
            if (std::string_view(record) == "batches")
                operations_.push_back(name_of(key));
        }
    }

    std::string name_of(wl_json value) {
        char name[256];
        if (!wl_json_string(value, name, sizeof name))
            wl_fatal(&worker, "spec", "spec: a name of a step or an operation is expected");
        return name;
    }

    template <class LoopOf>
    std::string lines_of(const std::string& step, const std::string& operation, LoopOf loop_of) {
        std::string lines;
        try {
            const std::unique_ptr<Loop> loop = loop_of(operation);
            if (loop != nullptr)
                for (const Batch& batch : taken(*loop))
                    lines += line_of(step, operation, batch);
        } catch (...) {
            const Failure failure = current_failure();
            lines = beginning(step, operation, "failed") + "\"class\":" + quoted(failure.name)
                  + ",\"message\":" + quoted(failure.message) + "}\n";
        }
        return lines;
    }

    std::vector<Batch> taken(Loop& loop) {
        const auto count_bytes = [](auto call) {
            const AllocationCount count;
            call();
            return static_cast<std::int64_t>(count.bytes());
        };
        return Batches(loop, plan_, wl_now, [this] { return stopping(); }, count_bytes).take();
    }

    static std::string quoted(std::string_view text) {
        wl_text written{nullptr, 0, 0};
        wl_put_string(&written, text.data(), text.size());
        std::string out(written.at, written.used);
        std::free(written.at);
        return out;
    }

    static std::string beginning(const std::string& step, const std::string& operation,
                                 const char* phase) {
        return "{\"step\":" + quoted(step) + ",\"operation\":" + quoted(operation)
             + ",\"phase\":\"" + phase + "\",";
    }

    static std::string line_of(const std::string& step, const std::string& operation,
                               const Batch& batch) {
        std::string line = beginning(step, operation, batch.phase);
        line += "\"start_ns\":" + std::to_string(batch.start_ns);
        line += ",\"end_ns\":" + std::to_string(batch.end_ns);
        line += ",\"rounds\":" + std::to_string(batch.iterations);
        line += ",\"checksum\":" + std::to_string(batch.checksum);
        if (batch.allocated >= 0)
            line += ",\"allocated_bytes\":" + std::to_string(batch.allocated);
        return line + "}\n";
    }

    void write(const std::string& lines) {
        if (!wl__write_all(file_, lines.data(), lines.size()))
            cannot_write();
        lines_ += static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n'));
    }

    [[noreturn]] void cannot_write() {
        wl_fatal(&worker, "batches", "batches cannot be written: %s", strerror(errno));
    }

    BatchPlan plan_;
    std::vector<std::string> operations_;  ///< those that are repeated, in the spec's order
    int file_ = -1;
    std::uint64_t lines_ = 0;
};

}  // namespace wirelab

#endif
