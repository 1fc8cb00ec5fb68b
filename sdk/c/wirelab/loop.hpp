// A loop of a microbenchmark in C++20: a virtual call a batch, none a round. For contenders' own sources: it brings
// no name of the C SDK.
#ifndef WIRELAB_LOOP_HPP
#define WIRELAB_LOOP_HPP

#include <cstddef>
#include <cstdint>

namespace wirelab {

/// The suite's, of all rounds, modulo 2^32.
using Checksum = std::uint32_t;

/// One operation with its inputs.
class Loop {
public:
    virtual ~Loop() = default;
    /// Works through `rounds` rounds, round r on input r mod inputs(), and adds up what they give.
    virtual Checksum run(std::uint64_t rounds) = 0;
    virtual std::size_t inputs() const = 0;
    /// Whether anything comes of an audit.
    virtual bool audited() const { return false; }
    /// What the suite defines as an audit of all inputs, which it leaves as they were.
    virtual Checksum audit() { return 0; }
};

/// `once(item)` for `rounds` items of the pool, over and over; the sum of what it gives. Each call
/// with another `once` is a loop of its own for the compiler.
template <class Pool, class Once>
inline Checksum cycle(Pool& pool, std::uint64_t rounds, Once once) {
    Checksum sum = 0;
    auto item = pool.begin();
    for (; rounds > 0; --rounds) {
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
