// The answers of the scenario `evolution`. For the harness's own sources only.
#pragma once

#include "evolution.hpp"
#include "session.hpp"

namespace harness {

/// Writes the answers of one change. Throws std::runtime_error for an unreadable file.
void evolve(Session& session, const std::string& change, const Versions& versions);

}  // namespace harness
