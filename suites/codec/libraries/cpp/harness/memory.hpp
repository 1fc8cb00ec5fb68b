// Memory of this process as the kernel counts it. For the harness's own sources only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace harness {

/// Resident bytes before a call and at its peak.
struct MemoryUse {
    std::int64_t before, peak;
};

/// Makes the call; nothing where the kernel cannot tell. What was freed before goes back to the
/// system first, or the call would be given it for nothing.
std::optional<MemoryUse> memory_of(const std::function<void()>& call);

}  // namespace harness
