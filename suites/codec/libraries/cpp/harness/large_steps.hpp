// The steps of the scenario `large`. For the harness's own sources only.
#pragma once

#include "large.hpp"
#include "session.hpp"

#include <memory>

namespace harness {

/// Answers of a step: what came out in either direction, and the memory it took.
void answer_large(Session& session, const std::string& step, const Large& large);

/// The loop of a direction; an iteration is all of the data.
std::unique_ptr<Loop> large_loop(const std::string& step, const std::string& direction,
                                 const Large& large);

}  // namespace harness
