// Bytes asked of the heap, by whichever way: every allocation of the process ends in malloc and
// its kin, which allocations.cpp puts itself before: a program that counts compiles that too, with
// -fno-builtin. Not counting costs one branch a call.
#ifndef WIRELAB_ALLOCATIONS_HPP
#define WIRELAB_ALLOCATIONS_HPP

#include <cstdint>

namespace wirelab {

/// Counts from its making to its end. One at a time, on the one thread there is.
class AllocationCount {
public:
    AllocationCount();
    ~AllocationCount();
    AllocationCount(const AllocationCount&) = delete;
    AllocationCount& operator=(const AllocationCount&) = delete;
    std::uint64_t bytes() const;
};

}  // namespace wirelab

#endif
