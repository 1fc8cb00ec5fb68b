// A loop of a microbenchmark in C++20: a virtual call a batch, none an iteration. For contenders' own sources: it brings
// no name of the C SDK.
#ifndef WIRELAB_LOOP_HPP
#define WIRELAB_LOOP_HPP

#include <cstddef>
#include <cstdint>

namespace wirelab {

/// The suite's, of all iterations, modulo 2^32.
using Checksum = std::uint32_t;

/// One operation with its inputs.
class Loop {
public:
    virtual ~Loop() = default;
    /// Works through `iterations` iterations, iteration i on input i mod inputs(); the sum of what they give.
    virtual Checksum run(std::uint64_t iterations) = 0;
    virtual std::size_t inputs() const = 0;
    /// Tells whether anything comes of an audit.
    virtual bool audited() const { return false; }
    /// Audits all inputs as the suite defines it, and leaves them as they were.
    virtual Checksum audit() { return 0; }
};

/// `once(item)` for `iterations` items of the pool, over and over; the sum of what it gives. Each call
/// with another `once` is a loop of its own for the compiler.
template <class Pool, class Once>
inline Checksum cycle(Pool& pool, std::uint64_t iterations, Once once) {
    Checksum sum = 0;
    auto item = pool.begin();
    for (; iterations > 0; --iterations) {
        sum += once(*item);
        if (++item == pool.end())
            item = pool.begin();
    }
    return sum;
}

/// Keeps a value from the optimiser: it must be in memory, and may have changed after this.
template <class Value>
inline void keep(Value& value) {
    asm volatile("" : : "r"(&value) : "memory");
}

}  // namespace wirelab

#endif
