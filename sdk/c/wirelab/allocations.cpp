#include "allocations.hpp"

#include <cerrno>
#include <cstddef>

namespace {

bool counting = false;
std::uint64_t counted = 0;

inline void count(std::size_t bytes) {
    if (__builtin_expect(counting, false))
        counted += bytes;
}

}  // namespace

// glibc's allocator under the names it keeps for those who stand before it.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) noexcept {
    count(bytes);
    return __libc_malloc(bytes);
}

void* calloc(std::size_t items, std::size_t bytes) noexcept {
    count(items * bytes);
    return __libc_calloc(items, bytes);
}

void* realloc(void* block, std::size_t bytes) noexcept {
    count(bytes);
    return __libc_realloc(block, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
    count(bytes);
    return __libc_memalign(alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
    count(bytes);
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
    if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    count(bytes);
    void* found = __libc_memalign(alignment, bytes);
    if (found == nullptr)
        return ENOMEM;
    *block = found;
    return 0;
}
}

namespace wirelab {

AllocationCount::AllocationCount() {
    counted = 0;
    counting = true;
}

AllocationCount::~AllocationCount() { counting = false; }

std::uint64_t AllocationCount::bytes() const { return counted; }

}  // namespace wirelab
