// The section *Batch loops* of docs/worker-contract.md.
#pragma once

#include "session.hpp"

namespace harness {

/// What the spec says about batches.
struct BatchPlan {
    std::vector<std::string> steps;
    std::uint64_t rounds = 0;
    std::int64_t batch_ns = 0;
    std::int64_t count = 0;
    std::int64_t warmup_ns = 0;
    double agree = 0;
};

BatchPlan read_plan(const Session& session);

/// Times one operation of a step and writes its batches, or that it failed. Returns early at stop.
void time_operation(Session& session, const BatchPlan& plan, const std::string& step,
                    std::string_view operation, const Subject& subject);

}  // namespace harness
