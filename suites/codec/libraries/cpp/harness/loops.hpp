// The loops that are timed: one type for each codec and operation, so that the compiler sees in
// each what it would see in a user's program.
#pragma once

#include "codec.hpp"

#include <stdexcept>

namespace harness {

using wirelab::cycle;

template <class Codec, class Item>
class LoopOver : public Loop {
public:
    std::size_t inputs() const final { return pool.size(); }

protected:
    Codec codec;
    std::vector<Item> pool;
};

template <class Codec>
class NativeLoop : public LoopOver<Codec, typename Codec::Native> {
public:
    explicit NativeLoop(const std::vector<typename Codec::Native>& natives) {
        this->pool = natives;
    }
};

/// Encodings for reading. Each is a block of its own, as what comes off a network would be.
template <class Codec>
std::vector<std::vector<std::uint8_t>> encoded_pool(
    Codec& codec, const std::vector<typename Codec::Native>& natives) {
    std::vector<std::vector<std::uint8_t>> pool;
    for (const auto& native : natives) {
        auto&& message = encodable(codec, native);
        auto&& encoded = codec.encode(message);
        const Bytes bytes = bytes_of(encoded);
        pool.emplace_back(bytes.begin(), bytes.end());
    }
    return pool;
}

template <class Codec>
class ToMessageLoop final : public NativeLoop<Codec> {
public:
    using NativeLoop<Codec>::NativeLoop;
    fold::Sum run(std::uint64_t rounds) override {
        return cycle(this->pool, rounds, [this](const typename Codec::Native& native) {
            auto&& message = this->codec.to_message(native);
            keep(message);
            return folded(this->codec, message);
        });
    }
};

template <class Codec>
class EncodeNativeLoop final : public NativeLoop<Codec> {
public:
    using NativeLoop<Codec>::NativeLoop;
    fold::Sum run(std::uint64_t rounds) override {
        return cycle(this->pool, rounds, [this](const typename Codec::Native& native) {
            auto&& encoded = this->codec.encode(native);
            const Bytes bytes = bytes_of(encoded);
            keep(bytes);
            return fold::of_bytes(bytes.data(), bytes.size());
        });
    }
};

template <class Codec>
using Built = std::remove_cvref_t<decltype(encodable(
    std::declval<Codec&>(), std::declval<const typename Codec::Native&>()))>;

template <class Codec>
class EncodeMessageLoop final : public LoopOver<Codec, std::unique_ptr<Built<Codec>>> {
public:
    explicit EncodeMessageLoop(const std::vector<typename Codec::Native>& natives) {
        for (const auto& native : natives)
            this->pool.emplace_back(new Built<Codec>(this->codec.to_message(native)));
    }
    fold::Sum run(std::uint64_t rounds) override {
        return cycle(this->pool, rounds, [this](std::unique_ptr<Built<Codec>>& message) {
            auto&& encoded = this->codec.encode(*message);
            const Bytes bytes = bytes_of(encoded);
            keep(bytes);
            return fold::of_bytes(bytes.data(), bytes.size());
        });
    }
};

template <class Codec>
class DecodeLoop final : public LoopOver<Codec, std::vector<std::uint8_t>> {
public:
    explicit DecodeLoop(const std::vector<typename Codec::Native>& natives) {
        this->pool = encoded_pool(this->codec, natives);
    }
    fold::Sum run(std::uint64_t rounds) override {
        return cycle(this->pool, rounds, [this](const std::vector<std::uint8_t>& bytes) {
            auto&& decoded = this->codec.decode(Bytes(bytes));
            keep(decoded);
            return folded(this->codec, decoded);
        });
    }
};

template <class Codec>
class FromMessageLoop final
    : public LoopOver<Codec, std::unique_ptr<std::remove_cvref_t<DecodedBy<Codec>>>> {
    using Message = std::remove_cvref_t<DecodedBy<Codec>>;

public:
    explicit FromMessageLoop(const std::vector<typename Codec::Native>& natives)
        : bytes_(encoded_pool(this->codec, natives)) {
        for (const auto& bytes : bytes_)
            this->pool.emplace_back(new Message(this->codec.decode(Bytes(bytes))));
    }
    fold::Sum run(std::uint64_t rounds) override {
        return cycle(this->pool, rounds, [this](std::unique_ptr<Message>& message) {
            auto&& native = this->codec.from_message(*message);
            keep(native);
            return folded(this->codec, native);
        });
    }

private:
    std::vector<std::vector<std::uint8_t>> bytes_;
};

template <class Codec>
class RoundTripLoop final : public NativeLoop<Codec> {
public:
    using NativeLoop<Codec>::NativeLoop;
    fold::Sum run(std::uint64_t rounds) override {
        return cycle(this->pool, rounds, [this](const typename Codec::Native& native) {
            auto&& message = encodable(this->codec, native);
            auto&& encoded = this->codec.encode(message);
            const Bytes bytes = bytes_of(encoded);
            keep(bytes);
            auto&& decoded = this->codec.decode(bytes);
            auto&& result = finished(this->codec, decoded);
            keep(result);
            return folded(this->codec, result);
        });
    }
};

/// What a careless benchmark would time: the compiler may drop whatever it likes.
template <class Codec>
class UnusedRoundTripLoop final : public NativeLoop<Codec> {
public:
    using NativeLoop<Codec>::NativeLoop;
    fold::Sum run(std::uint64_t rounds) override {
        return cycle(this->pool, rounds, [this](const typename Codec::Native& native) {
            auto&& message = encodable(this->codec, native);
            auto&& encoded = this->codec.encode(message);
            auto&& decoded = this->codec.decode(bytes_of(encoded));
            [[maybe_unused]] auto&& result = finished(this->codec, decoded);
            return fold::Sum{0};
        });
    }
};

/// The loop of an operation that operations_of names.
template <class Codec>
std::unique_ptr<Loop> loop_of(std::string_view operation,
                              const std::vector<typename Codec::Native>& natives) {
    if constexpr (BuildsMessages<Codec>) {
        if (operation == "to_message")
            return std::make_unique<ToMessageLoop<Codec>>(natives);
        if (operation == "encode")
            return std::make_unique<EncodeMessageLoop<Codec>>(natives);
    } else if (operation == "encode") {
        return std::make_unique<EncodeNativeLoop<Codec>>(natives);
    }
    if (operation == "decode")
        return std::make_unique<DecodeLoop<Codec>>(natives);
    if constexpr (decodes_messages<Codec> && !borrows<Codec>)
        if (operation == "from_message")
            return std::make_unique<FromMessageLoop<Codec>>(natives);
    if (operation == "round_trip")
        return std::make_unique<RoundTripLoop<Codec>>(natives);
    if (operation == "round_trip_unused")
        return std::make_unique<UnusedRoundTripLoop<Codec>>(natives);
    throw std::logic_error("no such operation: " + std::string(operation));
}

}  // namespace harness
