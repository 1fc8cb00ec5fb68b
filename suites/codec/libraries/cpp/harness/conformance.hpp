// Scenario `conform`: what others wrote, what is cut short, and what is wrong on purpose.
#pragma once

#include "session.hpp"

namespace harness {

/// `read`: the inputs of the worker's own format. Throws std::runtime_error for unreadable files.
void read_inputs(Session& session, const std::string& format, const std::string& step,
                 Subject& subject);

/// `truncate`: the own encoding of instance 0, cut after each of its bytes.
void truncate(Session& session, const std::string& step, Subject& subject);

/// `reject`: the vectors of the own format that belong to the step.
void reject(Session& session, const std::string& format, const std::string& step,
            Subject& subject);

}  // namespace harness
