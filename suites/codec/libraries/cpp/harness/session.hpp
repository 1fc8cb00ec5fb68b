// What the protocol's parts share: the SDK's worker and the lines of the batch file. For the
// harness's own sources only.
#pragma once

#include "json.hpp"
#include "failure.hpp"
#include "subject.hpp"

#include <wirelab.h>

namespace harness {

struct Session {
    wl_worker worker{};
    int batch_file = -1;
    std::uint64_t batch_lines = 0;

    /// Looks for a stop and says `runtime` when it is due; never while something is timed.
    bool stopping() {
        wl_heartbeat(&worker);
        return wl_stopping(&worker);
    }
    bool asked(std::string_view operation) const;
    wl_json spec(const char* path) const { return wl_json_find(worker.spec, path); }
};

inline bool Session::asked(std::string_view operation) const {
    return spec(("operations." + std::string(operation)).c_str()).at != nullptr;
}

inline std::string member(const Failure& failure) {
    return "\"class\":" + quoted(failure.name) + ",\"message\":" + quoted(failure.message);
}

}  // namespace harness
