// A shape with a contender's codec, for the answers and the loops.
#pragma once

#include "loops.hpp"
#include "pool.hpp"

namespace harness {

template <class Codec>
class DecodedValue final : public Decoded {
public:
    DecodedValue(Codec& codec, Bytes bytes) : codec_(codec), value_(codec.decode(bytes)) {}
    // Messages of some libraries may throw when they go; from here that ends the program.
    ~DecodedValue() noexcept override {}
    fold::Sum fold() override { return folded(codec_, value_); }
    std::string neutral() override {
        if constexpr (decodes_messages<Codec>)
            return harness::neutral<typename Codec::Native>(codec_.from_message(value_));
        else
            return harness::neutral<typename Codec::Native>(value_);
    }

private:
    Codec& codec_;
    DecodedBy<Codec> value_;
};

/// One codec serves all answers, so that what leaks from one message into the next shows.
template <class Codec>
class CodecSubject final : public Subject {
public:
    explicit CodecSubject(std::string_view shape)
        : natives_{load_pool<typename Codec::Native>(shape),
                   load_pool<typename Codec::Native>("twins/" + std::string(shape))} {}
    std::size_t size() const override { return natives_.values.size(); }
    std::unique_ptr<Loop> loop(std::string_view operation) const override {
        return loop_of<Codec>(operation, natives_);
    }
    std::vector<std::uint8_t> encode(std::size_t instance) override {
        auto&& message = encodable(codec_, natives_.values[instance]);
        auto&& encoded = codec_.encode(message);
        const Bytes bytes = bytes_of(encoded);
        return {bytes.begin(), bytes.end()};
    }
    std::unique_ptr<Decoded> decode(Bytes bytes) override {
        return std::make_unique<DecodedValue<Codec>>(codec_, bytes);
    }
    bool owns_decoded() const override { return Codec::lifetime == Lifetime::owned; }

private:
    Codec codec_;
    Natives<typename Codec::Native> natives_;
};

}  // namespace harness
