// The batches of a loop in C++20: calibrated, warmed up, measured, counted for what they allocate
// (*Batch loops* of docs/reference/worker-contract.md).
#ifndef WIRELAB_BATCHES_HPP
#define WIRELAB_BATCHES_HPP

#include "loop.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace wirelab {

/// Batches as the spec has them; times are in nanoseconds.
struct BatchPlan {
    std::vector<std::string> steps;
    std::uint64_t iterations = 0;  ///< 0: calibrated
    std::int64_t batch_ns = 0;
    std::int64_t count = 0;
    std::int64_t warmup_ns = 0;
    double agree = 0;
    bool counted = false;  ///< somebody counts the instructions: nothing may depend on time
};

struct Batch {
    const char* phase;
    std::int64_t start_ns, end_ns;
    std::uint64_t iterations;
    Checksum checksum;
    std::int64_t allocated = -1;  ///< bytes, where they were counted

    std::int64_t took() const { return end_ns - start_ns; }
    double each() const { return static_cast<double>(took()) / static_cast<double>(iterations); }
};

/// Takes the batches of a loop. `now` gives the time; `stopping` is asked between batches, and
/// `count_bytes` calls what it is given and says what that allocated.
template <class Now, class Stopping, class CountBytes>
class Batches {
public:
    Batches(Loop& loop, const BatchPlan& plan, Now now, Stopping stopping, CountBytes count_bytes)
        : loop_(loop), plan_(plan), now_(now), stopping_(stopping), count_bytes_(count_bytes) {
        batches_.reserve(1024);
    }

    /// All of them, or those before a stop.
    std::vector<Batch> take() {
        const std::uint64_t given = plan_.iterations;
        const std::uint64_t iterations = given > 0 ? given : ready_iterations();
        for (std::int64_t i = 0; i < plan_.count && !stopping_(); i++) {
            batch("measure", iterations);
            if (loop_.audited() && given == 0)
                look_after(iterations);
        }
        if (!stopping_())
            count_allocations();
        return std::move(batches_);
    }

private:
    /// A loop that a compiler has deleted takes no time however often it is repeated.
    static constexpr std::uint64_t kMostIterations = 1'000'000'000'000;
    /// Batches are made this much longer than asked, so that noise does not make them shorter.
    static constexpr double kMargin = 1.05;
    static constexpr double kMostGrowth = 10;
    static constexpr std::size_t kAgreeing = 3;
    static constexpr std::uint64_t kAllocationPasses = 4;
    /// A batch is longer by this much than the most iterations before its audit.
    static constexpr std::uint64_t kAuditedPart = 8;

    const Batch& batch(const char* phase, std::uint64_t iterations) {
        const std::int64_t start_ns = now_();
        const Checksum sum = loop_.run(iterations);
        const std::int64_t end_ns = now_();
        return batches_.emplace_back(Batch{phase, start_ns, end_ns, iterations, sum});
    }

    /// Audits after as many iterations as chance wants, so that no call tells when it is one.
    void look_after(std::uint64_t iterations) {
        const std::int64_t start_ns = now_();
        loop_.run(std::uniform_int_distribution<std::uint64_t>(0, iterations / kAuditedPart)(chance_));
        const Checksum sum = loop_.audit();
        batches_.emplace_back(Batch{"audit", start_ns, now_(), loop_.inputs(), sum});
    }

    std::uint64_t ready_iterations() {
        const std::int64_t end_ns = now_() + plan_.warmup_ns;
        const std::uint64_t iterations = calibrated();
        // What takes no time never settles either.
        return iterations < kMostIterations ? warmed_up(iterations, end_ns) : iterations;
    }

    std::uint64_t calibrated() {
        std::uint64_t iterations = 1;
        while (!stopping_()) {
            const Batch& last = batch("warmup", iterations);
            if (last.took() >= plan_.batch_ns || iterations == kMostIterations)
                break;
            iterations = longer(last);
        }
        return iterations;
    }

    std::uint64_t warmed_up(std::uint64_t iterations, std::int64_t end_ns) {
        const std::size_t first = batches_.size();
        while (now_() < end_ns && !stopping_() && !agreed(first)) {
            const Batch& last = batch("warmup", iterations);
            if (last.took() < plan_.batch_ns)  // the code became faster
                iterations = longer(last);
        }
        return iterations;
    }

    /// Iterations that take as long as asked, by a batch that took less; whole passes.
    std::uint64_t longer(const Batch& last) const {
        const double took = static_cast<double>(std::max<std::int64_t>(1, last.took()));
        const double growth =
            std::min(kMostGrowth, kMargin * static_cast<double>(plan_.batch_ns) / took);
        const double wanted = std::ceil(static_cast<double>(last.iterations) * growth);
        std::uint64_t iterations = std::max(last.iterations + 1, static_cast<std::uint64_t>(wanted));
        const std::uint64_t inputs = loop_.inputs();
        if (iterations > inputs)
            iterations = (iterations + inputs - 1) / inputs * inputs;
        return std::min(iterations, kMostIterations);
    }

    /// Tells whether the last batches took the same, of those from `first` on.
    bool agreed(std::size_t first) const {
        if (batches_.size() < first + kAgreeing)
            return false;
        std::array<double, kAgreeing> times{};
        std::transform(batches_.end() - kAgreeing, batches_.end(), times.begin(),
                       [](const Batch& batch) { return batch.each(); });
        std::sort(times.begin(), times.end());
        const double margin = plan_.agree * times[1];
        return times[1] - times[0] <= margin && times[2] - times[1] <= margin;
    }

    void count_allocations() {
        const std::uint64_t iterations = kAllocationPasses * loop_.inputs();
        batches_.reserve(batches_.size() + 1);  // which is no allocation of the loop
        const std::int64_t allocated = count_bytes_([&] { batch("allocation", iterations); });
        batches_.back().allocated = allocated;
    }

    Loop& loop_;
    const BatchPlan& plan_;
    Now now_;
    Stopping stopping_;
    CountBytes count_bytes_;
    std::random_device chance_;
    std::vector<Batch> batches_;
};

}  // namespace wirelab

#endif
