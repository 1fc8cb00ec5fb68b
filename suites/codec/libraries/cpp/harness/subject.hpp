// One shape with one codec, as the protocol sees it.
#pragma once

#include "fold.hpp"

#include <wirelab/loop.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

using Bytes = std::span<const std::uint8_t>;

using wirelab::Loop;

/// Value that was decoded, whatever its type.
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
    /// Tells whether what was decoded stays when its bytes go and others are decoded.
    virtual bool owns_decoded() const = 0;
};

}  // namespace harness
