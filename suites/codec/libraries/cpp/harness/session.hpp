// What the protocol's parts share: the SDK's worker of batches. For the harness's own sources only.
#pragma once

#include <wirelab/batch_worker.hpp>

#include "json.hpp"
#include "subject.hpp"

namespace harness {

using wirelab::Failure;
using wirelab::current_failure;

struct Session : wirelab::BatchWorker {
    Session() : BatchWorker("codec") {}

    bool asked(std::string_view operation) const {
        return spec(("operations." + std::string(operation)).c_str()).at != nullptr;
    }
    wl_json spec(const char* path) const { return wl_json_find(worker.spec, path); }
};

inline std::string member(const Failure& failure) {
    return "\"class\":" + quoted(failure.name) + ",\"message\":" + quoted(failure.message);
}

}  // namespace harness
