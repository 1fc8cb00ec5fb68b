// Large messages: a blob, many records at once, and records one after the other: the scenario `large`.
// A contender gives `Worker::large` its codecs; see README.md of the suite.
#pragma once

#include "codec.hpp"
#include "shapes.hpp"

#include <functional>
#include <istream>
#include <ostream>

namespace harness {

using Blob = std::vector<std::uint8_t>;

/// Length and single bytes of an encoding; nobody knows the middle of a stream.
struct Ends {
    std::size_t size = 0;
    std::uint8_t first = 0, middle = 0, last = 0;

    fold::Sum fold() const {
        return 7u * static_cast<fold::Sum>(size) + first + 3u * middle + 5u * last;
    }
};

/// A value that goes over to bytes and back, with everything between.
template <class Native>
struct Whole {
    std::function<Ends(const Native&)> to_bytes;
    std::function<Blob(const Native&)> encoded;
    std::function<fold::Sum(Bytes)> from_bytes;
};

struct Large {
    Whole<Blob> blob;
    Whole<Telemetry> records;
    std::function<std::function<void(const TelemetryPoint&)>(std::ostream&)> writer;
    /// Gives false when there is no other record.
    std::function<std::function<bool(TelemetryPoint&)>(std::istream&)> reader;
};

inline Ends ends_of(Bytes bytes) {
    return {bytes.size(), bytes.front(), bytes[bytes.size() / 2], bytes.back()};
}

inline fold::Sum folded_whole(const Blob& blob) { return fold::of_bytes(blob.data(), blob.size()); }
inline fold::Sum folded_whole(const Telemetry& records) { return fold::value(records); }

/// Fold of what was read: of the native value, or of the view that stands for one.
template <class Codec, class Value>
fold::Sum folded_whole(Codec& codec, const Value& value) {
    if constexpr (borrows<Codec>)
        return codec.fold(value);
    else
        return folded_whole(value);
}

/// With a codec as the shapes have it.
template <class Codec>
Whole<typename Codec::Native> whole() {
    using Native = typename Codec::Native;
    return {
        .to_bytes =
            [](const Native& value) {
                Codec codec;
                auto&& message = encodable(codec, value);
                auto&& encoded = codec.encode(message);
                return ends_of(bytes_of(encoded));
            },
        .encoded =
            [](const Native& value) {
                Codec codec;
                auto&& message = encodable(codec, value);
                auto&& encoded = codec.encode(message);
                const Bytes bytes = bytes_of(encoded);
                return Blob(bytes.begin(), bytes.end());
            },
        .from_bytes =
            [](Bytes bytes) {
                Codec codec;
                auto&& decoded = codec.decode(bytes);
                auto&& value = finished(codec, decoded);
                return folded_whole(codec, value);
            },
    };
}

}  // namespace harness
