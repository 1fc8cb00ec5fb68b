// One shape with one codec, as the protocol sees it: a virtual call a batch, none a round.
#pragma once

#include "fold.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

using Bytes = std::span<const std::uint8_t>;

/// One operation on one shape, with its inputs.
class Loop {
public:
    virtual ~Loop() = default;
    /// Works through `rounds` rounds, round r on input r mod inputs(), and adds their folds up.
    virtual fold::Sum run(std::uint64_t rounds) = 0;
    virtual std::size_t inputs() const = 0;
};

/// What was decoded, whatever its type.
class Decoded {
public:
    virtual ~Decoded() = default;
    /// Reads every field. Lazy decoders find faults here, and throw.
    virtual fold::Sum fold() = 0;
    virtual std::string neutral() = 0;
};

class Subject {
public:
    virtual ~Subject() = default;
    virtual std::size_t size() const = 0;
    /// Throws what the library throws at preparing the inputs.
    virtual std::unique_ptr<Loop> loop(std::string_view operation) const = 0;
    virtual std::vector<std::uint8_t> encode(std::size_t instance) = 0;
    virtual std::unique_ptr<Decoded> decode(Bytes bytes) = 0;
    /// Whether what was decoded stays when its bytes go and others are decoded.
    virtual bool owns_decoded() const = 0;
};

}  // namespace harness
