// The loops that are timed: one type for each codec and operation, so that the compiler sees in
// each what it would see in a user's program.
#pragma once

#include "codec.hpp"

#include <algorithm>
#include <stdexcept>

namespace harness {

using wirelab::cycle;

/// Native values with their twins: the same values but for one field each.
template <class Native>
struct Natives {
    std::vector<Native> values, twins;
};

/// A loop and its audit, which is the same work while twins are in the places of the inputs. What an
/// iteration decodes is looked at at once: a value of its own cannot be shared, and what is kept will
/// not last. What it encodes is looked at when the twins are gone: bytes may say where a value lies.
template <class Codec, class Item>
class LoopOver : public Loop {
public:
    using Native = typename Codec::Native;

    /// `wanted` is what results are held to.
    explicit LoopOver(const std::vector<Native>& wanted) : wanted_(wanted) {}
    std::size_t inputs() const final { return pool.size(); }
    bool audited() const override { return true; }
    fold::Sum audit() final {
        change();
        fold::Sum sum = 0;
        encodings_.clear();
        for (std::size_t i = 0; i < pool.size(); i++)
            sum += look(pool[i], wanted_[i]);
        change();
        for (std::size_t i = 0; i < encodings_.size(); i++)
            sum += look_at_encoded(encodings_[i], wanted_[i]);
        return sum;
    }

protected:
    /// Puts twins in the places of the inputs, and undoes it when called again. Messages of a
    /// library have none.
    virtual void change() {}
    /// The fold of what an iteration gives, and one more where it is not what is wanted; 0 for bytes
    /// that are kept to be looked at later.
    virtual fold::Sum look(Item& item, const Native& wanted) = 0;

    /// The look at a native value: folds see only the ends of texts, comparing sees all.
    static fold::Sum look_at_native(const Native& value, const Native& wanted) {
        return fold::value(value) + (value == wanted ? 0u : 1u);
    }
    /// The look at what was decoded.
    template <class Value>
    fold::Sum look_at(Value& decoded, const Native& wanted) {
        if constexpr (decodes_messages<Codec>) {
            const fold::Sum sum = folded(codec, decoded);
            return sum + (codec.from_message(decoded) == wanted ? 0u : 1u);
        } else {
            return look_at_native(decoded, wanted);
        }
    }
    /// Keeps a copy of bytes, to be looked at when the inputs are what they were.
    template <class Encoded>
    fold::Sum keep_encoded(const Encoded& encoded) {
        const Bytes bytes = bytes_of(encoded);
        encodings_.emplace_back(bytes.begin(), bytes.end());
        return 0;
    }
    /// The look at bytes, whose own fold sees only some of them.
    template <class Encoded>
    fold::Sum look_at_encoded(const Encoded& encoded, const Native& wanted) {
        auto&& decoded = codec.decode(bytes_of(encoded));
        return look_at(decoded, wanted);
    }

