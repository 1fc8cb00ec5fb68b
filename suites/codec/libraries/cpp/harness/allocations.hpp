// Bytes asked of the heap, by whichever way: every allocation of the process ends in malloc and
// its kin, which allocations.cpp puts itself before. Not counting costs one branch a call.
#pragma once

#include <cstdint>

namespace harness {

/// Counts from its making to its end. One at a time, on the one thread there is.
class AllocationCount {
public:
    AllocationCount();
    ~AllocationCount();
    AllocationCount(const AllocationCount&) = delete;
    AllocationCount& operator=(const AllocationCount&) = delete;
    std::uint64_t bytes() const;
};

}  // namespace harness
