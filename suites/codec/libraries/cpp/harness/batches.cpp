#include "batches.hpp"

#include "allocations.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace harness {

namespace {

/// A loop that a compiler has deleted takes no time however often it is repeated.
constexpr double kMostRounds = 1e12;
/// Batches are made this much longer than asked, so that jitter does not make them shorter.
constexpr double kMargin = 1.03;
constexpr std::uint64_t kAllocationCycles = 4;

struct Batch {
    const char* phase;
    std::int64_t start_ns, end_ns;
    std::uint64_t rounds;
    fold::Sum checksum;
    std::int64_t allocated = -1;

    double took() const { return static_cast<double>(end_ns - start_ns); }
    double each() const { return took() / static_cast<double>(rounds); }
};

class Timing {
public:
    Timing(Session& session, const BatchPlan& plan, Loop& loop)
        : session_(session), plan_(plan), loop_(loop) {
        batches_.reserve(1024);
    }

    std::vector<Batch> carry_out() {
        std::uint64_t rounds = plan_.rounds;
        if (rounds == 0) {
            began_ns_ = wl_now();
            rounds = warm_up(calibrate());
        }
        for (std::int64_t i = 0; i < plan_.count && !session_.stopping(); i++)
            batch("measure", rounds);
        if (!session_.stopping())
            count_allocations();
        return std::move(batches_);
    }

private:
    const Batch& batch(const char* phase, std::uint64_t rounds) {
        const std::int64_t start_ns = wl_now();
        const fold::Sum sum = loop_.run(rounds);
        const std::int64_t end_ns = wl_now();
        return batches_.emplace_back(Batch{phase, start_ns, end_ns, rounds, sum});
    }

    bool long_enough(const Batch& last) const {
        return last.end_ns - last.start_ns >= plan_.batch_ns;
    }

    /// Rounds that would have taken as long as asked, at most tenfold.
    std::uint64_t scaled(const Batch& last) const {
        const double wanted = static_cast<double>(plan_.batch_ns) * kMargin;
        const double factor = std::clamp(wanted / std::max(last.took(), 1.0), 1.0, 10.0);
        const double rounds = std::ceil(static_cast<double>(last.rounds) * factor);
        return static_cast<std::uint64_t>(std::min(rounds, kMostRounds));
    }

    std::uint64_t calibrate() {
        std::uint64_t rounds = 1;
        while (!session_.stopping()) {
            const Batch& last = batch("warmup", rounds);
            if (long_enough(last) || static_cast<double>(rounds) >= kMostRounds)
                break;
            rounds = std::max(rounds + 1, scaled(last));
        }
        return rounds;
    }

    std::uint64_t warm_up(std::uint64_t rounds) {
        // What takes no time never settles either.
        if (static_cast<double>(rounds) >= kMostRounds)
            return rounds;
        const std::size_t calibrated = batches_.size();
        while (wl_now() - began_ns_ < plan_.warmup_ns && !session_.stopping()) {
            const Batch& last = batch("warmup", rounds);
            if (!long_enough(last))
                rounds = scaled(last);
            if (batches_.size() >= calibrated + 3 && agreed())
                break;
        }
        return rounds;
    }

    bool agreed() const {
        std::array<double, 3> times{};
        std::transform(batches_.end() - 3, batches_.end(), times.begin(),
                       [](const Batch& batch) { return batch.each(); });
        std::sort(times.begin(), times.end());
        const double margin = plan_.agree * times[1];
        return times[1] - times[0] <= margin && times[2] - times[1] <= margin;
    }

    void count_allocations() {
        Batch last{"allocation", wl_now(), 0, kAllocationCycles * loop_.inputs(), 0};
        {
            const AllocationCount count;
            last.checksum = loop_.run(last.rounds);
            last.allocated = static_cast<std::int64_t>(count.bytes());
        }
        last.end_ns = wl_now();
        batches_.push_back(last);
    }

    Session& session_;
    const BatchPlan& plan_;
    Loop& loop_;
    std::int64_t began_ns_ = 0;
    std::vector<Batch> batches_;
};

std::string beginning(const std::string& step, std::string_view operation, const char* phase) {
    return "{\"step\":" + quoted(step) + ",\"operation\":" + quoted(operation) + ",\"phase\":\""
         + phase + "\",";
}

std::string line_of(const std::string& step, std::string_view operation, const Batch& batch) {
    std::string line = beginning(step, operation, batch.phase);
    line += "\"start_ns\":" + std::to_string(batch.start_ns);
    line += ",\"end_ns\":" + std::to_string(batch.end_ns);
    line += ",\"rounds\":" + std::to_string(batch.rounds);
    line += ",\"checksum\":" + std::to_string(batch.checksum);
    if (batch.allocated >= 0)
        line += ",\"allocated_bytes\":" + std::to_string(batch.allocated);
    return line + "}\n";
}

void write(Session& session, const std::string& lines) {
    if (!wl__write_all(session.batch_file, lines.data(), lines.size()))
        wl_fatal(&session.worker, "batches", "batches cannot be written: %s", strerror(errno));
    session.batch_lines += static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n'));
}

}  // namespace

BatchPlan read_plan(const Session& session) {
    BatchPlan plan;
    each_item(session.spec("batches.steps"),
              [&](wl_json step) { plan.steps.push_back(string_of(step)); });
    plan.rounds = static_cast<std::uint64_t>(integer_of(session.spec("batches.rounds")));
    plan.batch_ns = integer_of(session.spec("batches.batch_ns"));
    plan.count = integer_of(session.spec("batches.count"));
    plan.warmup_ns = integer_of(session.spec("batches.warmup_ns"));
    plan.agree = double_of(session.spec("batches.agree"));
    return plan;
}

void time_operation(Session& session, const BatchPlan& plan, const std::string& step,
                    std::string_view operation, const Subject& subject) {
    std::string lines;
    try {
        const std::unique_ptr<Loop> loop = subject.loop(operation);
        for (const Batch& batch : Timing(session, plan, *loop).carry_out())
            lines += line_of(step, operation, batch);
    } catch (...) {
        lines = beginning(step, operation, "failed") + member(current_failure()) + "}\n";
    }
    write(session, lines);
}

}  // namespace harness