    Codec codec;
    std::vector<Item> pool;

private:
    std::vector<Native> wanted_;
    std::vector<std::vector<std::uint8_t>> encodings_;
};

template <class Codec>
class NativeLoop : public LoopOver<Codec, typename Codec::Native> {
public:
    explicit NativeLoop(const Natives<typename Codec::Native>& natives)
        : LoopOver<Codec, typename Codec::Native>(natives.twins), twins_(natives.twins) {
        this->pool = natives.values;
    }

protected:
    void change() final {
        std::swap_ranges(this->pool.begin(), this->pool.end(), twins_.begin());
    }

private:
    std::vector<typename Codec::Native> twins_;
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
    fold::Sum run(std::uint64_t iterations) override {
        return cycle(this->pool, iterations, [this](const typename Codec::Native& native) {
            auto&& message = this->codec.to_message(native);
            keep(message);
            return folded(this->codec, message);
        });
    }

protected:
    /// A message that is built need not be of the type of one that is decoded.
    fold::Sum look(typename Codec::Native& native, const typename Codec::Native&) override {
        auto&& message = this->codec.to_message(native);
        return folded(this->codec, message);
    }
};

template <class Codec>
class EncodeNativeLoop final : public NativeLoop<Codec> {
public:
    using NativeLoop<Codec>::NativeLoop;
    fold::Sum run(std::uint64_t iterations) override {
        return cycle(this->pool, iterations, [this](const typename Codec::Native& native) {
            auto&& encoded = this->codec.encode(native);
            const Bytes bytes = bytes_of(encoded);
            keep(bytes);
            return fold::of_bytes(bytes.data(), bytes.size());
        });
    }

protected:
    fold::Sum look(typename Codec::Native& native, const typename Codec::Native&) override {
        return this->keep_encoded(this->codec.encode(native));
    }
};

template <class Codec>
using Built = std::remove_cvref_t<decltype(encodable(
    std::declval<Codec&>(), std::declval<const typename Codec::Native&>()))>;

template <class Codec>
class EncodeMessageLoop final : public LoopOver<Codec, std::unique_ptr<Built<Codec>>> {
public:
    explicit EncodeMessageLoop(const Natives<typename Codec::Native>& natives)
        : LoopOver<Codec, std::unique_ptr<Built<Codec>>>(natives.values) {
        for (const auto& native : natives.values)
            this->pool.emplace_back(new Built<Codec>(this->codec.to_message(native)));
    }
    fold::Sum run(std::uint64_t iterations) override {
        return cycle(this->pool, iterations, [this](std::unique_ptr<Built<Codec>>& message) {
            auto&& encoded = this->codec.encode(*message);
            const Bytes bytes = bytes_of(encoded);
            keep(bytes);
            return fold::of_bytes(bytes.data(), bytes.size());
        });
    }

protected:
    fold::Sum look(std::unique_ptr<Built<Codec>>& message, const typename Codec::Native&) override {
        return this->keep_encoded(this->codec.encode(*message));
    }
};

template <class Codec>
class DecodeLoop final : public LoopOver<Codec, std::vector<std::uint8_t>> {
public:
    explicit DecodeLoop(const Natives<typename Codec::Native>& natives)
        : LoopOver<Codec, std::vector<std::uint8_t>>(natives.twins) {
        this->pool = encoded_pool(this->codec, natives.values);
        twins_ = encoded_pool(this->codec, natives.twins);
    }
    fold::Sum run(std::uint64_t iterations) override {
        return cycle(this->pool, iterations, [this](const std::vector<std::uint8_t>& bytes) {
            auto&& decoded = this->codec.decode(Bytes(bytes));
            keep(decoded);
            return folded(this->codec, decoded);
        });
    }

protected:
    /// Encodings of one length are patched where they lie; others change their places.
    void change() override {
        for (std::size_t i = 0; i < twins_.size(); i++) {
            auto &bytes = this->pool[i], &twin = twins_[i];
            if (bytes.size() == twin.size())
                std::swap_ranges(bytes.begin(), bytes.end(), twin.begin());
            else
                bytes.swap(twin);
        }
    }
    fold::Sum look(std::vector<std::uint8_t>& bytes,
                   const typename Codec::Native& wanted) override {
        return this->look_at_encoded(bytes, wanted);
    }

private:
    std::vector<std::vector<std::uint8_t>> twins_;
};

template <class Codec>
class FromMessageLoop final
    : public LoopOver<Codec, std::unique_ptr<std::remove_cvref_t<DecodedBy<Codec>>>> {
    using Message = std::remove_cvref_t<DecodedBy<Codec>>;

public:
    explicit FromMessageLoop(const Natives<typename Codec::Native>& natives)
        : LoopOver<Codec, std::unique_ptr<Message>>(natives.values),
          bytes_(encoded_pool(this->codec, natives.values)) {
        for (const auto& bytes : bytes_)
            this->pool.emplace_back(new Message(this->codec.decode(Bytes(bytes))));
    }
    fold::Sum run(std::uint64_t iterations) override {
        return cycle(this->pool, iterations, [this](std::unique_ptr<Message>& message) {
            auto&& native = this->codec.from_message(*message);
            keep(native);
            return folded(this->codec, native);
        });
    }

protected:
    fold::Sum look(std::unique_ptr<Message>& message,
                   const typename Codec::Native& wanted) override {
        return this->look_at_native(this->codec.from_message(*message), wanted);
    }

private:
    std::vector<std::vector<std::uint8_t>> bytes_;
};

template <class Codec>
class RoundTripLoop final : public NativeLoop<Codec> {
public:
    using NativeLoop<Codec>::NativeLoop;
    fold::Sum run(std::uint64_t iterations) override {
        return cycle(this->pool, iterations, [this](const typename Codec::Native& native) {
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

protected:
    fold::Sum look(typename Codec::Native& native, const typename Codec::Native&) override {
        auto&& message = encodable(this->codec, native);
        return this->keep_encoded(this->codec.encode(message));
    }
};

/// Loop that a careless benchmark would time: the compiler may drop whatever it likes.
template <class Codec>
class UnusedRoundTripLoop final : public NativeLoop<Codec> {
public:
    using NativeLoop<Codec>::NativeLoop;
    fold::Sum run(std::uint64_t iterations) override {
        return cycle(this->pool, iterations, [this](const typename Codec::Native& native) {
            auto&& message = encodable(this->codec, native);
            auto&& encoded = this->codec.encode(message);
            auto&& decoded = this->codec.decode(bytes_of(encoded));
            [[maybe_unused]] auto&& result = finished(this->codec, decoded);
            return fold::Sum{0};
        });
    }
    bool audited() const override { return false; }

protected:
    fold::Sum look(typename Codec::Native&, const typename Codec::Native&) override { return 0; }
};

/// The loop of an operation that operations_of names.
template <class Codec>
std::unique_ptr<Loop> loop_of(std::string_view operation,
                              const Natives<typename Codec::Native>& natives) {
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
